import { plainStatus } from './order-status';

/**
 * Orders as PHP and plugins write them, in the shapes of the order object: an empty list where an object belongs and the other way round, null for what is
 * not there, numbers as text (`{"billing": [], "quantity": "2", "transaction_id": null}`). What has no plain meaning stays as it is, to be refused by name.
 */
export const inOrderShapes = (fields: Fields): Fields => read(fields, orderReaders);

type Fields = Readonly<Record<string, unknown>>;
/** Undefined: as if the field were not given. */
export type Reader = (value: unknown) => unknown;
export type Readers = ReadonlyMap<string, Reader>;

export function read(fields: Fields, readers: Readers): Fields {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    const reader = readers.get(name);
    const known = reader ? reader(value) : value;
    return known === undefined && reader ? [] : [[name, known] as const];
  });
  return Object.fromEntries(entries);
}

const isMissing = (value: unknown): boolean => value === null || value === false;

export const text: Reader = (value) => (isMissing(value) ? '' : typeof value === 'number' ? String(value) : value);
/** Text that is never empty: missing, the order keeps what it has. */
export const word: Reader = (value) => (isMissing(value) || value === '' ? undefined : text(value));
const textOrNull: Reader = (value) => (value === null ? value : text(value));
/** Plugins write the prefix `wc-` into it. */
const status: Reader = (value) => {
  const written = word(value);
  return typeof written === 'string' ? plainStatus(written) : written;
};
export const number: Reader = (value) =>
  typeof value === 'string' && /^\s*-?\d{1,15}(?:\.\d{1,10})?\s*$/.test(value) ? Number(value) : value;
export const idOrNone: Reader = (value) => (isMissing(value) || value === '' ? 0 : number(value));
const rowId: Reader = (value) => (isMissing(value) || value === '' ? undefined : number(value));
export const money: Reader = (value) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : word(typeof value === 'string' ? '' : value);

export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

/** One object; `fields` reads each of its fields. */
export const object =
  (fields: Reader): Reader =>
  (value) => {
    if (isMissing(value) || isEmptyList(value)) return {};
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fields(one)]))
      : value;
  };

/** A list of rows; PHP makes an object of a list with gaps. */
export const list =
  (readers: Readers): Reader =>
  (value) => {
    if (isMissing(value) || value === '') return [];
    const rows = isObject(value) ? Object.values(value) : value;
    return Array.isArray(rows) ? rows.map((row: unknown) => (isObject(row) ? read(row, readers) : row)) : value;
  };

/** Rows of `{key, value}`; rows without anything in them say nothing (github.com/woocommerce/woocommerce/issues/17003), and a map has the keys as names. */
const metaRows: Reader = (value) => {
  const isMap = isObject(value) && Object.values(value).some((row) => !isObject(row) || !('key' in row));
  const given = isMap ? Object.entries(value).map(([key, one]) => ({ key, value: one })) : value;
  const rows = list(
    new Map([
      ['id', rowId],
      ['key', text],
    ]),
  )(given);
  const isEmpty = (row: unknown): boolean => isEmptyList(row) || (isObject(row) && Object.keys(row).length === 0);
  return Array.isArray(rows) ? rows.filter((row) => !isEmpty(row)) : rows;
};

const line: Readers = new Map([
  ['id', idOrNone],
  ['name', text],
  ['product_id', idOrNone],
  ['variation_id', rowId],
  ['quantity', number],
  ['total', money],
  ['total_tax', money],
  ['sku', textOrNull],
]);
const shippingLine: Readers = new Map([
  ['method_id', text],
  ['method_title', text],
  ['total', money],
  ['total_tax', money],
]);
const refund: Readers = new Map([
  ['id', rowId],
  ['reason', textOrNull],
  ['total', money],
]);
/** WooCommerce puts the sign before the amount that a refund has not: it is about to make it or to delete it, or an import has left it out. */
const refunds: Reader = (value) => {
  const rows = list(refund)(value);
  return Array.isArray(rows) ? rows.filter((row) => !isObject(row) || row.total !== '-') : rows;
};

/** A date that no order is without. */
const date: Reader = (value) => (isMissing(value) || value === '' || /^-?000/.test(String(value)) ? undefined : value);

const orderReaders: Readers = new Map<string, Reader>([
  ...['date_created', 'date_modified'].flatMap((name) => [[name, date] as const, [`${name}_gmt`, date] as const]),
  ...['number', 'currency'].map((name) => [name, word] as const),
  ['status', status],
  ...['payment_method', 'payment_method_title', 'transaction_id', 'customer_note'].map((name) => [name, text] as const),
  ['total', money],
  ['customer_id', idOrNone],
  ['billing', object(text)],
  ['shipping', object(text)],
  ['line_items', list(line)],
  ['fee_lines', list(line)],
  ['shipping_lines', list(shippingLine)],
  ['coupon_lines', list(new Map([['code', text]]))],
  ['refunds', refunds],
  ['meta_data', metaRows],
]);
