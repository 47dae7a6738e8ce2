import type { OrderReference } from '@order-automation/contracts';
import { isObject, own, type Payload, scalar, scalarAt } from './payload';

export type Reference = NonNullable<OrderReference['references']>[number];
type Claims = NonNullable<OrderReference['claims']>;

/** What fields of free use say about the order. */
export type Named = { readonly references: readonly Reference[]; readonly claims: Claims };

/** Keys of metadata, and of JSON in a free field, that shops and their plugins put the order under. */
const orderKeys = [
  'order_id',
  'order_number',
  'orderId',
  'orderNumber',
  'wc_order_id',
  'woocommerce_order_id',
] as const;
/** WooCommerce's former text in `custom`, `[id, key]` as PHP serialises it. */
const serialised = /^a:2:\{i:0;(?:i:(\d{1,15})|s:\d+:"(\d{1,15})");i:1;s:\d+:"([^"]{1,100})";\}$/;
/** Names of sessions and customers that plugins write before there is an order. */
const notAnOrder = /^(?:default|pcp_customer_.*)$/i;
/** A name of an order is one word with a digit; anything else in a free field is somebody's own text. */
const nameOfOrder = /^(?=.*\d)[\w#./-]{1,64}$/;

/** The order as an object of names has it: metadata, or the JSON of a free field. */
export function namedIn(fields: Payload | undefined, from: string): Named {
  const references = orderKeys.flatMap((key) => referenceAt(fields, key, `${from}.${key}`));
  const [site_url, order_key] = [scalarAt(fields, 'site_url'), scalarAt(fields, 'order_key')];
  return { references, claims: { ...(site_url && { site_url }), ...(order_key && { order_key }) } };
}

/** The order in a field of free use: JSON, WooCommerce's former serialised pair, or the name itself. */
export function namedByText(value: unknown, from: string): Named {
  const parsed = isObject(value) ? value : jsonOf(value);
  if (parsed) return namedIn(parsed, from);
  const text = scalar(value) ?? '';
  const [, number, digits, order_key = ''] = serialised.exec(text) ?? [];
  const id = number ?? digits;
  if (id !== undefined) return { references: [{ value: id, from }], claims: { order_key } };
  const isName = nameOfOrder.test(text) && !notAnOrder.test(text);
  return { references: isName ? [{ value: text, from }] : [], claims: {} };
}

/** The reference under a key that is for references alone. */
export function referenceAt(source: unknown, key: string, from = key): Reference[] {
  const value = scalarAt(source, key);
  return value === undefined ? [] : [{ value, from }];
}

/** All together: each reference once, the first claim of a kind. */
export function joinNamed(parts: readonly Named[]): Named {
  const references = new Map<string, Reference>();
  for (const one of parts.flatMap((part) => part.references))
    if (!references.has(one.value)) references.set(one.value, one);
  return {
    references: [...references.values()].slice(0, 20),
    claims: Object.assign({}, ...parts.map(({ claims }) => claims).reverse()),
  };
}

/** By what the shop may find the order. `transactions` may stand on the order itself; `links` lead to it, the object's own id first. */
export function orderReference(
  { references, claims }: Named,
  transaction: string | null,
  { transactions, links }: { readonly transactions: readonly string[]; readonly links: readonly string[] },
): OrderReference {
  const payments = [...new Set([...(transaction === null ? [] : [transaction]), ...transactions])];
  return {
    gateway_ids: [...new Set([...links.slice(0, 1), ...payments, ...links])],
    order_id: references[0]?.value ?? null,
    transaction_id: transaction,
    transactions: payments,
    references: [...references],
    ...(Object.keys(claims).length > 0 && { claims }),
  };
}

export const namesNoOrder: OrderReference = { gateway_ids: [], order_id: null, transaction_id: null };

function jsonOf(value: unknown): Payload | undefined {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{') || value.length > 4000) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The objects in a list, at most 50. */
export function objectsAt(source: unknown, key: string): Payload[] {
  const list = own(source, key);
  return Array.isArray(list) ? list.slice(0, 50).filter(isObject) : [];
}
