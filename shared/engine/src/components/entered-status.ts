import { type Trigger, trigger } from '../component';
import { entered, statusName } from '../order-status';
import { noSettings } from '../settings-schema';

/**
 * `order_completed`, `order_on_hold`, `order_cancelled`, `order_failed`, `order_refunded`: a trigger that fires when an order enters the status, being
 * created in it included; coming back from the trash is not.
 */
function enteredStatus(status: string, priority: number): Trigger {
  const fires = `fires when an order enters the status ${statusName(status)}`;
  return trigger({
    id: `order_${status.replace('-', '_')}`,
    label: `Order ${statusName(status)}`,
    priority,
    description: `Fires when an order enters the status ${statusName(status)}.`,
    edition: 'default',
    schema: noSettings,
    listensTo: () => [{ type: 'order_status_changed', to_status: status }],
    fires: () => fires,
    compile: () => (occurrence) => entered(occurrence, `the trigger ${fires}`),
  });
}

export const orderCompleted = enteredStatus('completed', 30);
export const orderOnHold = enteredStatus('on-hold', 40);
export const orderCancelled = enteredStatus('cancelled', 50);
export const orderFailed = enteredStatus('failed', 60);
export const orderRefunded = enteredStatus('refunded', 70);
