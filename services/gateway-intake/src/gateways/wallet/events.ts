import type { GenericType } from '@order-automation/contracts';
import type { EventDescription } from '../adapter';

/**
 * Section 6.2 of the specification: the 38 ids of the wallet gateway and what each means in the generic vocabulary. Null: recorded, and only
 * `webhook_event` listens to it.
 */
export const walletEvents = {
  payment_created: { label: 'Payment created', generic: 'payment_created' },
  payment_completed: { label: 'Payment completed', generic: 'payment_completed' },
  payment_denied: { label: 'Payment denied', generic: 'payment_denied' },
  payment_pending: { label: 'Payment pending', generic: 'payment_pending' },
  payment_failed: { label: 'Payment failed', generic: 'payment_failed' },
  payment_refunded: { label: 'Payment refunded', generic: 'payment_refunded' },
  payment_reversed: { label: 'Payment reversed', generic: 'payment_reversed' },
  payment_voided: { label: 'Payment voided', generic: 'payment_cancelled' },

  subscription_created: { label: 'Subscription created', generic: 'subscription_created' },
  subscription_approved: { label: 'Subscription approved', generic: 'subscription_approved' },
  subscription_cancelled: { label: 'Subscription cancelled', generic: 'subscription_cancelled' },
  subscription_suspended: { label: 'Subscription suspended', generic: 'subscription_suspended' },
  subscription_reactivated: { label: 'Subscription reactivated', generic: 'subscription_reactivated' },
  subscription_completed: { label: 'Subscription completed', generic: 'subscription_completed' },
  subscription_expired: { label: 'Subscription expired', generic: 'subscription_expired' },

  recurring_payment: { label: 'Recurring payment received', generic: 'renewal_payment_completed' },
  recurring_payment_profile_created: { label: 'Recurring payment profile created', generic: 'subscription_created' },
  recurring_payment_failed: { label: 'Recurring payment failed', generic: 'renewal_payment_failed' },
  recurring_payment_skipped: { label: 'Recurring payment skipped', generic: 'renewal_payment_pending' },
  recurring_payment_suspended: { label: 'Recurring payment suspended', generic: 'subscription_suspended' },
  recurring_payment_cancelled: { label: 'Recurring payment cancelled', generic: 'subscription_cancelled' },

  renewal_payment_processing: { label: 'Renewal payment is being processed', generic: 'renewal_payment_processing' },
  renewal_payment_completed: { label: 'Renewal payment completed', generic: 'renewal_payment_completed' },
  renewal_payment_failed: { label: 'Renewal payment failed', generic: 'renewal_payment_failed' },
  renewal_payment_pending: { label: 'Renewal payment pending', generic: 'renewal_payment_pending' },

  trial_started: { label: 'Trial started', generic: 'trial_started' },
  trial_ended: { label: 'Trial ended', generic: 'trial_ended' },

  dispute_opened: { label: 'Dispute opened', generic: 'dispute_opened' },
  dispute_resolved: { label: 'Dispute resolved', generic: 'dispute_resolved' },
  dispute_won: { label: 'Dispute won', generic: 'dispute_won' },
  dispute_lost: { label: 'Dispute lost', generic: 'dispute_lost' },

  express_checkout_created: { label: 'Express checkout started', generic: 'payment_created' },
  express_checkout_completed: { label: 'Express checkout completed', generic: 'payment_processing' },

  mass_payment_completed: { label: 'Mass payment completed', generic: null },
  mass_payment_failed: { label: 'Mass payment failed', generic: null },

  authorization_created: { label: 'Authorisation created', generic: 'payment_pending' },
  authorization_voided: { label: 'Authorisation voided', generic: 'payment_cancelled' },
  authorization_expired: { label: 'Authorisation expired', generic: 'payment_cancelled' },
} as const satisfies Record<string, EventDescription>;
export type WalletEventId = keyof typeof walletEvents;

