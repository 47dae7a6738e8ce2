import { awaitingPayment, payableStatuses } from '@order-automation/contracts';
import { type Fired, type Trigger, trigger } from '../component';
import { entered } from '../order-status';
import { noSettings } from '../settings-schema';

const fires = 'fires when an order enters processing or a payment for it completes';

/**
 * decisions.md sections 4 and 12: an order enters `processing`, or a payment for it completes while it awaits one, or is there already. `awaiting`: the
 * statuses in which the shop's orders await their payment.
 */
export function orderProcessingOf(awaiting: readonly string[]): Trigger {
  const payable = new Set(payableStatuses(awaiting));
  const paymentFor = (status: string): Fired =>
    payable.has(status)
      ? { fires: true, reason: `the order is in status ${status} and waits for its payment; the trigger ${fires}` }
      : {
          fires: false,
          reason: `the order is in status ${status}, in which a payment does not lead to processing; the trigger ${fires}`,
        };
  return trigger({
    id: 'order_processing',
    label: 'Order enters processing',
    description: 'Fires when an order is paid: when it enters the status processing, or a payment for it completes.',
    edition: 'default',
    isDefault: true,
    priority: 10,
    schema: noSettings,
    listensTo: () => [{ type: 'order_status_changed', to_status: 'processing' }, { type: 'payment_completed' }],
    fires: () => fires,
    compile: () => {
      const isIn = `the order is in status processing; the trigger ${fires}`;
      const paid = new Map([...payable].map((status) => [status, paymentFor(status)]));
      return (occurrence, { context: { order } }) =>
        occurrence.type === 'order_status_changed'
          ? entered(occurrence, isIn)
          : (paid.get(order.status) ?? paymentFor(order.status));
    },
  });
}

export const orderProcessing = orderProcessingOf(awaitingPayment);
