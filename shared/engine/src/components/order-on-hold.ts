import { enteredStatus } from '../entered-status';

export const orderOnHold = enteredStatus('on-hold', { id: 'order_on_hold', label: 'Order on hold', priority: 40 });
