import type { GenericType } from '@order-automation/contracts';

/**
 * Section 6.1 of the specification: the 52 ids of the card gateway and what each means in the generic vocabulary
 * (decisions.md section 4). Null: recorded, and only `webhook_event` listens to it.
 */
export const cardEvents = {
  payment_intent_created: 'payment_created',
  payment_intent_succeeded: 'payment_completed',
  payment_intent_payment_failed: 'payment_failed',
  payment_intent_canceled: 'payment_cancelled',
  payment_intent_requires_action: 'payment_pending',
  payment_intent_processing: 'payment_processing',

  charge_succeeded: 'payment_completed',
  charge_failed: 'payment_failed',
  charge_pending: 'payment_pending',
  charge_captured: 'payment_completed',
  charge_updated: null,
  charge_refunded: 'payment_refunded',

  charge_dispute_created: 'dispute_opened',
  charge_dispute_updated: null,
  charge_dispute_closed: 'dispute_resolved',
  charge_dispute_funds_withdrawn: 'payment_reversed',
  charge_dispute_funds_reinstated: null,

  refund_created: 'payment_refunded',
  refund_updated: null,
  refund_failed: null,

  customer_subscription_created: 'subscription_created',
  customer_subscription_updated: null,
  customer_subscription_deleted: 'subscription_cancelled',
  customer_subscription_trial_will_end: null,
  customer_subscription_paused: 'subscription_suspended',
  customer_subscription_resumed: 'subscription_reactivated',

  invoice_created: null,
  invoice_finalized: null,
  invoice_payment_succeeded: 'renewal_payment_completed',
  invoice_payment_failed: 'renewal_payment_failed',
  invoice_payment_action_required: 'renewal_payment_pending',
  invoice_upcoming: null,
  invoice_voided: null,

  customer_created: null,
  customer_updated: null,
  customer_deleted: null,
  customer_source_created: null,
  customer_source_updated: null,
  customer_source_deleted: null,

  payout_created: null,
  payout_updated: null,
  payout_paid: null,
  payout_failed: null,
  payout_canceled: null,

  setup_intent_created: null,
  setup_intent_succeeded: null,
  setup_intent_setup_failed: null,
  setup_intent_canceled: null,

  price_created: null,
  price_updated: null,
  product_created: null,
  product_updated: null,
} as const satisfies Record<string, GenericType | null>;

const byId = new Map<string, GenericType | null>(Object.entries(cardEvents));

/** `payment_intent.succeeded` and `payment_intent_succeeded` are the same id. */
export function cardEventId(type: string): string {
  return type.replaceAll('.', '_');
}

export function cardGenericType(type: string): GenericType | null {
  return byId.get(cardEventId(type)) ?? null;
}
