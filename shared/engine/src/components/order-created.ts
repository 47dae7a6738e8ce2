import { trigger } from '../component';
import { noSettings } from '../settings-schema';

const fires = 'fires when the shop has a new order';

/** The shop's own word alone: a gateway that says `order_created` speaks of its own orders. */
export const orderCreated = trigger({
  id: 'order_created',
  label: 'Order created',
  description: 'Fires when the shop has a new order, whatever its status.',
  edition: 'default',
  priority: 20,
  schema: noSettings,
  listensTo: () => [{ type: 'order_created' }],
  fires: () => fires,
  compile:
    () =>
    ({ gateway }) => ({ fires: gateway === null, reason: `the trigger ${fires}` }),
});
