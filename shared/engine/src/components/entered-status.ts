import { type Trigger, trigger } from '../component';
import { entered } from '../order-status';
import { noSettings } from '../settings-schema';

type Named = Pick<Trigger, 'id' | 'label' | 'priority'>;

/** A trigger that fires when an order enters the status, being created in it included; coming back from the trash is not. */
function enteredStatus(status: string, named: Named): Trigger {
  const fires = `fires when an order enters the status ${status}`;
  return trigger({
    ...named,
    description: `Fires when an order enters the status ${status}.`,
    edition: 'default',
    schema: noSettings,
    listensTo: () => [{ type: 'order_status_changed', to_status: status }],
    fires: () => fires,
    compile: () => (occurrence) => entered(occurrence, `the trigger ${fires}`),
  });
}

export const orderCompleted = enteredStatus('completed', {
  id: 'order_completed',
  label: 'Order completed',
  priority: 30,
});

export const orderOnHold = enteredStatus('on-hold', { id: 'order_on_hold', label: 'Order on hold', priority: 40 });

export const orderCancelled = enteredStatus('cancelled', {
  id: 'order_cancelled',
  label: 'Order cancelled',
  priority: 50,
});

export const orderFailed = enteredStatus('failed', { id: 'order_failed', label: 'Order failed', priority: 60 });

export const orderRefunded = enteredStatus('refunded', { id: 'order_refunded', label: 'Order refunded', priority: 70 });
