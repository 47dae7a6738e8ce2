import { type EventDescription, type GenericType, genericTypes } from '@order-automation/contracts';

/** Section 6.3 of the specification: the 12 built-in ids. */
export const genericEvents = {
  payment_completed: { label: 'Payment completed', generic: 'payment_completed' },
  payment_failed: { label: 'Payment failed', generic: 'payment_failed' },
  payment_pending: { label: 'Payment pending', generic: 'payment_pending' },
  payment_refunded: { label: 'Payment refunded', generic: 'payment_refunded' },
  payment_cancelled: { label: 'Payment cancelled', generic: 'payment_cancelled' },
  order_updated: { label: 'Order updated', generic: 'order_updated' },
  order_completed: { label: 'Order completed', generic: 'order_completed' },
  order_cancelled: { label: 'Order cancelled', generic: 'order_cancelled' },
  subscription_created: { label: 'Subscription created', generic: 'subscription_created' },
  subscription_cancelled: { label: 'Subscription cancelled', generic: 'subscription_cancelled' },
  subscription_renewed: { label: 'Subscription renewed', generic: 'subscription_renewed' },
  custom_event: { label: 'Custom event', generic: 'custom_event' },
} as const satisfies Record<string, EventDescription>;

/** decisions.md section 6. */
const aliases = new Map<string, GenericType>([
  ['success', 'payment_completed'],
  ['approved', 'payment_completed'],
  ['captured', 'payment_completed'],
  ['declined', 'payment_failed'],
  ['denied', 'payment_failed'],
  ['rejected', 'payment_failed'],
  ['refund', 'payment_refunded'],
  ['fulfilled', 'order_completed'],
]);
const known = new Map<string, GenericType>(genericTypes.map((type) => [type, type]));
/** `canceled`, `order_voided`: what was cancelled is the payment unless it says otherwise. */
const cancelled = /^(?:(payment|order|subscription)_)?(?:void|voided|canceled|cancelled)$/;

/** Kinds of events that are about no order (decisions.md section 12), as gateways call them: `payout.paid`, `CATALOG.PRODUCT.CREATED`, `customer_updated`. */
const kindWithoutOrder = new RegExp(
  `^(?:${[
    'payouts?|settlements?|balance|account|bank[_.-]?account|merchant|customers?|users?|persons?|kyc|onboarding',
    'products?|catalog|prices?|plans?|coupons?|discounts?|promotions?|reports?|files?',
    'tokens?|vault|mandates?|payment[_.-]?(?:method|token|source|instrument)s?',
  ].join('|')})[\\s._:/-]`,
  'i',
);
const ofPayout = /^(?:payout|settlement)/i;
/** What speaks of an order all the same: `customer.subscription.deleted`, `account_charged`. */
const speaksOfOrder = /order|subscri|dispute|charge|refund|invoice|paid|purchas|sold/i;
/** What senders post to try the address. */
const trial = /^(?:ping|test|webhook[\s._:/-](?:test|ping|created))$/i;

/** Whether an event of this type is about no order by its kind, so that its id is that of no payment. */
export const isWithoutOrder = (type: string | null): boolean =>
  type !== null &&
  (trial.test(type) || (kindWithoutOrder.test(type) && (ofPayout.test(type) || !speaksOfOrder.test(type))));

/** The vocabulary's word for a sender's word, in any case and with any separator; undefined when there is none. */
export function vocabularyType(type: string): GenericType | undefined {
  const word = type.toLowerCase().replace(/[\s.:/-]+/g, '_');
  const what = cancelled.exec(word);
  if (what) return known.get(`${what[1] ?? 'payment'}_cancelled`);
  return known.get(word) ?? aliases.get(word);
}
