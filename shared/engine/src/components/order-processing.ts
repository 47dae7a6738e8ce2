import { type Fired, trigger } from '../component';
import { awaitingPayment } from '../order-status';
import { noSettings } from '../settings-schema';

const fires = 'fires when an order enters processing or a payment for it completes';

function paymentFor(status: string): Fired {
  if (awaitingPayment.has(status))
    return { fires: true, reason: `the order is in status ${status} and waits for its payment; the trigger ${fires}` };
  const reason = `the order is in status ${status}, in which a payment does not lead to processing; the trigger ${fires}`;
  return { fires: false, reason };
}

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
  compile: () => {
    const entered: Fired = { fires: true, reason: `the order is in status processing; the trigger ${fires}` };
    const paid = new Map([...awaitingPayment].map((status) => [status, paymentFor(status)]));
    return ({ type }, { context: { order } }) =>
      type === 'order_status_changed' ? entered : (paid.get(order.status) ?? paymentFor(order.status));
  },
});
