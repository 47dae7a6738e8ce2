import { retryOf } from '@order-automation/bus';
import {
  type Documents,
  type FindOptions,
  type IndexDescription,
  insertNew,
  type Store,
} from '@order-automation/store';
import { type InboxDocument, type InboxEvent, joined, type PayloadDocument, payloadOf } from './documents';

/** An event whose key is taken for another one. */
export type Holder = Pick<PayloadDocument, '_id' | 'key' | 'process_id'>;

export const payloadIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, name: 'key', unique: true, sparse: true },
];

const withoutBody = { projection: { body: 0 } } as const;

export type Payloads = Awaited<ReturnType<typeof openPayloads>>;

export async function openPayloads(store: Store) {
  const documents = await store.collection<PayloadDocument>('payloads', payloadIndexes);
  const after = (id: string, limit: number, options: FindOptions<PayloadDocument>) =>
    documents.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit, ...options }).toArray();
  return {
    documents,
    /** Stores events. Resolves with the keys that are taken, by others or by an earlier try of these. */
    add: (events: readonly InboxEvent[]) => add(documents, events.map(payloadOf)),
    holders: async (keys: readonly string[]): Promise<Holder[]> => {
      if (keys.length === 0) return [];
      return documents.find({ key: { $in: keys } }, { projection: { _id: 1, key: 1, process_id: 1 } }).toArray();
    },
    byKeys: (keys: readonly string[]) => documents.find({ key: { $in: keys } }).toArray(),
    byIds: (ids: readonly string[]) => documents.find({ _id: { $in: ids } }, withoutBody).toArray(),
    byId: (id: string) => documents.findOne({ _id: id }),
    /** The events of these documents, without bodies, in their order; those that have none were never acknowledged, and are left out. */
    join: async (all: readonly InboxDocument[]): Promise<InboxEvent[]> => {
      if (all.length === 0) return [];
      const ids = all.map(({ _id }) => _id);
      const payloads = await documents.find({ _id: { $in: ids } }, withoutBody).toArray();
      const found = new Map(payloads.map((one) => [one._id, one]));
      return all.flatMap((document) => {
        const payload = found.get(document._id);
        return payload ? [joined(document, payload)] : [];
      });
    },
    after: (id: string, limit: number) => after(id, limit, {}),
    /** The first ids behind this one, in the order of their arrival. */
    idsAfter: async (id: string, limit: number): Promise<string[]> =>
      (await after(id, limit, { projection: { _id: 1 } })).map(({ _id }) => _id),
    /** Another event may have the key of this one. */
    freeKey: (_id: string) => documents.updateOne({ _id }, { $set: { key: `unconfirmed ${_id}` } }),
    /** Leaves nothing of what was received but `kept`. */
    erase: async (_id: string, kept: Partial<Pick<PayloadDocument, 'event' | 'webhook'>>): Promise<void> => {
      const $unset = { body: '' as const, body_encoding: '' as const };
      await documents.updateOne({ _id }, Object.keys(kept).length > 0 ? { $set: kept, $unset } : { $unset });
    },
    remove: (ids: readonly string[]) => documents.deleteMany({ _id: { $in: ids } }),
  };
}

/** Tries of an insert that the database refuses for a reason of its own: it ended one of two writers that waited for each other. */
const maxTries = 4;

/** Inserted in the order of their keys, so that groups with the same keys seldom wait for each other in a database that locks key by key. */
async function add(
  documents: Documents<PayloadDocument>,
  payloads: readonly PayloadDocument[],
): Promise<readonly string[]> {
  const sorted = [...payloads].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  for (let tries = 1; ; tries += 1) {
    try {
      return (await insertNew(documents, sorted)).flatMap((index) => sorted[index]?.key ?? []);
    } catch (error) {
      if (tries === maxTries || retryOf(error) === 'later') throw error;
    }
  }
}
