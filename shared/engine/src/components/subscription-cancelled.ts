import { eventTrigger } from '../event-trigger';

export const subscriptionCancelled = eventTrigger({
  id: 'subscription_cancelled',
  label: 'Subscription cancelled',
  priority: 120,
  when: 'the subscription of an order is cancelled',
  types: ['subscription_cancelled'],
});
