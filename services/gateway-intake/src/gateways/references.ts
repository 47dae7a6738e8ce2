import type { OrderReference } from '@order-automation/contracts';
import { dataIn, longestData, orderKey, paired } from './free-text';
import { isObject, own, type Payload, scalar, scalarAt, scalarIn } from './payload';

export type Reference = NonNullable<OrderReference['references']>[number];
export type Claims = NonNullable<OrderReference['claims']>;

/** What an event says of its order: references with the fields they stand in, and what else must agree with the order. */
export type Said = { readonly references: readonly Reference[]; readonly claims: Claims };

const saysNothing: Said = { references: [], claims: {} };
export const namesNoOrder: OrderReference = { gateway_ids: [], order_id: null, transaction_id: null };

/** What the fields of one object say of the order, each under its name. */
export function saidIn(metadata: Payload | undefined, name: string): Said {
  if (!metadata) return saysNothing;
  const byName = namesOf(metadata);
  const references = orderFields.flatMap((field) => {
    const [key = '', value] = byName.get(field) ?? [];
    const text = scalar(value);
    return text === undefined ? [] : [{ value: text, from: `${name}.${key}` }];
  });
  const signature = scalar(byName.get('signature')?.[1]);
  if (signature !== undefined && signedId.test(signature))
    references.push({ value: signature, from: `${name}.signature` });
  const order_key = textOf(byName, keyFields) ?? wcKey(byName);
  const site_url = textOf(byName, siteFields);
  return { references, claims: { ...(site_url && { site_url }), ...(order_key && { order_key }) } };
}

/**
 * Names that plugins give to the order in metadata, the most telling first; how they are written differs (`order_id`, `orderId`, `Order #`), and a platform may
 * put its own name before them (`wc_order_id`, `solidus_order_number`). A bare `order` may be a position in a list.
 */
const platforms = ['', 'woocommerce', 'wc', 'solidus', 'spree'] as const;
const orderFields = [
  ...['orderid', 'ordernumber'].flatMap((name) => platforms.map((platform) => platform + name)),
  'orderno',
  'orderreference',
  'eddpaymentid',
];
const keyFields = platforms.map((platform) => `${platform}orderkey`);
const siteFields = ['siteurl', 'homeurl', 'storeurl', 'shopurl', 'storedomain', 'shopdomain'] as const;
/** What WooCommerce's Stripe plugin signs is the id, whatever number the order has (github.com/woocommerce/woocommerce-gateway-stripe/pull/3567). */
const signedId = /^[1-9]\d{0,15}:[\da-f]{32}$/i;

type ByName = ReadonlyMap<string, readonly [key: string, value: unknown]>;

const isCounted = ([key]: readonly [string, unknown]): boolean => /\d/.test(key);

/** The fields by their names without case and separators; of several spellings the first that says something, `order_id_2` after those without a number. */
function namesOf(metadata: Payload): ByName {
  const byName = new Map<string, readonly [string, unknown]>();
  const fields = Object.entries(metadata).slice(0, 500);
  for (const [key, value] of fields.toSorted((one, other) => Number(isCounted(one)) - Number(isCounted(other)))) {
    const name = key
      .replace('#', 'number')
      .replace(/[^a-z]/gi, '')
      .toLowerCase();
    if (scalar(value) !== undefined && !byName.has(name)) byName.set(name, [key, value]);
  }
  return byName;
}

const textOf = (byName: ByName, names: readonly string[]): string | undefined =>
  names.map((name) => scalar(byName.get(name)?.[1])).find((text) => text !== undefined);

/** A field `key` may be anything; WooCommerce's keys of orders can be told by their beginning. */
function wcKey(byName: ByName): string | undefined {
  const key = textOf(byName, ['key']);
  return key !== undefined && orderKey.test(key) ? key : undefined;
}

/** Data that holds further data: `{"order": {"id": 12}}`, `{"data": "{\"order_id\": 12}"}`; fields that Paystack shows (paystack.com/docs/payments/metadata). */
const nesting = ['data', 'metadata', 'custom', 'payload', 'custom_fields'] as const;

/** What data of a plugin says, one level further down, too. */
export function saidInData(data: Payload | undefined, name: string): Said {
  if (!data) return saysNothing;
  const order = dataAt(data, 'order');
  const id =
    (order && (scalarAt(order, 'id') ?? scalarAt(order, 'number'))) ?? (wcKey(namesOf(data)) && scalarAt(data, 'id'));
  const inner = nesting.map((key) => saidIn(dataAt(data, key), `${name}.${key}`));
  return allOf([saidIn(data, name), saidIn(order, `${name}.order`), saidAt(id, `${name}.order_id`), ...inner]);
}

const dataAt = (source: Payload, key: string): Payload | undefined => dataOf(own(source, key));

/** The object that a field holds, as it is, as a list of fields, or as text; undefined where it holds none. */
export function dataOf(value: unknown): Payload | undefined {
  if (isObject(value)) return value;
  if (Array.isArray(value)) return Object.fromEntries(value.filter(isObject).map(fieldOf));
  return typeof value === 'string' && value.length <= longestData ? dataIn(value.trim()) : undefined;
}

/** One of a list of fields: `{"key": "order_id", "value": "12"}`. */
const fieldOf = (field: Payload) =>
  [scalarIn(field, 'variable_name', 'key', 'name') ?? '', own(field, 'value')] as const;

/** Free fields hold the buyer where there is no order yet (PayPal Payments: `pcp_customer_12`; Stripe: "This can be a customer ID"): that is no order. */
const person = /^(?:[a-z\d]+[_-])*(?:customer|cust?|user|guest)[_-]|^[^@\s]+@[^@\s]+\.[a-z]+$/i;

/**
 * What stands in a free field (`custom`, `custom_id`, `client_reference_id`): data with an order (WooCommerce: `{"order_id": 12, "order_key": "wc_order_…"}`), an order with its key
 * (`12|wc_order_…`), or a text that may be the order's. Text with blanks is somebody's own and no order.
 */
export function saidInFreeText(value: unknown, name: string): Said {
  const data = dataOf(value);
  if (data) return saidInData(data, name);
  const text = scalar(value);
  if (text === undefined) return saysNothing;
  if (orderKey.test(text)) return { references: [], claims: { order_key: text } };
  const isReference = /^#?[^\s{}[\]"]{1,100}$/.test(text) && !person.test(text);
  return isReference ? saidAt(text, name) : saysNothing;
}

/** What stands in a field that holds nothing but a reference, with the key of the order perhaps. */
export function saidAt(value: unknown, name: string): Said {
  const text = scalar(value);
  if (text === undefined) return saysNothing;
  const pair = paired(text);
  return pair ? saidIn(pair, name) : { references: [{ value: text, from: name }], claims: {} };
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
