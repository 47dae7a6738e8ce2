import { idBound } from '@order-automation/contracts';
import {
  type Documents,
  type Filter,
  type IndexDescription,
  insertNew,
  type Sort,
  type Store,
} from '@order-automation/store';

/** accepted -> done | dead when evaluation reports. */
export type InboxState = 'accepted' | 'done' | 'dead';

/**
 * One accepted event, and what became of it: small, because it changes. What came lies in its payload, which is flushed before or with it.
 * Times are ISO 8601 UTC; `_id` is the id of the event and sorts by arrival.
 */
export type InboxDocument = {
  readonly _id: string;
  /** The idempotency key. */
  readonly key: string;
  readonly state: InboxState;
  readonly process_id: string;
  /** The document of `payloads` that holds the event. */
  readonly payload: string;
  /** When it is published again; absent when it is done. */
  readonly due_at?: string;
  /** How often the relay has published it. */
  readonly attempts: number;
  /** Audit has the entry about the reception from us. */
  readonly entries_handed?: boolean;
  readonly done_at?: string;
};

/**
 * Milliseconds after which the relay looks at what the fast path should have finished: more than a burst takes to be worked off, because
 * what is published again only makes a queue longer.
 */
export const firstPatience = 15_000;

/** decisions.md section 6: milliseconds in which a key is not accepted again. */
export const keyLifetime = 35 * 24 * 60 * 60_000;

export const inboxIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, name: 'key', unique: true },
  { key: { due_at: 1 }, name: 'due', sparse: true },
];

type Query = { readonly filter: Filter<InboxDocument>; readonly sort?: Sort<InboxDocument> };

/** Every query of the collection. `now` in milliseconds since the epoch. */
export const inboxQueries = {
  holders: (keys: readonly string[]): Query => ({ filter: { key: { $in: keys } } }),
  dueEvents: (now: number): Query => ({ filter: { due_at: { $lte: iso(now) } }, sort: { due_at: 1 } }),
  open: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids }, state: 'accepted' } }),
  published: (ids: readonly string[], attempts: number): Query => ({
    filter: { _id: { $in: ids }, state: 'accepted', attempts },
  }),
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids } } }),
  /** Finished documents whose key may be accepted again. */
  expired: (now: number): Query => ({
    filter: { _id: { $lt: idBound('evt', now - keyLifetime) }, state: { $in: ['done', 'dead'] } },
    sort: { _id: 1 },
  }),
} as const;

function iso(time: number): string {
  return new Date(time).toISOString();
}

export type Holder = Pick<InboxDocument, '_id' | 'key' | 'state' | 'process_id'>;
/** Keys that others hold, with their holders. */
export type Taken = ReadonlyMap<string, Holder>;
export type Inbox = Awaited<ReturnType<typeof openInbox>>;

/** Opens the collection. Everything resolves when it is flushed, and rejects when the database is away. */
export async function openInbox(store: Store) {
  const documents = await store.collection<InboxDocument>('inbox', inboxIndexes);
  const find = ({ filter, sort }: Query, limit: number): Promise<InboxDocument[]> => {
    const cursor = documents.find(filter);
    return (sort ? cursor.sort(sort) : cursor).limit(limit).toArray();
  };
  return {
    documents,
    claim: (candidates: readonly InboxDocument[], now: number) => claim(documents, candidates, now),
    dueEvents: (now: number, limit: number) => find(inboxQueries.dueEvents(now), limit),
    /** Those of these that are not done. */
    open: (ids: readonly string[]) => find(inboxQueries.open(ids), ids.length),
    expired: (now: number, limit: number) => find(inboxQueries.expired(now), limit),
    /** Leaves documents that the relay has just published `attempts + 1` times alone until `dueAt`. */
    postpone: (ids: readonly string[], attempts: number, dueAt: number) =>
      documents.updateMany(inboxQueries.published(ids, attempts).filter, {
        $set: { due_at: iso(dueAt), attempts: attempts + 1 },
      }),
    markHanded: (ids: readonly string[]) =>
      documents.updateMany(inboxQueries.open(ids).filter, { $set: { entries_handed: true } }),
    close: (ids: readonly string[], state: 'done' | 'dead', now: number) =>
      documents.updateMany(inboxQueries.open(ids).filter, {
        $set: { state, done_at: iso(now) },
        $unset: { due_at: '' },
      }),
    /** Which of these are there. */
    known: async (ids: readonly string[]): Promise<ReadonlySet<string>> => {
      const found = await documents.find(inboxQueries.byIds(ids).filter, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    remove: (ids: readonly string[]) => documents.deleteMany(inboxQueries.byIds(ids).filter),
  };
}

/**
 * Inserts documents and resolves with the holders of the keys that were taken. A key whose holder is finished and older than 35 days is free.
 * Rejects when anything may be missing: then nothing may be promised.
 */
async function claim(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxDocument[],
  now: number,
): Promise<Taken> {
  const taken = new Map<string, Holder>();
  let refused = await insert(documents, candidates);
  for (let round = 0; refused.length > 0; round += 1) {
    if (round === 3) throw new Error('keys of the inbox are neither free nor held');
    const holders = await holdersOf(documents, refused);
    const bound = idBound('evt', now - keyLifetime);
    const expired = [...holders.values()].filter(
      ({ _id, state }) => _id < bound && (state === 'done' || state === 'dead'),
    );
    const free = new Set(expired.map(({ key }) => key));
    for (const [key, holder] of holders) if (!free.has(key)) taken.set(key, holder);
    if (expired.length > 0) await documents.deleteMany(inboxQueries.byIds(expired.map(({ _id }) => _id)).filter);
    refused = await insert(
      documents,
      refused.filter(({ key }) => !taken.has(key)),
    );
  }
  return taken;
}

/** The documents whose key is held by another. */
async function insert(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxDocument[],
): Promise<InboxDocument[]> {
  const duplicates = await insertNew(documents, candidates);
  return duplicates.map((index) => candidates[index]).filter((candidate) => candidate !== undefined);
}

async function holdersOf(
  documents: Documents<InboxDocument>,
  refused: readonly InboxDocument[],
): Promise<Map<string, Holder>> {
  const { filter } = inboxQueries.holders(refused.map(({ key }) => key));
  const found = await documents.find(filter, { projection: { _id: 1, key: 1, state: 1, process_id: 1 } }).toArray();
  return new Map(found.map((holder) => [holder.key, holder]));
}
