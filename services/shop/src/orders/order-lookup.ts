import { type Order, type OrderReference, orderNames, type RequestInput } from '@order-automation/contracts';
import metaKeys from './gateway-meta.json';

/** Where plugins keep ids of a gateway on an order, besides `transaction_id`. */
const gatewayMeta = new Set(metaKeys);
/** Square, Braintree, Authorize.Net and others of one framework: `_wc_square_credit_card_trans_id`. */
const frameworkMeta = /^_wc_[a-z_]{1,50}_(?:trans_id|square_order_id)$/;

export const isGatewayMeta = (key: string): boolean => gatewayMeta.has(key) || frameworkMeta.test(key);

/** Longer than any id of a gateway; what is longer is no way to find an order. */
const longestKey = 200;

const usable = (text: string) => text !== '' && text.length <= longestKey;

/** As people write it: `#1042` is 1042. */
export const plainNumber = (text: string): string => text.trim().replace(/^#\s*/, '');

/** What an order can be found by besides its words. */
export type Named = Pick<Order, 'id' | 'number' | 'transaction_id' | 'meta_data'>;

export function gatewayIdsOf(order: Pick<Named, 'transaction_id' | 'meta_data'>): string[] {
  const ids = [order.transaction_id];
  for (const { key, value } of order.meta_data) {
    if (isGatewayMeta(key) && (typeof value === 'string' || typeof value === 'number')) ids.push(String(value));
  }
  return [...new Set(ids.map((id) => id.trim()).filter(usable))];
}

/** Text as it is searched: lower case, without accents, single blanks. */
export const searchText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim().slice(0, longestKey);

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

/** The ids by which an event may name the order (`OrderChange.keys`): evaluation waits for the same (`orderNames`, the ids of gateways). */
export function namesOf(order: Named): string[] {
  const numbers = [String(order.id), plainNumber(order.number)].filter(usable);
  return [...new Set([...gatewayIdsOf(order).map(gatewayKey), ...numbers.map(numberKey)])];
}

/** Every key by which the order can be found; by its id it is found without one. */
export function keysOf(order: Order): string[] {
  const number = plainNumber(order.number);
  const keys = [
    ...gatewayIdsOf(order).map(gatewayKey),
    ...(usable(number) ? [numberKey(number)] : []),
    ...wordsOf(order).map(wordKey),
  ];
  return [...new Set(keys)];
}

export const gatewayKey = (id: string) => `gateway:${id}`;
export const numberKey = (number: string) => `number:${number}`;
export const wordKey = (word: string) => `word:${word}`;

/** Keys by which the order of a reference may be found: ids of the gateway, numbers. */
export function wantedKeys(reference: OrderReference): string[] {
  const names = reference.reading?.order_reference === 'id' ? [] : orderNames(reference).map(({ text }) => text);
  return [...new Set([...idsOf(reference).map(gatewayKey), ...names.filter(usable).map(numberKey)])];
}

export function wantedIds(reference: OrderReference): number[] {
  if (reference.reading?.order_reference === 'number') return [];
  return orderNames(reference).flatMap(({ text }) => orderId(text) ?? []);
}

/** Ids of the gateway in a reference, the most telling first. */
export function idsOf({ transactions = [], gateway_ids, transaction_id }: OrderReference): string[] {
  const ids = [...transactions, ...gateway_ids, transaction_id ?? ''].map((id) => id.trim());
  return [...new Set(ids.filter(usable))];
}

export function orderId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined;
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined;
}

export type Period = Pick<RequestInput<'shop.order.list.v1'>, 'from' | 'to'>;

/** The least and the greatest text of a date in these seconds, which both count: dates have milliseconds or not. */
export const secondsOf = ({ from = '', to = '9999' }: Period) => [from.slice(0, 19), `${to.slice(0, 19)}Z`] as const;
