import { eventTrigger } from '../event-trigger';

export const refundCreated = eventTrigger({
  id: 'refund_created',
  label: 'Refund created',
  priority: 130,
  when: 'an order is refunded, in part or as a whole, in the shop or by its gateway',
  types: ['payment_refunded'],
});
