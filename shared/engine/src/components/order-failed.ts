import { enteredStatus } from '../entered-status';

export const orderFailed = enteredStatus('failed', { id: 'order_failed', label: 'Order failed', priority: 60 });
