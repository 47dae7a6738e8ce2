import type { OrderReference } from './universal-event';

/** What one reference of an event may be called in the shop, the likeliest first. */
export type OrderName = { readonly text: string; readonly from: string };

/** The prefix of PayPal's plugin, and what stands before the number where it was written for people, where nobody set another. */
const usualPrefix = /^(?:WC-|(?:Order\s+)?N[or]\.\s*|Order(?:\s+|\s*[#:]\s*))/i;
/**
 * What plugins and gateways append to tell attempts to pay apart: a time (seconds, milliseconds, the digits of a date; Midtrans puts `-wc-mdtrs-` before it),
 * what PHP's `uniqid` makes of the time in hexadecimal digits, with "more entropy" or without, 32 hexadecimal digits or a UUID.
 */
const attempt =
  /^(.+?)(?:-wc-mdtrs-|[_.:-])(?:[1-9]\d{7,16}|[4-7][\da-f]{12}(?:\.\d{8})?|[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** What stands before the number of a reference such as `order_1042`, and may be the sender's prefix. */
export const prefixOf = (reference: string): string | undefined => /^(\D{1,40})\d+$/.exec(reference)?.[1];

/** The names of orders in the references of an event (decisions.md section 12): as it stands, without the sender's prefix, without the attempt behind it. */
export function orderNames(reference: OrderReference): OrderName[] {
  const names = new Map<string, OrderName>();
  for (const { from, texts } of namesByReference(reference))
    for (const text of texts) if (!names.has(text)) names.set(text, { text, from });
  return [...names.values()];
}

/**
 * Fields that hold the number of the order beside its id: `order_number` (github.com/Automattic/woocommerce-payments/pull/4275), `invoice_id` beside `custom_id`
 * (PurchaseUnitFactory.php of github.com/woocommerce/woocommerce-paypal-payments). Elsewhere an invoice is one that the sender counts. A place that the
 * settings of the sender name is chosen.
 */
const ofNumber = /^(?:\/|header:)|order[\s_-]*(?:number|no|#)$/i;

/** The same for each reference, the most trusted reference first: where the sender refers to orders by their numbers, what stands in a field for a number. */
export function namesByReference({ order_id, references, reading }: OrderReference) {
  const given = references ?? (order_id === null ? [] : [{ value: order_id, from: 'order_id' }]);
  const isOfPayPal = given.some(({ from }) => /^custom(?:_id)?(?:\.|$)/.test(from));
  const isNumber = (from: string) => ofNumber.test(from) || (isOfPayPal && /^invoice(?:_id)?$/.test(from));
  const isLess = ({ from }: (typeof given)[number]) => Number(reading?.order_reference === 'number' && !isNumber(from));
  return given
    .toSorted((one, other) => isLess(one) - isLess(other))
    .map(({ value, from }) => ({ value, from, texts: formsOf(value, reading?.order_prefix ?? '') }));
}

function formsOf(value: string, prefix: string): string[] {
  const plain = withoutHash(value);
  const forms = [plain, withoutPrefix(plain, prefix.trim())];
  const bases = forms.flatMap((form) => attempt.exec(form)?.[1] ?? []);
  return [...new Set([...forms, ...bases])].filter((form) => form !== '');
}

const withoutHash = (text: string): string => text.trim().replace(/^#\s*/, '');

function withoutPrefix(text: string, prefix: string): string {
  if (prefix === '') return withoutHash(text.replace(usualPrefix, ''));
  return text.toLowerCase().startsWith(prefix.toLowerCase()) ? withoutHash(text.slice(prefix.length)) : text;
}
