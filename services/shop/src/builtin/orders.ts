import { dueFinder, keepNewest } from '@order-automation/service';
import { type Documents, deleteInPages, type Filter, type Index, insertNew, type Store } from '@order-automation/store';
import { longestPutOff } from '../orders/handover-relay';
import { keysOf, type Period, secondsOf } from '../orders/order-lookup';
import { shownNames, storedNames } from './field-names';
import type { OrderDocument } from './order-document';
import { startingWith } from './search-index';

const orderIndexes: readonly Index[] = [
  { name: 'status', key: { 'order.status': 1, _id: -1 } },
  { name: 'created', key: { 'order.date_created': 1 } },
  { name: 'customer', key: { 'order.customer_id': 1, 'order.status': 1 } },
  { name: 'due', key: { due: 1 }, sparse: true },
  { name: 'keys', words: 'keys' },
];

const maxTries = 200;
const fillBatch = 200;

export type Orders = Awaited<ReturnType<typeof openOrders>>;

export async function openOrders(store: Store) {
  const documents = await store.collection<OrderDocument>('orders', orderIndexes);
  const recent = recentOrders();
  const due = dueFinder(documents, longestPutOff);
  const having = async (filter: Filter<OrderDocument>): Promise<OrderDocument[]> => {
    const found = (await documents.find(filter).toArray()).map(shownDocument);
    recent.keep(found);
    return found;
  };
  const only = { projection: { _id: 1 } } as const;
  return {
    documents,
    byIds: (ids: readonly number[]) => having(byIds(ids)),
    byKeys: (keys: readonly string[]) => having(withKeys(keys)),
    newestWith: async (key: string, limit: number): Promise<number[]> =>
      (await documents.find(withKeys([key]), { ...only, sort: { _id: -1 }, limit }).toArray()).map(idOf),
    idsBeginning: async (prefix: string, limit: number): Promise<number[]> =>
      (await documents.find({ keys: { $elemMatch: startingWith(prefix) } }, { ...only, limit }).toArray()).map(idOf),
    /** Besides the order of this id. */
    countOthersWith: (key: string, id: number, statuses: readonly string[]) =>
      documents.countDocuments({ ...withKeys([key]), _id: { $ne: id }, 'order.status': { $in: statuses } }),
    /** Newest first. */
    page: async (wanted: Wanted, skip: number, limit: number) =>
      (await documents.find(listed(wanted)).sort({ _id: -1 }).skip(skip).limit(limit).toArray()).map(shownDocument),
    countOfCustomer: (customerId: number, statuses: readonly string[]) =>
      documents.countDocuments({ 'order.customer_id': customerId, 'order.status': { $in: statuses } }),
    countAmong: async (ids: readonly number[], statuses: readonly string[]): Promise<number> =>
      ids.length === 0 ? 0 : documents.countDocuments({ ...byIds(ids), 'order.status': { $in: statuses } }),
    idsAmong: async (ids: readonly number[], wanted: Wanted): Promise<number[]> =>
      (await documents.find({ ...byIds(ids), ...listed(wanted) }, only).toArray()).map(idOf),
    count: (wanted: Wanted) => documents.countDocuments(listed(wanted)),
    due: async (now: number, limit: number) => (await due(now, limit)).map(shownDocument),
    /** Resolves with the positions of those that exist already, which are left as they are. */
    insertNew: (added: readonly OrderDocument[]) => insertNew(documents, added.map(storedDocument)),
    edit: (ids: readonly number[], decide: Decide) => edit(documents, recent, ids, decide),
    /** Orders that an earlier version stored get their keys. Goes on where an interrupted one was, and beside another instance's. */
    fillKeys: async (): Promise<void> => {
      for (let after = 0; ; ) {
        const page = await documents.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: fillBatch }).toArray();
        const last = page.at(-1);
        if (!last) break;
        const lacking = page.filter(({ keys }) => keys === undefined).map(idOf);
        // Every write stores them; one that another instance has written is left.
        await edit(documents, recent, lacking, (document) => (document.keys ? document : { ...document }));
        after = last._id;
      }
      // Where the earlier version kept them, with names and addresses.
      await deleteInPages(await store.collection<{ _id: string }>('order_keys'), {});
    },
  };
}

/** Of a status, created in a period. */
export type Wanted = Period & { readonly status?: string | undefined };

const idOf = ({ _id }: Pick<OrderDocument, '_id'>): number => _id;