/** The gateway's own names of JSON events. */
const originals = new Map<string, WalletEventId>([
  ['PAYMENT.CAPTURE.COMPLETED', 'payment_completed'],
  ['PAYMENT.CAPTURE.DENIED', 'payment_denied'],
  ['PAYMENT.CAPTURE.DECLINED', 'payment_denied'],
  ['PAYMENT.CAPTURE.PENDING', 'payment_pending'],
  ['PAYMENT.CAPTURE.REFUNDED', 'payment_refunded'],
  ['PAYMENT.CAPTURE.REVERSED', 'payment_reversed'],
  ['PAYMENT.SALE.COMPLETED', 'payment_completed'],
  ['PAYMENT.SALE.DENIED', 'payment_denied'],
  ['PAYMENT.SALE.PENDING', 'payment_pending'],
  ['PAYMENT.SALE.REFUNDED', 'payment_refunded'],
  ['PAYMENT.SALE.REVERSED', 'payment_reversed'],
  ['PAYMENT.REFUND.COMPLETED', 'payment_refunded'],
  ['PAYMENT.ORDER.CREATED', 'payment_created'],
  ['PAYMENT.ORDER.CANCELLED', 'payment_voided'],
  ['PAYMENT.AUTHORIZATION.CREATED', 'authorization_created'],
  ['PAYMENT.AUTHORIZATION.VOIDED', 'authorization_voided'],
  ['PAYMENT.AUTHORIZATION.EXPIRED', 'authorization_expired'],
  ['PAYMENT.PAYOUTSBATCH.SUCCESS', 'mass_payment_completed'],
  ['PAYMENT.PAYOUTSBATCH.DENIED', 'mass_payment_failed'],
  ['CHECKOUT.ORDER.APPROVED', 'express_checkout_created'],
  ['CHECKOUT.ORDER.COMPLETED', 'express_checkout_completed'],
  ['CHECKOUT.PAYMENT-APPROVAL.REVERSED', 'payment_failed'],
  ['BILLING.SUBSCRIPTION.CREATED', 'subscription_created'],
  ['BILLING.SUBSCRIPTION.ACTIVATED', 'subscription_approved'],
  ['BILLING.SUBSCRIPTION.CANCELLED', 'subscription_cancelled'],
  ['BILLING.SUBSCRIPTION.SUSPENDED', 'subscription_suspended'],
  ['BILLING.SUBSCRIPTION.RE-ACTIVATED', 'subscription_reactivated'],
  ['BILLING.SUBSCRIPTION.EXPIRED', 'subscription_expired'],
  ['BILLING.SUBSCRIPTION.PAYMENT.FAILED', 'recurring_payment_failed'],
  ['CUSTOMER.DISPUTE.CREATED', 'dispute_opened'],
  ['CUSTOMER.DISPUTE.RESOLVED', 'dispute_resolved'],
  ['RISK.DISPUTE.CREATED', 'dispute_opened'],
]);

/** What a notification is about where its kind (`txn_type`) says it. */
const kindsOfForm = new Map<string, WalletEventId>([
  ['recurring_payment_profile_created', 'recurring_payment_profile_created'],
  ['recurring_payment_profile_cancel', 'recurring_payment_cancelled'],
  ['recurring_payment_failed', 'recurring_payment_failed'],
  ['recurring_payment_skipped', 'recurring_payment_skipped'],
  ['recurring_payment_suspended', 'recurring_payment_suspended'],
  ['recurring_payment_suspended_due_to_max_failed_payment', 'recurring_payment_suspended'],
  ['recurring_payment_expired', 'subscription_expired'],
  ['subscr_signup', 'subscription_created'],
  ['subscr_cancel', 'subscription_cancelled'],
  ['subscr_failed', 'recurring_payment_failed'],
  ['subscr_eot', 'subscription_expired'],
  ['new_case', 'dispute_opened'],
]);

/** What it is about where the state of the payment (`payment_status`) says it. */
const statesOfForm = new Map<string, WalletEventId>([
  ['completed', 'payment_completed'],
  ['created', 'payment_created'],
  ['denied', 'payment_denied'],
  ['expired', 'authorization_expired'],
  ['failed', 'payment_failed'],
  ['in-progress', 'payment_pending'],
  ['partially_refunded', 'payment_refunded'],
  ['pending', 'payment_pending'],
  ['processed', 'payment_pending'],
  ['refunded', 'payment_refunded'],
  ['reversed', 'payment_reversed'],
  ['voided', 'payment_voided'],
]);
const renewalStates = new Map<string, WalletEventId>([
  ['completed', 'recurring_payment'],
  ['pending', 'renewal_payment_pending'],
  ['processed', 'renewal_payment_processing'],
  ['in-progress', 'renewal_payment_processing'],
  ['failed', 'recurring_payment_failed'],
  ['denied', 'recurring_payment_failed'],
]);

const byId = new Map<string, EventDescription>(Object.entries(walletEvents));

/** One of our ids, or what the gateway calls an event that has none: in lower case, with underscores. */
export function walletEventId(type: string): string {
  return originals.get(type.toUpperCase()) ?? type.toLowerCase().replace(/[^a-z0-9]+/g, '_');
}

/** The gateway's own name of one of our ids, where it has one. */
export function originalName(eventId: string): string {
  for (const [name, id] of originals) if (id === eventId) return name;
  return eventId;
}

/** The id of a form-encoded notification; `pendingReason` tells an authorisation from a payment that waits. */
export function formEventId(kind: string, status: string, pendingReason: string): string | undefined {
  const state = status.toLowerCase();
  const known = kindsOfForm.get(kind) ?? (kind === 'masspay' ? massPayment(state) : undefined);
  if (known) return known;
  if (kind === 'recurring_payment' || kind === 'subscr_payment')
    return renewalStates.get(state) ?? statesOfForm.get(state);
  if (state === 'pending' && pendingReason === 'authorization') return 'authorization_created';
  return statesOfForm.get(state) ?? (state === '' ? kind : state).replace(/[^a-z0-9]+/g, '_') ?? undefined;
}

function massPayment(state: string): WalletEventId {
  return state === 'denied' || state === 'failed' ? 'mass_payment_failed' : 'mass_payment_completed';
}

/** The generic type of an id or of one of the gateway's own names. */
export function walletGenericType(type: string): GenericType | null {
  return byId.get(walletEventId(type))?.generic ?? null;
}
