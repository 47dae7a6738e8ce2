import { enteredStatus } from '../entered-status';

export const orderRefunded = enteredStatus('refunded', { id: 'order_refunded', label: 'Order refunded', priority: 70 });
