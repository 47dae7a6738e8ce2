import { genericTypes } from '@order-automation/contracts';

/** Section 6.1 of the specification, by what the ids begin with: the ids of the card gateway. */
const cardIds: ReadonlySet<string> = new Set(
  Object.entries({
    payment_intent: 'created succeeded payment_failed canceled requires_action processing',
    charge: 'succeeded failed pending captured updated refunded',
    charge_dispute: 'created updated closed funds_withdrawn funds_reinstated',
    refund: 'created updated failed',
    customer_subscription: 'created updated deleted trial_will_end paused resumed',
    invoice: 'created finalized payment_succeeded payment_failed payment_action_required upcoming voided',
    customer: 'created updated deleted',
    customer_source: 'created updated deleted',
    payout: 'created updated paid failed canceled',
    setup_intent: 'created succeeded setup_failed canceled',
    price: 'created updated',
    product: 'created updated',
  }).flatMap(([object, events]) => events.split(' ').map((event) => `${object}_${event}`)),
);

/** Section 6.2 of the specification: ids of the wallet that are no generic types as well. */
const walletIds: ReadonlySet<string> = new Set(
  `payment_voided recurring_payment recurring_payment_profile_created recurring_payment_failed recurring_payment_skipped
   recurring_payment_suspended recurring_payment_cancelled express_checkout_created express_checkout_completed
   mass_payment_completed mass_payment_failed authorization_created authorization_voided authorization_expired`.split(
    /\s+/,
  ),
);

/** Names that the wallet itself gives its events, and what they are here. */
const walletNames: Readonly<Record<string, string>> = {
  'PAYMENT.CAPTURE.COMPLETED': 'payment_completed',
  'PAYMENT.CAPTURE.DENIED': 'payment_denied',
  'PAYMENT.CAPTURE.DECLINED': 'payment_denied',
  'PAYMENT.CAPTURE.PENDING': 'payment_pending',
  'PAYMENT.CAPTURE.REFUNDED': 'payment_refunded',
  'PAYMENT.CAPTURE.REVERSED': 'payment_reversed',
  'PAYMENT.SALE.COMPLETED': 'payment_completed',
  'PAYMENT.SALE.DENIED': 'payment_denied',
  'PAYMENT.SALE.PENDING': 'payment_pending',
  'PAYMENT.SALE.REFUNDED': 'payment_refunded',
  'PAYMENT.SALE.REVERSED': 'payment_reversed',
  'PAYMENT.REFUND.COMPLETED': 'payment_refunded',
  'PAYMENT.ORDER.CREATED': 'payment_created',
  'PAYMENT.ORDER.CANCELLED': 'payment_voided',
  'PAYMENT.AUTHORIZATION.CREATED': 'authorization_created',
  'PAYMENT.AUTHORIZATION.VOIDED': 'authorization_voided',
  'PAYMENT.AUTHORIZATION.EXPIRED': 'authorization_expired',
  'PAYMENT.PAYOUTSBATCH.SUCCESS': 'mass_payment_completed',
  'PAYMENT.PAYOUTSBATCH.DENIED': 'mass_payment_failed',
  'CHECKOUT.ORDER.APPROVED': 'express_checkout_created',
  'CHECKOUT.ORDER.COMPLETED': 'express_checkout_completed',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED': 'payment_failed',
  'BILLING.SUBSCRIPTION.CREATED': 'subscription_created',
  'BILLING.SUBSCRIPTION.ACTIVATED': 'subscription_approved',
  'BILLING.SUBSCRIPTION.CANCELLED': 'subscription_cancelled',
  'BILLING.SUBSCRIPTION.SUSPENDED': 'subscription_suspended',
  'BILLING.SUBSCRIPTION.RE-ACTIVATED': 'subscription_reactivated',
  'BILLING.SUBSCRIPTION.EXPIRED': 'subscription_expired',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED': 'recurring_payment_failed',
  'CUSTOMER.DISPUTE.CREATED': 'dispute_opened',
  'CUSTOMER.DISPUTE.RESOLVED': 'dispute_resolved',
  'RISK.DISPUTE.CREATED': 'dispute_opened',
};

const generic: ReadonlySet<string> = new Set(genericTypes);

/**
 * The one form in which an event type is stored (decisions.md section 4, `webhook_event`): a generic type as it is, an id of an adapter with its
 * family (`payment.card.charge_failed`), whichever of its spellings was written. What nobody knows stays as it is: generic senders make up their own.
 */
export function eventTypeForm(written: string): string {
  const text = written.trim();
  const family = /^payment\.(card|wallet)\.(.+)$/.exec(text);
  if (family) {
    const id = (family[2] ?? '').replaceAll('.', '_');
    return `payment.${family[1]}.${id}`;
  }
  const ofWallet = walletNames[text.toUpperCase()] ?? (walletIds.has(text) ? text : undefined);
  if (ofWallet) return `payment.wallet.${ofWallet}`;
  if (generic.has(text)) return text;
  const id = text.replaceAll('.', '_');
  return cardIds.has(id) ? `payment.card.${id}` : text;
}

/** Each once, in its one form. */
export const eventTypeForms = (written: readonly string[]): string[] => [...new Set(written.map(eventTypeForm))];
