import type { OrderReference } from '@order-automation/contracts';
import { objectAt, type Payload, parseJson, scalar, scalarAt } from './payload';

export type Reference = NonNullable<OrderReference['references']>[number];
export type Claims = NonNullable<OrderReference['claims']>;

/** What an event says of its order: references with the fields they stand in, and what else must agree with the order. */
export type Said = { readonly references: readonly Reference[]; readonly claims: Claims };

export const saysNothing: Said = { references: [], claims: {} };
export const namesNoOrder: OrderReference = { gateway_ids: [], order_id: null, transaction_id: null };

/** Fields of metadata that plugins write, the most telling first. */
const metadataNames = ['order_id', 'order_number'] as const;

/** What metadata says of the order, under the name of the field it stands in. */
export function saidIn(metadata: Payload | undefined, name: string): Said {
  const references = metadataNames.flatMap((key) => {
    const value = scalarAt(metadata, key);
    return value === undefined ? [] : [{ value, from: `${name}.${key}` }];
  });
  const [site_url, order_key] = [scalarAt(metadata, 'site_url'), scalarAt(metadata, 'order_key')];
  return { references, claims: { ...(site_url && { site_url }), ...(order_key && { order_key }) } };
}

/** Free fields hold the buyer where there is no order yet (PayPal Payments: `pcp_customer_12`; Stripe: "This can be a customer ID"): that is no order. */
const person = /^(?:[a-z\d]+[_-])*(?:customer|cust?|user|guest)[_-]/i;
/** What WooCommerce wrote into `custom` before it wrote JSON: PHP's `serialize([order id, order key])`. */
const serialized = /^a:2:\{i:0;(?:i:(\d{1,20})|s:\d{1,2}:"([^"]{1,50})");i:1;s:\d{1,3}:"([^"]{1,100})";\}$/;

/**
 * What stands in a free field (`custom`, `custom_id`, `client_reference_id`): JSON with an order (WooCommerce: `{"order_id": 12, "order_key": "wc_order_…"}`), the same two as PHP
 * wrote them, or a text that may be the order's. Text with blanks is somebody's own and no order.
 */
export function saidInFreeText(value: unknown, name: string): Said {
  const text = scalar(value);
  const json = text?.startsWith('{') ? parseJson(Buffer.from(text)).value : value;
  const metadata = objectAt({ json }, 'json') ?? unserialized(text);
  if (metadata) return saidIn(metadata, name);
  const isReference = text !== undefined && /^#?[^\s{}[\]"]{1,100}$/.test(text) && !person.test(text);
  return isReference ? saidAt(text, name) : saysNothing;
}

function unserialized(text = ''): Payload | undefined {
  const [, id, number, order_key] = serialized.exec(text) ?? [];
  return order_key === undefined ? undefined : { order_id: id ?? number, order_key };
}

/** What stands in a field that holds nothing but a reference. */
export function saidAt(value: unknown, name: string): Said {
  const text = scalar(value);
  return text === undefined ? saysNothing : { references: [{ value: text, from: name }], claims: {} };
}

/** All of it, the earlier first; of claims, and of references of one value, the first counts. */
export function allOf(said: readonly Said[]): Said {
  const byValue = new Map<string, Reference>();
  for (const one of said.flatMap(({ references }) => references))
    if (!byValue.has(one.value)) byValue.set(one.value, one);
  return {
    references: [...byValue.values()],
    claims: Object.assign({}, ...said.map(({ claims }) => claims).reverse()),
  };
}

/** `transactions`: ids that an order's own transaction may be; `links`: others that a shop may keep on it. */
export function referenceOf(
  { references, claims }: Said,
  ids: {
    readonly transactions: readonly (string | undefined)[];
    readonly links: readonly (string | undefined)[];
    readonly transaction: string | null;
  },
): OrderReference {
  const present = (list: readonly (string | undefined)[]) => [...new Set(list.filter((id) => id !== undefined))];
  const transactions = present([ids.transaction ?? undefined, ...ids.transactions]);
  return {
    gateway_ids: present([...transactions, ...ids.links]),
    order_id: references[0]?.value ?? null,
    transaction_id: ids.transaction,
    ...(transactions.length > 0 && { transactions }),
    ...(references.length > 0 && { references: [...references] }),
    ...(Object.keys(claims).length > 0 && { claims }),
  };
}
