import { type Trigger, trigger } from './component';
import { noSettings } from './settings-schema';

type Named = Pick<Trigger, 'id' | 'label' | 'priority'>;

/** A trigger that fires when an order enters the status, being created in it included. */
export function enteredStatus(status: string, named: Named): Trigger {
  return trigger({
    ...named,
    description: `Fires when an order enters the status ${status}.`,
    edition: 'default',
    schema: noSettings,
    listensTo: () => [{ type: 'order_status_changed', to_status: status }],
    fires: () => `fires when an order enters the status ${status}`,
  });
}
