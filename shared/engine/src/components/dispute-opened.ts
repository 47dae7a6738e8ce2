import { eventTrigger } from '../event-trigger';

export const disputeOpened = eventTrigger({
  id: 'dispute_opened',
  label: 'Dispute opened',
  priority: 140,
  when: 'a customer disputes a payment of an order',
  types: ['dispute_opened'],
});
