import type { GenericType } from '@order-automation/contracts';
import { type Trigger, trigger } from '../component';
import { noSettings } from '../settings-schema';

/** A trigger of the extended edition that fires on events of gateways, whichever gateway sent them. `when`, as in "a dispute is opened for an order". */
function eventTrigger(id: string, priority: number, when: string, types: readonly GenericType[]): Trigger {
  return trigger({
    id,
    label: id.charAt(0).toUpperCase() + id.slice(1).replace('_', ' '),
    priority,
    description: `Fires when ${when}.`,
    edition: 'extended',
    schema: noSettings,
    listensTo: () => types.map((type) => ({ type })),
    fires: () => `fires when ${when}`,
  });
}

const paid = 'an order is paid: a payment for it completes, whatever the status of the order';
const failed = 'a payment for an order fails, or is denied or declined';
const cancelled = 'the subscription of an order is cancelled';
const refunded = 'money is given back: an order is refunded, in part or as a whole, in the shop or by its gateway';
const disputed = 'a customer disputes a payment of an order (a chargeback)';

export const paymentComplete = eventTrigger('payment_complete', 80, paid, ['payment_completed']);
export const paymentFailed = eventTrigger('payment_failed', 90, failed, ['payment_failed', 'payment_denied']);
export const subscriptionCancelled = eventTrigger('subscription_cancelled', 120, cancelled, ['subscription_cancelled']);
export const refundCreated = eventTrigger('refund_created', 130, refunded, ['payment_refunded']);
export const disputeOpened = eventTrigger('dispute_opened', 140, disputed, ['dispute_opened']);
