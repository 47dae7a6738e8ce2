import type { GenericType, UniversalEvent } from '@order-automation/contracts';
import { own, type Payload, scalarAt } from '../payload';
import { cardGenericType } from './events';
import { billingReasonOf } from './object';

type Meaning = Pick<UniversalEvent, 'genericType' | 'billing'>;

/** The table's answer, made more exact by what the object says of itself and of its invoice. */
export function meaningOf(eventId: string, kind: string, subject: Payload): Meaning {
  const generic = genericOf(eventId, subject);
  const reason = billingReasonOf(subject);
  if (reason === undefined)
    return kind === 'checkout.session' && own(subject, 'mode') === 'subscription'
      ? { genericType: generic, billing: 'first' }
      : { genericType: generic };
  switch (reason) {
    case 'subscription_create':
      return { genericType: generic && (first[generic] ?? generic), billing: 'first' };
    case 'subscription_cycle':
      return { genericType: generic && (renewal[generic] ?? generic), billing: 'renewal' };
    default:
      return { genericType: null, billing: 'other' };
  }
}

/** decisions.md section 12, "Payment or renewal". */
const first: Readonly<Partial<Record<GenericType, GenericType>>> = {
  renewal_payment_completed: 'payment_completed',
  renewal_payment_failed: 'payment_failed',
  renewal_payment_pending: 'payment_pending',
};
const renewal: Readonly<Partial<Record<GenericType, GenericType>>> = {
  payment_completed: 'renewal_payment_completed',
  payment_failed: 'renewal_payment_failed',
  payment_pending: 'renewal_payment_pending',
  payment_processing: 'renewal_payment_processing',
};

function genericOf(eventId: string, subject: Payload): GenericType | null {
  const status = scalarAt(subject, 'status');
  switch (eventId) {
    // An inquiry ends as `warning_closed`: nobody won or lost it.
    case 'charge_dispute_closed':
      return status === 'won' ? 'dispute_won' : status === 'lost' ? 'dispute_lost' : 'dispute_resolved';
    case 'charge_succeeded':
      return own(subject, 'captured') === false ? 'payment_pending' : 'payment_completed';
    // Nothing was captured, so the money is released and not given back.
    case 'charge_refunded':
      return own(subject, 'captured') === false ? 'payment_cancelled' : 'payment_refunded';
    case 'charge_expired':
    case 'checkout_session_expired':
      return 'payment_cancelled';
    case 'refund_created':
      return status === 'failed' || status === 'canceled' ? null : 'payment_refunded';
    case 'checkout_session_completed':
      return sessionGeneric(subject);
    case 'checkout_session_async_payment_succeeded':
      return 'payment_completed';
    case 'checkout_session_async_payment_failed':
      return 'payment_failed';
    default:
      return cardGenericType(eventId);
  }
}

/** A session in set-up mode pays nothing; a delayed payment method pays later (docs.stripe.com/api/checkout/sessions/object, `payment_status`). */
function sessionGeneric(session: Payload): GenericType | null {
  if (own(session, 'mode') === 'setup') return null;
  switch (own(session, 'payment_status')) {
    case 'paid':
    case 'no_payment_required':
      return 'payment_completed';
    case 'unpaid':
      return 'payment_pending';
    default:
      return null;
  }
}
