import { oneOf } from '../one-of';
import { plainStatuses, statusList, statusName } from '../order-status';
import { settingsOf } from '../settings-schema';

type OrderStatusSettings = { statuses: string[] };

/** The status as it is when the rule is evaluated, which may be later than the event. */
export const orderStatus = oneOf<OrderStatusSettings>({
  id: 'order_status',
  label: 'Order status',
  description: 'Passes when the order is in one of the statuses.',
  edition: 'default',
  schema: settingsOf({ statuses: statusList('Statuses', 'One of them must match.', 1) }),
  normalise: ({ statuses }) => ({ statuses: plainStatuses(statuses) }),
  thing: 'order status',
  values: ({ statuses }) => plainStatuses(statuses),
  word: statusName,
  read: ({ context }) => context.order.status,
  field: () => 'order.status',
});
