import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Order, orderSchema, type RecordType } from '@order-automation/contracts';
import type { BuiltinParts } from './parts';
import { type AnyRecord, type RecordOf, recordSchemas } from './record-types';
import { numberedTypes } from './records';
import { newOrderDocument } from './save';
import { keyedTypes } from './site-records';

/** A line of the file, as an import has it; `hours_ago` is when the order was made, changed, and where its status says so paid and completed. */
type DemoLine =
  | { readonly type: RecordType; readonly data: AnyRecord }
  | { readonly type: 'order'; readonly data: AnyRecord; readonly hours_ago: number };

const file = join(__dirname, '..', '..', 'assets', 'demo-shop.ndjson');
const hour = 3_600_000;
const paid: ReadonlySet<unknown> = new Set(['processing', 'completed', 'refunded']);

/** The demonstration shop as it is seeded; `now` is in milliseconds since the epoch. */
export function readDemoShop(now: number) {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as DemoLine);
  return {
    orders: parsed.flatMap((line) => (line.type === 'order' ? [orderOf(line.data, now - line.hours_ago * hour)] : [])),
    recordsOf: <T extends RecordType>(type: T) =>
      parsed.flatMap((line) => (line.type === type ? [recordSchemas[type].parse(line.data) as RecordOf<T>] : [])),
  };
}

function orderOf(data: AnyRecord, made: number): Order {
  const at = new Date(made).toISOString();
  return orderSchema.parse({
    ...data,
    date_created: at,
    date_modified: at,
    status_since: at,
    date_paid: paid.has(data.status) ? at : null,
    date_completed: data.status === 'completed' ? at : null,
  });
}

const begun = 'demo_shop_begun';
const done = 'demo_shop_done';

/**
 * Seeds the demonstration shop into an empty shop, once in its life. A crash half way is continued by the next start, two instances
 * may do it at once: everything is inserted by id and what is there already is left alone.
 */
export async function seedDemoShop(parts: BuiltinParts): Promise<void> {
  const { orders, products, records, site, counters, telemetry, clock } = parts;
  if (await counters.isMarked(done)) return;
  if (!(await counters.isMarked(begun))) {
    const isEmpty = (await products.isEmpty()) && (await orders.page({}, 0, 1)).length === 0;
    if (!isEmpty) return;
    await counters.mark(begun);
  }
  const demo = readDemoShop(clock.now());
  for (const type of keyedTypes) for (const record of demo.recordsOf(type)) await site.put(type, record);
  for (const type of numberedTypes) await records.insertNew(type, demo.recordsOf(type));
  const demoProducts = demo.recordsOf('product');
  await products.insertNew(demoProducts);
  await counters.productsChanged();
  await orders.insertNew(demo.orders.map(newOrderDocument));
  await counters.mark(done);
  telemetry.seeded(demo.orders.length, demoProducts.length);
}
