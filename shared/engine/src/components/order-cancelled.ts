import { enteredStatus } from '../entered-status';

export const orderCancelled = enteredStatus('cancelled', {
  id: 'order_cancelled',
  label: 'Order cancelled',
  priority: 50,
});
