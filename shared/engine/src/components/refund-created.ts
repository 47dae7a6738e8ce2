import { eventTrigger } from '../event-trigger';

export const refundCreated = eventTrigger({
  id: 'refund_created',
  label: 'Refund created',
  priority: 130,
  when: 'a gateway refunds a payment of an order, in part or as a whole',
  types: ['payment_refunded'],
});
