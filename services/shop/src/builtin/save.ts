import {
  invalidParameters,
  newId,
  type Order,
  type RequestInput,
  unavailable,
  type Violation,
} from '@order-automation/contracts';
import { type ChangeSource, changesOfCreation, changesOfEdit, enteredId, refundChangeId } from '../orders/order-change';
import { plainStatus, withStatus } from '../orders/order-status';
import type { OrderDocument } from './order-document';
import { mergeOrder, type Site } from './order-fields';
import { withChanges, withDue, withStockMoved, withStockOfSource } from './order-status';
import type { BuiltinParts } from './parts';

export type SaveDeps = Pick<BuiltinParts, 'orders' | 'handover' | 'site' | 'timeZone' | 'clock'>;

export type SaveItem = { readonly id: number; readonly fields: Readonly<Record<string, unknown>> };
export type Saved = { readonly document: OrderDocument; readonly created: boolean };

/** Who saves, and by what way. Without `events` nothing is recorded and no rule can fire: the orders are history. */
export type Saving = {
  readonly cause: RequestInput<'shop.order.save.v1'>['cause'];
  readonly source: ChangeSource;
  readonly events: boolean;
};

/** Orders as they will be, each of another id. */
export type Prepared = {
  readonly items: readonly SaveItem[];
  readonly before: ReadonlyMap<number, OrderDocument>;
  readonly merged: readonly Order[];
  /** What is wrong with those that are not among them, by id. */
  readonly refused: ReadonlyMap<number, readonly Violation[]>;
  readonly site: Site;
};

export async function prepareOrders(items: readonly SaveItem[], deps: SaveDeps): Promise<Prepared> {
  const { orders, clock, timeZone } = deps;
  const site: Site = { now: clock.now(), timeZone, statuses: await deps.site.statuses() };
  const before = new Map((await orders.byIds(items.map(({ id }) => id))).map((document) => [document._id, document]));
  const merged: Order[] = [];
  const refused = new Map<number, readonly Violation[]>();
  for (const { id, fields } of items) {
    const result = mergeOrder(before.get(id)?.order, id, fields, site);
    if (result.ok) merged.push(result.order);
    else refused.set(id, result.violations);
  }
  return { items: items.filter(({ id }) => !refused.has(id)), before, merged, refused, site };
}

/** Creates or changes an order; every violation is reported before anything is written. */
export async function saveOrder(item: SaveItem, saving: Saving, deps: SaveDeps): Promise<Saved> {
  const prepared = await prepareOrders([item], deps);
  const violations = prepared.refused.get(item.id);
  if (violations) throw invalidParameters(violations);
  const saved = (await writeOrders(prepared, saving, deps)).get(item.id);
  if (!saved) throw new Error(`order ${item.id} was not saved`);
  return saved;
}

/** Milliseconds after which nobody waits for a save: a process that stood still would undo by it what came since. */
const longestSave = 60_000;

export async function writeOrders(
  { items, before, merged, site }: Prepared,
  saving: Saving,
  { orders, handover, clock }: SaveDeps,
): Promise<Map<number, Saved>> {
  const { now } = site;
  const changeIds = new Map(items.map(({ id }) => [id, newId('chg', now)]));
  const created = merged
    .filter(({ id }) => !before.has(id))
    .map((order) => createdDocument(order, changeIds.get(order.id), saving, now));
  const raced = new Set(await orders.insertNew(created));
  const saved = new Map<number, Saved>();
  for (const [index, document] of created.entries()) {
    if (!raced.has(index)) saved.set(document._id, { document, created: true });
  }
  const open = new Map(items.filter(({ id }) => !saved.has(id)).map((item) => [item.id, item]));
  const edited = await orders.edit([...open.keys()], (document) => {
    if (clock.now() - now > longestSave) throw unavailable('the shop');
    return changed(document, open.get(document._id), changeIds.get(document._id), saving, site);
  });
  for (const [id, document] of edited) saved.set(id, { document, created: false });
  const refundIds = merged.flatMap(({ id, refunds = [] }) => {
    const known = new Set(before.get(id)?.order.refunds?.map((refund) => refund.id));
    return refunds.flatMap((refund) => (known.has(refund.id) ? [] : refundChangeId(id, refund.id ?? 0)));
  });
  const made = new Set([...[...changeIds.values()].flatMap((id) => [id, enteredId(id)]), ...refundIds]);
  const documents = [...saved.values()].map(({ document }) => document);
  await handover.changes(documents, made);
  await handover.stock(documents);
  return saved;
}

