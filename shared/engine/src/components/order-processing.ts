import { trigger } from '../component';
import { awaitingPayment } from '../occurrence';
import { noSettings } from '../settings-schema';

const fires = 'fires when an order enters processing or a payment for it completes';

/** decisions.md section 4: an order enters `processing`, or a payment for it completes while it waits for one. */
export const orderProcessing = trigger({
  id: 'order_processing',
  label: 'Order enters processing',
  description: 'Fires when an order enters the status processing, or when a payment for it completes.',
  edition: 'default',
  isDefault: true,
  priority: 10,
  schema: noSettings,
  listensTo: () => [{ type: 'order_status_changed', to_status: 'processing' }, { type: 'payment_completed' }],
  fires: () => fires,
  compile:
    () =>
    (occurrence, { context: { order } }) => {
      if (occurrence.type === 'order_status_changed')
        return { fires: true, reason: `the order is in status ${order.status}; the trigger ${fires}` };
      if (awaitingPayment.has(order.status))
        return {
          fires: true,
          reason: `the order is in status ${order.status} and waits for its payment; the trigger ${fires}`,
        };
      const reason = `the order is in status ${order.status}, in which a payment does not lead to processing; the trigger ${fires}`;
      return { fires: false, reason };
    },
});
