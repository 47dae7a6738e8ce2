import type { GenericType } from './vocabulary';

/** What an adapter shows of one of its ids, and what it means; null: recorded, and only `webhook_event` listens to it. */
export type EventDescription = { readonly label: string; readonly generic: GenericType | null };

/**
 * Section 6.1 of the specification: the 52 ids of the card gateway and what each means in the generic vocabulary
 * (decisions.md section 4). Null: recorded, and only `webhook_event` listens to it.
 */
export const cardEvents = {
  payment_intent_created: { label: 'Payment created', generic: 'payment_created' },
  payment_intent_succeeded: { label: 'Payment succeeded', generic: 'payment_completed' },
  payment_intent_payment_failed: { label: 'Payment failed', generic: 'payment_failed' },
  payment_intent_canceled: { label: 'Payment cancelled', generic: 'payment_cancelled' },
  payment_intent_requires_action: { label: 'Payment waits for the customer', generic: 'payment_pending' },
  payment_intent_processing: { label: 'Payment is being processed', generic: 'payment_processing' },

  charge_succeeded: { label: 'Charge succeeded', generic: 'payment_completed' },
  charge_failed: { label: 'Charge failed', generic: 'payment_failed' },
  charge_pending: { label: 'Charge pending', generic: 'payment_pending' },
  charge_captured: { label: 'Charge captured', generic: 'payment_completed' },
  charge_updated: { label: 'Charge updated', generic: null },
  charge_refunded: { label: 'Charge refunded', generic: 'payment_refunded' },

  charge_dispute_created: { label: 'Dispute opened', generic: 'dispute_opened' },
  charge_dispute_updated: { label: 'Dispute updated', generic: null },
  charge_dispute_closed: { label: 'Dispute closed', generic: 'dispute_resolved' },
  charge_dispute_funds_withdrawn: { label: 'Dispute: funds withdrawn', generic: 'payment_reversed' },
  charge_dispute_funds_reinstated: { label: 'Dispute: funds reinstated', generic: null },

  refund_created: { label: 'Refund created', generic: 'payment_refunded' },
  refund_updated: { label: 'Refund updated', generic: null },
  refund_failed: { label: 'Refund failed', generic: null },

  customer_subscription_created: { label: 'Subscription created', generic: 'subscription_created' },
  customer_subscription_updated: { label: 'Subscription updated', generic: null },
  customer_subscription_deleted: { label: 'Subscription cancelled', generic: 'subscription_cancelled' },
  customer_subscription_trial_will_end: { label: 'Trial ends soon', generic: null },
  customer_subscription_paused: { label: 'Subscription paused', generic: 'subscription_suspended' },
  customer_subscription_resumed: { label: 'Subscription resumed', generic: 'subscription_reactivated' },

  invoice_created: { label: 'Invoice created', generic: null },
  invoice_finalized: { label: 'Invoice finalised', generic: null },
  invoice_payment_succeeded: { label: 'Invoice paid', generic: 'renewal_payment_completed' },
  invoice_payment_failed: { label: 'Invoice payment failed', generic: 'renewal_payment_failed' },
  invoice_payment_action_required: {
    label: 'Invoice payment waits for the customer',
    generic: 'renewal_payment_pending',
  },
  invoice_upcoming: { label: 'Invoice upcoming', generic: null },
  invoice_voided: { label: 'Invoice voided', generic: null },

  customer_created: { label: 'Customer created', generic: null },
  customer_updated: { label: 'Customer updated', generic: null },
  customer_deleted: { label: 'Customer deleted', generic: null },
  customer_source_created: { label: 'Payment source added', generic: null },
  customer_source_updated: { label: 'Payment source updated', generic: null },
  customer_source_deleted: { label: 'Payment source removed', generic: null },

  payout_created: { label: 'Payout created', generic: null },
  payout_updated: { label: 'Payout updated', generic: null },
  payout_paid: { label: 'Payout paid', generic: null },
  payout_failed: { label: 'Payout failed', generic: null },
  payout_canceled: { label: 'Payout cancelled', generic: null },

  setup_intent_created: { label: 'Set-up created', generic: null },
  setup_intent_succeeded: { label: 'Set-up succeeded', generic: null },
  setup_intent_setup_failed: { label: 'Set-up failed', generic: null },
  setup_intent_canceled: { label: 'Set-up cancelled', generic: null },

  price_created: { label: 'Price created', generic: null },
  price_updated: { label: 'Price updated', generic: null },
  product_created: { label: 'Product created', generic: null },
  product_updated: { label: 'Product updated', generic: null },
} as const satisfies Record<string, EventDescription>;

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

/** The wallet's own names of its JSON events. */
export const walletEventNames: ReadonlyMap<string, WalletEventId> = new Map([
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

/** What a form-encoded notification of the wallet is about where its kind (`txn_type`) says it. */
export const walletFormKinds: ReadonlyMap<string, WalletEventId> = new Map([
  ['recurring_payment_profile_created', 'recurring_payment_profile_created'],
  ['recurring_payment_profile_cancel', 'recurring_payment_cancelled'],
  ['recurring_payment_failed', 'recurring_payment_failed'],
  ['recurring_payment_outstanding_payment_failed', 'recurring_payment_failed'],
  ['recurring_payment_skipped', 'recurring_payment_skipped'],
  ['recurring_payment_suspended', 'recurring_payment_suspended'],
  ['recurring_payment_suspended_due_to_max_failed_payment', 'recurring_payment_suspended'],
  ['recurring_payment_expired', 'subscription_expired'],
  ['subscr_signup', 'subscription_created'],
  ['subscr_cancel', 'subscription_cancelled'],
  ['subscr_failed', 'recurring_payment_failed'],
  ['subscr_eot', 'subscription_expired'],
  ['mp_signup', 'subscription_created'],
  ['mp_cancel', 'subscription_cancelled'],
  ['new_case', 'dispute_opened'],
  ['adjustment', 'dispute_resolved'],
]);

/** `payment_intent.succeeded` and `payment_intent_succeeded` are the same id. */
export function cardEventId(type: string): string {
  return type.replaceAll('.', '_');
}