export function newOrderDocument(order: Order): OrderDocument {
  return {
    _id: order.id,
    rev: 1,
    order,
    applied: [],
    archived: 0,
    outbox: [],
    stock: { state: 'untouched', items: [] },
    attempt: 0,
  };
}

function createdDocument(order: Order, changeId: string | undefined, saving: Saving, now: number): OrderDocument {
  const document = newOrderDocument(order);
  if (!saving.events) return withStockOfSource(document);
  return withDue(withChanges(document, changesOfCreation(order, changeOf(changeId, saving, now)), saving.source), now);
}

/** Sees its own effect: the order as these fields want it is left alone. */
function changed(
  document: OrderDocument,
  item: SaveItem | undefined,
  changeId: string | undefined,
  saving: Saving,
  site: Site,
): OrderDocument {
  if (!item) return document;
  const isPlaced = placesPaidDraft(document, item.fields);
  const { status: _status, ...others } = item.fields;
  const fields = isPlaced ? others : item.fields;
  const result = mergeOrder(document.order, document._id, fields, site);
  if (!result.ok) throw invalidParameters(result.violations);
  const { now } = site;
  const order = 'status' in fields ? withDates(document.order, result.order, fields, now) : result.order;
  if (!isPlaced && sameBut(document.order, order, 'date_modified')) return document;
  const { paid_as_draft: _placed, ...rest } = document;
  const next = { ...(isPlaced ? rest : document), order };
  if (!saving.events) return withStockOfSource(next);
  const changes = changesOfEdit(document.order, order, changeOf(changeId, saving, now));
  if (changes.length === 0) return next;
  // As an action that changes it; an order that arrives in its status has been through the stock of the shop that it comes from.
  const moved = order.status === document.order.status ? next : withStockMoved(next, order.status).document;
  return withDue(withChanges(moved, changes, saving.source), now);
}

/**
 * Whether this is the save by which a checkout places its draft, which a payment has completed before it: the status in which the order would wait for
 * that payment is no news (decisions.md section 12, "Drafts"). Once; who saves `pending` again means it.
 */
const placesPaidDraft = ({ order, paid_as_draft }: OrderDocument, { status }: SaveItem['fields']): boolean =>
  paid_as_draft === order.status && typeof status === 'string' && plainStatus(status) === 'pending';

const isGiven = (field: string, fields: SaveItem['fields']): boolean => field in fields || `${field}_gmt` in fields;

/** Dates that follow from the status, unless they are given. */
function withDates(before: Order, after: Order, fields: SaveItem['fields'], now: number): Order {
  if (before.status === after.status) return after;
  const dated = withStatus(after, after.status, new Date(now).toISOString());
  const dateOf = (field: 'date_paid' | 'date_completed') =>
    isGiven(field, fields) && after[field] !== before[field] ? after[field] : dated[field];
  const { date_modified } = after;
  return { ...dated, date_modified, date_paid: dateOf('date_paid'), date_completed: dateOf('date_completed') };
}

const sameBut = (before: Order, after: Order, field: 'date_modified'): boolean =>
  JSON.stringify({ ...before, [field]: '' }) === JSON.stringify({ ...after, [field]: '' });

function changeOf(changeId: string | undefined, { cause }: Saving, now: number) {
  return { change_id: changeId ?? newId('chg', now), at: new Date(now).toISOString(), cause };
}