const byIds = (ids: readonly number[]) => ({ _id: { $in: ids } });
const withKeys = (keys: readonly string[]) => ({ keys: { $in: keys } });

function listed({ status, ...period }: Wanted): Filter<OrderDocument> {
  const [$gte, $lte] = secondsOf(period);
  return {
    ...(status !== undefined && { 'order.status': { $eq: status } }),
    ...((period.from ?? period.to) !== undefined && { 'order.date_created': { $gte, $lte } }),
  };
}

type Decide = (document: OrderDocument) => OrderDocument;

/**
 * Compare and set: `decide` gets each order as it is now and answers what it shall be, the same object for no change. It runs again
 * for an order that somebody else changed meanwhile, so it must be pure and see its own effect. An order that was read or written a moment ago is
 * not read again unless its write is refused, or `decide` wants none. Resolves with the orders as they then are; those that do not exist are missing.
 */
async function edit(
  documents: Documents<OrderDocument>,
  recent: ReturnType<typeof recentOrders>,
  ids: readonly number[],
  decide: Decide,
): Promise<Map<number, OrderDocument>> {
  const all = [...new Set(ids)];
  const current = await writeGuarded(documents, guessed(recent.take(all), decide));
  let open = all.filter((id) => !current.has(id));
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === maxTries) throw new Error(`orders ${open.join(', ')} changed ${maxTries} times under an edit`);
    const decided = decideEach((await documents.find(byIds(open)).toArray()).map(shownDocument), decide);
    for (const [before, after] of decided) if (after === before) current.set(before._id, after);
    const writes = decided.filter(([before, after]) => after !== before);
    for (const [id, after] of await writeGuarded(documents, writes)) current.set(id, after);
    open = writes.flatMap(([{ _id }]) => (current.has(_id) ? [] : _id));
  }
  recent.keep([...current.values()]);
  return current;
}

type Write = readonly [before: OrderDocument, after: OrderDocument];

function decideEach(found: readonly OrderDocument[], decide: Decide): Write[] {
  return found.map((before) => {
    const decided = decide(before);
    return [before, decided === before ? before : { ...revised(before, decided), rev: before.rev + 1 }];
  });
}

/** What can be written without a read. A guess that is outdated may be refused for what is no longer so. */
function guessed(recent: readonly OrderDocument[], decide: Decide): Write[] {
  return recent.flatMap((document) => {
    try {
      return decideEach([document], decide).filter(([before, after]) => after !== before);
    } catch {
      return [];
    }
  });
}

/** The orders as they were written; none of them where some were refused, because which they are is not known. */
async function writeGuarded(
  documents: Documents<OrderDocument>,
  writes: readonly Write[],
): Promise<Map<number, OrderDocument>> {
  if (writes.length === 0) return new Map();
  const { matchedCount } = await documents.bulkWrite(writes.map(guarded), { ordered: false });
  return new Map(matchedCount === writes.length ? writes.map(([, after]) => [after._id, after]) : []);
}

/** Another revision for another order, unless `decide` has counted itself; bookkeeping keeps it. */
function revised(before: OrderDocument, after: OrderDocument): OrderDocument {
  if (after.order === before.order || after.revision !== before.revision) return after;
  return { ...after, revision: (before.revision ?? 0) + 1 };
}

const guarded = ([{ _id, rev }, after]: Write) => ({
  replaceOne: { filter: { _id, rev }, replacement: storedDocument(after) },
});

const storedDocument = (document: OrderDocument): OrderDocument => ({
  ...document,
  order: storedNames(document.order),
  keys: keysOf(document.order),
});
const shownDocument = (document: OrderDocument): OrderDocument => ({ ...document, order: shownNames(document.order) });

const maxRecent = 500;

/**
 * The orders that were read or written last, as a first guess for a guarded write: an event finds its order and changes it a moment later. A guess that
 * is outdated costs a read, as no guess does.
 */
function recentOrders() {
  const kept = new Map<number, OrderDocument>();
  return {
    keep: (documents: readonly OrderDocument[]): void => {
      for (const document of documents) {
        kept.delete(document._id);
        kept.set(document._id, document);
      }
      keepNewest(kept, maxRecent);
    },
    /** Those that are known; each is given out once until it is kept again. */
    take: (ids: readonly number[]): OrderDocument[] =>
      ids.flatMap((id) => {
        const document = kept.get(id) ?? [];
        kept.delete(id);
        return document;
      }),
  };
}
