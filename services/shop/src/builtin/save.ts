import { invalidParameters, newId, type Order, type RequestInput, type Violation } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Handover } from './handover';
import { type ChangeSource, changesOfCreation, changesOfEdit, enteredId, owing } from './order-change';
import { mergeOrder } from './order-fields';
import type { OrderKeys } from './order-keys';
import { keysOf } from './order-lookup';
import { withDue, withStatus } from './order-status';
import type { OrderDocument, Orders } from './orders';

export type SaveDeps = {
  readonly orders: Orders;
  readonly keys: OrderKeys;
  readonly handover: Handover;
  readonly clock: Clock;
};

/** One order to save. `path` goes before the path of a violation. */
export type SaveItem = {
  readonly id: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: string;
};
export type Saved = { readonly document: OrderDocument; readonly created: boolean };

/** Who saves, by what way, and when: milliseconds since the epoch. */
type Saving = {
  readonly cause: RequestInput<'shop.order.save.v1'>['cause'];
  readonly source: ChangeSource;
  readonly now: number;
};

/**
 * Creates or changes orders. Every violation of every item is reported before anything is written. What an order can be found by is
 * stored before the order, so that no order exists that cannot be found; what it no longer carries is removed after.
 */
export async function saveOrders(
  items: readonly SaveItem[],
  cause: Saving['cause'],
  source: Saving['source'],
  { orders, keys, handover, clock }: SaveDeps,
): Promise<Map<number, Saved>> {
  const saving = { cause, source, now: clock.now() };
  const byId = new Map(items.map((item) => [item.id, item]));
  const before = new Map((await orders.byIds([...byId.keys()])).map(({ _id, order }) => [_id, order]));
  const merged = mergeAll([...byId.values()], before, saving.now);
  await keys.add(merged.flatMap((order) => keysOf(order).map((key) => ({ key, order_id: order.id }))));

  const changeIds = new Map(items.map(({ id }) => [id, newId('chg', saving.now)]));
  const created = merged
    .filter(({ id }) => !before.has(id))
    .map((order) => createdDocument(order, changeIds.get(order.id), saving));
  const raced = new Set(await orders.insertNew(created));
  const saved = new Map<number, Saved>();
  for (const [index, document] of created.entries()) {
    if (!raced.has(index)) saved.set(document._id, { document, created: true });
  }
  const open = [...byId.values()].filter(({ id }) => !saved.has(id));
  const edited = await orders.edit(
    open.map(({ id }) => id),
    (document) => changed(document, byId.get(document._id), changeIds.get(document._id), saving),
  );
  for (const [id, document] of edited) saved.set(id, { document, created: false });
  await removeStaleKeys(before, edited, keys);
  const made = new Set([...changeIds.values()].flatMap((id) => [id, enteredId(id)]));
  const documents = [...saved.values()].map(({ document }) => document);
  await handover.publish(documents.flatMap(({ outbox }) => outbox).filter(({ change_id }) => made.has(change_id)));
  return saved;
}

function mergeAll(items: readonly SaveItem[], before: ReadonlyMap<number, Order>, now: number): Order[] {
  const violations: Violation[] = [];
  const merged: Order[] = [];
  for (const { id, fields, path } of items) {
    const result = mergeOrder(before.get(id), id, fields, now);
    if (result.ok) merged.push(result.order);
    else violations.push(...result.violations.map(({ path: at, message }) => ({ path: joined(path, at), message })));
  }
  if (violations.length > 0) throw invalidParameters(violations);
  return merged;
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('.');

function createdDocument(order: Order, changeId: string | undefined, saving: Saving): OrderDocument {
  const document: OrderDocument = {
    _id: order.id,
    rev: 1,
    order,
    applied: [],
    archived: 0,
    outbox: [],
    entries: [],
    stock: { state: 'untouched', items: [] },
    attempt: 0,
  };
  const changes = changesOfCreation(order, changeOf(changeId, saving));
  return withDue(owing(document, changes, saving.source), saving.now);
}

/** Sees its own effect: the order as these fields want it is left alone. */
function changed(
  document: OrderDocument,
  item: SaveItem | undefined,
  changeId: string | undefined,
  saving: Saving,
): OrderDocument {
  if (!item) return document;
  const result = mergeOrder(document.order, document._id, item.fields, saving.now);
  if (!result.ok) throw invalidParameters(result.violations);
  const order =
    'status' in item.fields ? withDates(document.order, result.order, item.fields, saving.now) : result.order;
  if (sameBut(document.order, order, 'date_modified')) return document;
  const next = { ...document, order };
  const changes = changesOfEdit(document.order, order, changeOf(changeId, saving));
  return changes.length === 0 ? next : withDue(owing(next, changes, saving.source), saving.now);
}

/** Dates that follow from the status, unless they are given. */
function withDates(before: Order, after: Order, fields: SaveItem['fields'], now: number): Order {
  if (before.status === after.status) return after;
  const dated = withStatus(after, after.status, new Date(now).toISOString());
  return {
    ...dated,
    date_modified: after.date_modified,
    date_paid: 'date_paid' in fields ? after.date_paid : dated.date_paid,
    date_completed: 'date_completed' in fields ? after.date_completed : dated.date_completed,
  };
}

function sameBut(before: Order, after: Order, field: 'date_modified'): boolean {
  return JSON.stringify({ ...before, [field]: '' }) === JSON.stringify({ ...after, [field]: '' });
}

function changeOf(changeId: string | undefined, { cause, now }: Saving) {
  return { change_id: changeId ?? newId('chg', now), at: new Date(now).toISOString(), cause };
}

async function removeStaleKeys(
  before: ReadonlyMap<number, Order>,
  edited: ReadonlyMap<number, OrderDocument>,
  keys: OrderKeys,
): Promise<void> {
  const stale = [...edited].flatMap(([id, { order }]) => {
    const old = before.get(id);
    const current = new Set(keysOf(order));
    return old
      ? keysOf(old)
          .filter((key) => !current.has(key))
          .map((key) => ({ key, order_id: id }))
      : [];
  });
  await keys.remove(stale);
}
