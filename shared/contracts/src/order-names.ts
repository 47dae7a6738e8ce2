import type { OrderReference } from './universal-event';

/** What one reference of an event may be called in the shop, the likeliest first. */
export type OrderName = { readonly text: string; readonly from: string };

/** Shops put this before the order's number where nobody set another prefix. */
const usualPrefix = 'WC-';
/** What a shop appends to tell attempts to pay apart: the time of the attempt. */
const attempt = /^(.+?)[_-]\d{9,}$/;

/**
 * The names of orders in the references of an event (decisions.md section 12): as it stands, without the sender's prefix, without the attempt behind it.
 */
export function orderNames({ order_id, references, reading }: OrderReference): OrderName[] {
  const given = references ?? (order_id === null ? [] : [{ value: order_id, from: 'order_id' }]);
  const names = new Map<string, OrderName>();
  for (const { value, from } of given)
    for (const text of formsOf(value.trim(), reading?.order_prefix || usualPrefix))
      if (text !== '' && !names.has(text)) names.set(text, { text, from });
  return [...names.values()];
}

function formsOf(value: string, prefix: string): string[] {
  const plain = value.replace(/^#/, '');
  const bare = plain.toLowerCase().startsWith(prefix.toLowerCase()) ? plain.slice(prefix.length) : plain;
  const forms = [plain, bare];
  for (const form of [plain, bare]) {
    const base = attempt.exec(form)?.[1];
    if (base !== undefined) forms.push(base);
  }
  return [...new Set(forms)];
}
