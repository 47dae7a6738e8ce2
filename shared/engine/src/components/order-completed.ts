import { enteredStatus } from '../entered-status';

export const orderCompleted = enteredStatus('completed', {
  id: 'order_completed',
  label: 'Order completed',
  priority: 30,
});
