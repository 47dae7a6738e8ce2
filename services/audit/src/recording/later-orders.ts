import type { ChainKeys } from '../chain/keys';
import { personOf } from '../deletion/person';
import type { OfferedEntry } from '../records/entry';
import { type LaterOrder, type LogRecord, uidsWithoutOrder, withOrders } from '../records/log-record';
import { type Records, replaceAll } from '../records/records';

/** What is handed over of a cause, and what was recorded of it before. */
type Repeated = { readonly offered: readonly OfferedEntry[]; readonly recorded: readonly LogRecord[] };

/**
 * Gives recorded entries the order that nobody knew then: of an event that waited for its order, or that evaluation did not reach at once, the
 * reception is recorded first, and handed over again with the order at the end.
 */
export async function addLaterOrders(
  repeated: readonly Repeated[],
  { records, keys }: { readonly records: Records; readonly keys: ChainKeys },
): Promise<void> {
  const orders = new Map<number, ReadonlyMap<string, LaterOrder>>();
  const changed: LogRecord[] = [];
  for (const { offered, recorded } of repeated) {
    const known = new Map(
      offered.flatMap(({ order_id, ...entry }) =>
        order_id === null ? [] : [[entry.uid, { order_id, email_hash: personOf(entry, keys).email_hash }] as const],
      ),
    );
    if (known.size === 0) continue;
    for (const record of recorded) {
      if (!uidsWithoutOrder(record).some((uid) => known.has(uid))) continue;
      orders.set(record._id, known);
      changed.push(withOrders(record, known, keys));
    }
  }
  if (changed.length === 0 || (await records.replace(...changed))) return;
  await replaceAll(
    [...orders.keys()],
    (record) => withOrders(record, orders.get(record._id) ?? new Map(), keys),
    records,
  );
}
