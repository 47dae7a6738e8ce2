import { eventTrigger } from '../event-trigger';

export const paymentFailed = eventTrigger({
  id: 'payment_failed',
  label: 'Payment failed',
  priority: 90,
  when: 'a payment for an order fails or is denied',
  types: ['payment_failed', 'payment_denied'],
});
