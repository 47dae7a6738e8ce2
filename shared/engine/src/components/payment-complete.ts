import { eventTrigger } from '../event-trigger';

export const paymentComplete = eventTrigger({
  id: 'payment_complete',
  label: 'Payment complete',
  priority: 80,
  when: 'a payment for an order completes, whatever the status of the order',
  types: ['payment_completed'],
});
