import { idBound } from '@order-automation/contracts';
import { type Filter, insertNew, type Sort, type Store } from '@order-automation/store';
import { type InboxDocument, type InboxEvent, joined, type PayloadDocument } from './documents';

type Query = { readonly filter: Filter<PayloadDocument>; readonly sort?: Sort<PayloadDocument> };

/** Every query of the collection. */
export const payloadQueries = {
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids } } }),
  after: (id: string): Query => ({ filter: { _id: { $gt: id } }, sort: { _id: 1 } }),
  /** Those that came before a time, behind an id. */
  between: (id: string, before: number): Query => ({
    filter: { _id: { $gt: id, $lt: idBound('evt', before) } },
    sort: { _id: 1 },
  }),
} as const;

const withoutBody = { projection: { body: 0 } } as const;

export type Payloads = Awaited<ReturnType<typeof openPayloads>>;

/** Opens the collection of what was received. */
export async function openPayloads(store: Store) {
  const documents = await store.collection<PayloadDocument>('payloads');
  return {
    documents,
    /** Those that are there already stay as they are. */
    add: (payloads: readonly PayloadDocument[]) => insertNew(documents, payloads),
    byId: (id: string) => documents.findOne({ _id: id }),
    /** The events of these documents, without bodies, in their order; those that have none were never acknowledged, and are left out. */
    join: async (all: readonly InboxDocument[]): Promise<InboxEvent[]> => {
      if (all.length === 0) return [];
      const { filter } = payloadQueries.byIds(all.map(({ _id }) => _id));
      const found = new Map((await documents.find(filter, withoutBody).toArray()).map((one) => [one._id, one]));
      return all.flatMap((document) => {
        const payload = found.get(document._id);
        return payload ? [joined(document, payload)] : [];
      });
    },
    /** Those of these ids that have no payload. */
    missing: async (ids: readonly string[]): Promise<string[]> => {
      const { filter } = payloadQueries.byIds(ids);
      const found = await documents.find(filter, { projection: { _id: 1 } }).toArray();
      const there = new Set(found.map(({ _id }) => _id));
      return ids.filter((id) => !there.has(id));
    },
    /** Whole ones in the order of their arrival. */
    after: (id: string, limit: number) => {
      const { filter, sort = {} } = payloadQueries.after(id);
      return documents.find(filter).sort(sort).limit(limit).toArray();
    },
    /** The ids of those that came before a time, behind an id, in their order. */
    idsBetween: async (id: string, before: number, limit: number): Promise<string[]> => {
      const { filter, sort = {} } = payloadQueries.between(id, before);
      const found = await documents
        .find(filter, { projection: { _id: 1 } })
        .sort(sort)
        .limit(limit)
        .toArray();
      return found.map(({ _id }) => _id);
    },
    /** Leaves nothing of what was received but `kept`. */
    erase: async (_id: string, kept: Partial<Pick<PayloadDocument, 'event' | 'webhook'>>): Promise<void> => {
      const $unset = { body: '' as const, body_encoding: '' as const };
      await documents.updateOne({ _id }, Object.keys(kept).length > 0 ? { $set: kept, $unset } : { $unset });
    },
    remove: (ids: readonly string[]) => documents.deleteMany(payloadQueries.byIds(ids).filter),
  };
}
