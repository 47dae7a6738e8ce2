import type { RecordType } from '@order-automation/contracts';
import { idOrNone, list, number, object, type Reader, type Readers, read, text, word } from '../orders/order-shapes';
import type { AnyRecord } from './record-types';

/** Records as PHP and plugins write them, in the shapes of their schemas, as `inOrderShapes` does for orders. */
export function inRecordShapes(type: RecordType, fields: AnyRecord): AnyRecord {
  const readers = recordReaders[type];
  return readers ? read(fields, readers) : fields;
}

/** WooCommerce's `yes` and `no`, and what PHP makes of a truth value. */
const flag: Reader = (value) => {
  if (value === null || value === '') return undefined;
  const known = new Map<unknown, boolean>([
    ...['yes', '1', 'true', 1].map((one) => [one, true] as const),
    ...['no', '0', 'false', 0].map((one) => [one, false] as const),
  ]);
  return known.get(value) ?? value;
};
const quantity: Reader = (value) => (value === '' || value === false ? null : number(value));
const ids: Reader = (value) => {
  const rows = list(new Map())(value);
  return Array.isArray(rows) ? rows.map(number) : rows;
};
const terms = list(
  new Map([
    ['id', number],
    ['slug', text],
  ]),
);

const named = (reader: Reader, ...names: readonly string[]) => names.map((name) => [name, reader] as const);
const term: Readers = new Map([...named(text, 'slug', 'description'), ['parent', idOrNone]]);

const recordReaders: Readonly<Partial<Record<RecordType, Readers>>> = {
  product: new Map<string, Reader>([
    ...named(word, 'name', 'type', 'status', 'stock_status', 'backorders'),
    ...named(text, 'slug', 'sku', 'price', 'regular_price'),
    ...named(flag, 'virtual', 'downloadable', 'manage_stock'),
    ...named(terms, 'categories', 'tags'),
    ['stock_quantity', quantity],
    ['parent_id', idOrNone],
    ['variations', ids],
  ]),
  customer: new Map<string, Reader>([
    ...named(text, 'email', 'first_name', 'last_name', 'username'),
    ...named(
      object((value) => value),
      'billing',
      'shipping',
    ),
    ['role', word],
  ]),
  category: term,
  tag: term,
};
