import type { Order, OrderReference } from '@order-automation/contracts';

/** Where shops keep ids of a gateway on an order, besides `transaction_id`. */
const gatewayMeta = new Set([
  '_payment_intent_id',
  '_charge_id',
  '_checkout_session_id',
  '_subscription_id',
  '_invoice_id',
  '_transaction_id',
  '_stripe_intent_id',
  '_stripe_charge_id',
  '_stripe_source_id',
  '_stripe_subscription_id',
  '_ppcp_paypal_order_id',
  '_paypal_order_id',
  '_paypal_transaction_id',
  '_paypal_subscription_id',
]);

/** Longer than any id of a gateway; what is longer is no way to find an order. */
const longestKey = 200;

export type Match = { readonly order_id: number; readonly by: 'gateway_id' | 'order_id' | 'transaction_id' };

const usable = (text: string) => text !== '' && text.length <= longestKey;

/** What an order can be found by besides its words. */
export type Named = Pick<Order, 'id' | 'number' | 'transaction_id' | 'meta_data'>;

/** Ids of gateways that the order carries. */
export function gatewayIdsOf(order: Pick<Named, 'transaction_id' | 'meta_data'>): string[] {
  const ids = [order.transaction_id];
  for (const { key, value } of order.meta_data) {
    if (gatewayMeta.has(key) && (typeof value === 'string' || typeof value === 'number')) ids.push(String(value));
  }
  return [...new Set(ids.map((id) => id.trim()).filter(usable))];
}

/** Text as it is searched: lower case, without accents, single blanks. */
export function searchText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, longestKey);
}

function wordsOf(order: Order): string[] {
  const { billing, shipping } = order;
  const texts = [
    String(order.id),
    order.number,
    billing.first_name,
    billing.last_name,
    `${billing.first_name} ${billing.last_name}`,
    `${billing.last_name} ${billing.first_name}`,
    billing.company,
    billing.email,
    shipping.first_name,
    shipping.last_name,
  ];
  return texts.map(searchText).filter(usable);
}

/** The ids by which an event may name the order (`OrderChange.keys`). */
export function namesOf(order: Named): string[] {
  const ids = [...gatewayIdsOf(order).map(gatewayKey), numberKey(String(order.id))];
  return [...new Set(usable(order.number) ? [...ids, numberKey(order.number)] : ids)];
}

/** Every key by which the order can be found. */
export function keysOf(order: Order): string[] {
  const keys = [
    ...gatewayIdsOf(order).map(gatewayKey),
    ...(usable(order.number) ? [numberKey(order.number)] : []),
    ...wordsOf(order).map(wordKey),
  ];
  return [...new Set(keys)];
}

export const gatewayKey = (id: string) => `gateway:${id}`;
export const numberKey = (number: string) => `number:${number}`;
export const wordKey = (word: string) => `word:${word}`;

/** Keys by which the order of a reference may be found when the gateway's ids are on it. */
export function gatewayKeysOf({ gateway_ids, transaction_id }: OrderReference): string[] {
  return [...gateway_ids, transaction_id ?? '']
    .map((id) => id.trim())
    .filter(usable)
    .map(gatewayKey);
}

/** The key of the order number that a reference may name, if it names anything. */
export function numberKeysOf({ order_id }: OrderReference): string[] {
  const number = (order_id ?? '').trim().replace(/^#/, '');
  return usable(number) ? [numberKey(number)] : [];
}

/** The order id that a reference names, when it is one. */
export function namedId(reference: OrderReference): number | undefined {
  const text = (reference.order_id ?? '').trim().replace(/^#/, '');
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined;
}

/**
 * The order an event belongs to (decisions.md section 6, "Order lookup"): by an id of the gateway on the order, by the order's id or
 * number, by transaction id. Of several orders that carry the same id the newest is meant.
 */
export function chooseOrder(
  reference: OrderReference,
  candidates: ReadonlyMap<string, readonly number[]>,
  orders: ReadonlyMap<number, Order>,
): Match | null {
  const carrying = (id: string): number | undefined =>
    newest(candidates.get(gatewayKey(id)), (candidate) => {
      const order = orders.get(candidate);
      return order !== undefined && gatewayIdsOf(order).includes(id);
    });
  for (const id of reference.gateway_ids) {
    const found = carrying(id.trim());
    if (found !== undefined) return { order_id: found, by: 'gateway_id' };
  }
  const named = namedId(reference);
  if (named !== undefined && orders.has(named)) return { order_id: named, by: 'order_id' };
  const number = (reference.order_id ?? '').trim().replace(/^#/, '');
  const numbered = newest(candidates.get(numberKey(number)), (candidate) => orders.get(candidate)?.number === number);
  if (numbered !== undefined) return { order_id: numbered, by: 'order_id' };
  const paid = reference.transaction_id === null ? undefined : carrying(reference.transaction_id.trim());
  return paid === undefined ? null : { order_id: paid, by: 'transaction_id' };
}

function newest(ids: readonly number[] | undefined, accept: (id: number) => boolean): number | undefined {
  const accepted = (ids ?? []).filter(accept);
  return accepted.length === 0 ? undefined : Math.max(...accepted);
}
