import { firstAndRenewal, type GenericType, type UniversalEvent } from '@order-automation/contracts';
import { own, type Payload, scalarAt } from '../payload';
import { cardGenericType } from './events';
import { withExpanded } from './object';
import tables from './objects.json';

/**
 * What the gateway says of an invoice's place in its subscription (docs.stripe.com/api/invoices/object, `billing_reason`): `subscription_create` is the
 * first payment, `subscription_cycle` a renewal, everything else (an upgrade, a threshold, a manual invoice) neither, but an invoice that says that it has
 * no subscription (`manual`, `quote_accept`) is paid once. Early versions say no more than `subscription`. A payment that holds its expanded invoice is
 * what that pays. A checkout in the mode `subscription` pays for the first time.
 */
export function billingOf(subject: Payload): UniversalEvent['billing'] {
  const invoice = withExpanded(subject).find((source) => scalarAt(source, 'billing_reason') !== undefined) ?? {};
  const reason = scalarAt(invoice, 'billing_reason');
  const isAlone = ['subscription', 'parent'].some((key) => own(invoice, key) === null);
  if (reason === 'subscription_create' || (isAlone && reason?.startsWith('subscription') === false)) return 'first';
  if (reason === 'subscription_cycle') return 'renewal';
  if (reason !== undefined && reason !== 'subscription') return 'other';
  return scalarAt(subject, 'mode') === 'subscription' ? 'first' : undefined;
}

/** The table's answer, made more exact by what the object says; `released` of it is no refund, in minor units. */
export function meaningOf(eventId: string, subject: Payload, released: number): GenericType | null {
  const generic = cardGenericType(eventId);
  const [status, isHeld] = [scalarAt(subject, 'status') ?? '', own(subject, 'captured') === false];
  if (eventId.startsWith('checkout_session_')) return checkoutMeaning(eventId, subject);
  switch (eventId) {
    case 'charge_dispute_closed':
      return disputeMeaning(status);
    case 'charge_succeeded':
      // Its own state decides (docs.stripe.com/api/charges/object, `status`).
      return byBilling(isHeld ? 'payment_pending' : (cardGenericType(`charge_${status}`) ?? generic), subject);
    case 'charge_refunded':
      // An authorisation that was let go was never paid, so that nothing is given back (docs.stripe.com/payments/place-a-hold-on-a-payment-method): the
      // gateway calls that a refund of an uncaptured charge.
      if (isHeld && Number(own(subject, 'amount_captured') ?? 0) === 0) return 'payment_cancelled';
      return released > 0 && released === own(subject, 'amount_refunded') ? null : generic;
    case 'charge_expired':
      return 'payment_cancelled';
    case 'invoice_paid':
      // The one to listen to (docs.stripe.com/billing/subscriptions/webhooks): beside `invoice.payment_succeeded`, or alone where the money came otherwise.
      return meaningOf('invoice_payment_succeeded', subject, released);
    case 'refund_created':
      return ['failed', 'canceled'].includes(status) ? null : generic;
    default:
      return byBilling(generic, subject);
  }
}

/** `warning_closed` ends an inquiry that never became a dispute (docs.stripe.com/api/disputes/object). */
const disputeMeaning = (status: string): GenericType =>
  status === 'won' ? 'dispute_won' : status === 'lost' ? 'dispute_lost' : 'dispute_resolved';

/**
 * A session that completes is not yet paid where the payment takes days (docs.stripe.com/payments/checkout/fulfill-orders): `payment_status` says it. One
 * that needs no payment, such as a trial or a set-up, pays nothing; an order of nothing is settled by it (docs.stripe.com/payments/checkout/no-cost-orders).
 */
function checkoutMeaning(eventId: string, session: Payload): GenericType | null {
  if (eventId !== 'checkout_session_completed') return checkoutMeanings.get(eventId) ?? null;
  const status = scalarAt(session, 'payment_status');
  const isFree = scalarAt(session, 'mode') === 'payment' && own(session, 'amount_total') === 0;
  return status === 'paid' || isFree ? 'payment_completed' : status === 'unpaid' ? 'payment_pending' : null;
}

const checkoutMeanings = new Map(Object.entries(tables.checkouts) as [string, GenericType][]);

function byBilling(generic: GenericType | null, subject: Payload): GenericType | null {
  const billing = billingOf(subject);
  const [first, renewal] = firstAndRenewal.find((pair) => pair.some((one) => one === generic)) ?? [];
  if (first === undefined || renewal === undefined || billing === undefined) return generic;
  return billing === 'first' ? first : billing === 'renewal' ? renewal : null;
}
