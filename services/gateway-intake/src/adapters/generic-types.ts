import { type GenericType, genericTypes } from '@order-automation/contracts';

/** Section 6.3 of the specification: the 12 built-in ids. */
export const genericEvents = [
  'payment_completed',
  'payment_failed',
  'payment_pending',
  'payment_refunded',
  'payment_cancelled',
  'order_updated',
  'order_completed',
  'order_cancelled',
  'subscription_created',
  'subscription_cancelled',
  'subscription_renewed',
  'custom_event',
] as const satisfies readonly GenericType[];

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

/** The vocabulary's word for a sender's word, in any case and with any separator; undefined when there is none. */
export function genericTypeOf(type: string): GenericType | undefined {
  const word = type.toLowerCase().replace(/[\s.:/-]+/g, '_');
  const what = cancelled.exec(word);
  if (what) return known.get(`${what[1] ?? 'payment'}_cancelled`);
  return known.get(word) ?? aliases.get(word);
}
