import type { GenericType } from '@order-automation/contracts';
import type { EventDescription } from '../adapter';

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

const byId = new Map<string, EventDescription>(Object.entries(cardEvents));

/** Objects of the gateway by the beginning of an id, longest first. */
const objects = [
  ['payment_intent', 'payment_intent'],
  ['setup_intent', 'setup_intent'],
  ['charge_dispute', 'dispute'],
  ['charge_refund', 'refund'],
  ['charge', 'charge'],
  ['refund', 'refund'],
  ['customer_subscription', 'subscription'],
  ['customer_source', 'source'],
  ['customer', 'customer'],
  ['invoice', 'invoice'],
  ['checkout_session', 'checkout.session'],
  ['payout', 'payout'],
  ['price', 'price'],
  ['product', 'product'],
] as const;

/** The kind of object that events of this id are about. */
export function kindOfEvent(eventId: string): string {
  return objects.find(([prefix]) => eventId.startsWith(`${prefix}_`))?.[1] ?? 'unknown';
}

/** The gateway's own name of an id: `charge.dispute.funds_withdrawn` of `charge_dispute_funds_withdrawn`. */
export function dottedName(eventId: string): string {
  const prefix = objects.find(([one]) => eventId.startsWith(`${one}_`))?.[0];
  if (prefix === undefined) return eventId;
  const nested = prefix === 'charge_dispute' || prefix.startsWith('customer_');
  return `${nested ? prefix.replace('_', '.') : prefix}.${eventId.slice(prefix.length + 1)}`;
}

/** `payment_intent.succeeded` and `payment_intent_succeeded` are the same id. */
export function cardEventId(type: string): string {
  return type.replaceAll('.', '_');
}

export function cardGenericType(type: string): GenericType | null {
  return byId.get(cardEventId(type))?.generic ?? null;
}
