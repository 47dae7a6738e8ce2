import { type EventDone, idBound, type RuleVersionName, type UniversalEvent } from '@order-automation/contracts';
import {
  type Documents,
  type Filter,
  type IndexDescription,
  insertNew,
  isUnavailable,
  type Sort,
  type Store,
} from '@order-automation/store';

/**
 * `verifying`: the wallet has not confirmed it yet. `held`: its gateway or connection is paused. `accepted`: on its way to evaluation until that
 * reports `done` or `dead`. `refused`: kept, and never evaluated.
 */
export type InboxState = 'verifying' | 'held' | 'accepted' | 'done' | 'dead' | 'refused';

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** What is kept of a webhook besides its event and its body. */
export type StoredWebhook = {
  readonly connection: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_bytes: number;
  readonly metadata: Metadata;
};

/**
 * One event with the webhook that brought it, and what became of it. Times are ISO 8601 UTC; `_id` is the id of the event and sorts by
 * arrival. The body is the received bytes: as text where they are UTF-8, else in base64; of several events of one webhook the first has it.
 */
export type InboxDocument = {
  readonly _id: string;
  /** The idempotency key. */
  readonly key: string;
  readonly state: InboxState;
  /** `gateway_card`, `generic/erp`: what is paused and counted. */
  readonly endpoint: string;
  readonly process_id: string;
  readonly event: UniversalEvent;
  readonly webhook: StoredWebhook;
  readonly body?: string;
  readonly body_encoding?: 'base64';
  /** Bytes that count for the quota of webhooks that nothing proves. */
  readonly quota_bytes?: number;
  /** When it is published again, or asked about again; absent when nothing more is to be done. */
  readonly due_at?: string;
  /** How often the relay has published it or asked about it. */
  readonly attempts: number;
  readonly order_id?: number;
  readonly outcome?: EventDone['outcome'];
  /** The event that this one repeats, and how often an event was repeated. */
  readonly replay_of?: string;
  readonly replays?: number;
  /** Versions of the rules that a replay is to be evaluated with; without them the rules as they are. */
  readonly rules?: readonly RuleVersionName[];
  /** Why it is dead or refused, as the log says it. */
  readonly reason?: string;
  readonly done_at?: string;
};

/**
 * Milliseconds after which the relay looks at what the fast path should have finished: more than a burst takes to be worked off, because
 * what is published again only makes a queue longer.
 */
export const firstPatience = 15_000;
const longestPatience = 5 * 60_000;

/** Milliseconds until an event is published for the (`attempts` + 1)th time. */
export function patienceAfter(attempts: number): number {
  return Math.min(firstPatience * 2 ** attempts, longestPatience);
}

/** decisions.md section 6: milliseconds in which a key is not accepted again. */
export const keyLifetime = 35 * 24 * 60 * 60_000;

export const inboxIndexes: readonly IndexDescription[] = [
  { key: { key: 1 }, name: 'key', unique: true },
  { key: { due_at: 1 }, name: 'due', sparse: true },
  { key: { state: 1, _id: 1 }, name: 'state' },
  { key: { process_id: 1 }, name: 'process' },
  { key: { order_id: 1 }, name: 'order', sparse: true },
];

type Query = { readonly filter: Filter<InboxDocument>; readonly sort?: Sort<InboxDocument> };

/** Every query of the receiving path and the relay. `now` in milliseconds since the epoch. */
export const inboxQueries = {
  holders: (keys: readonly string[]): Query => ({ filter: { key: { $in: keys } } }),
  due: (now: number): Query => ({ filter: { due_at: { $lte: iso(now) } }, sort: { due_at: 1 } }),
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids } } }),
  inState: (ids: readonly string[], state: InboxState): Query => ({ filter: { _id: { $in: ids }, state } }),
  held: (endpoint: string): Query => ({ filter: { state: 'held', endpoint }, sort: { _id: 1 } }),
  oldest: (state: InboxState): Query => ({ filter: { state }, sort: { _id: 1 } }),
  after: (id: string): Query => ({ filter: { _id: { $gt: id } }, sort: { _id: 1 } }),
  /** Documents whose key may be accepted again; those that evaluation still owes an answer to are left. */
  expired: (now: number): Query => ({ filter: { _id: { $lt: idBound('evt', now - keyLifetime) } }, sort: { _id: 1 } }),
} as const;

function iso(time: number): string {
  return new Date(time).toISOString();
}

const finished: readonly InboxState[] = ['done', 'dead', 'refused'];
const withoutBody = { projection: { body: 0 } } as const;

export type FinishedEvent = Pick<EventDone, 'event_id' | 'outcome' | 'order_id' | 'reason'>;

export type Holder = Pick<InboxDocument, '_id' | 'key' | 'state' | 'process_id'>;
export type Inbox = Awaited<ReturnType<typeof openInbox>>;

/** Opens the collection. Everything resolves when it is flushed, and rejects when the database is away. */
export async function openInbox(store: Store) {
  const documents = await store.collection<InboxDocument>('inbox', inboxIndexes);
  const find = ({ filter, sort }: Query, limit: number): Promise<InboxDocument[]> => {
    const cursor = documents.find(filter, withoutBody);
    return (sort ? cursor.sort(sort) : cursor).limit(limit).toArray();
  };
  return {
    documents,
    claim: (candidates: readonly InboxDocument[], now: number) => claim(documents, candidates, now),
    due: (now: number, limit: number) => find(inboxQueries.due(now), limit),
    byIds: (ids: readonly string[]) => find(inboxQueries.byIds(ids), ids.length),
    inState: (ids: readonly string[], state: InboxState) => find(inboxQueries.inState(ids, state), ids.length),
    /** What waits for the end of a pause, oldest first. */
    held: (endpoint: string, limit: number) => find(inboxQueries.held(endpoint), limit),
    newest: (filter: Filter<InboxDocument>, skip: number, limit: number) =>
      documents.find(filter, withoutBody).sort({ _id: -1 }).skip(skip).limit(limit).toArray(),
    oldestOf: (filter: Filter<InboxDocument>, limit: number) => find({ filter, sort: { _id: 1 } }, limit),
    count: (filter: Filter<InboxDocument>) => documents.countDocuments(filter),
    /** The oldest in this state. */
    oldest: async (state: InboxState) => (await find(inboxQueries.oldest(state), 1))[0],
    expired: async (now: number, limit: number) =>
      (await find(inboxQueries.expired(now), limit)).filter(({ state }) => finished.includes(state)),
    /** Leaves documents in this state alone until `dueAt`: they were just tried for the `attempts` + 1st time. */
    postpone: (ids: readonly string[], state: InboxState, attempts: number, dueAt: number) =>
      documents.updateMany(
        { ...inboxQueries.inState(ids, state).filter, attempts },
        { $set: { due_at: iso(dueAt), attempts: attempts + 1 } },
      ),
    /** From one state to another. Resolves with how many were in the first. */
    move: async (ids: readonly string[], from: InboxState, to: InboxState, set: Partial<InboxDocument>) => {
      const { filter } = inboxQueries.inState(ids, from);
      const { matchedCount } = await documents.updateMany(
        filter,
        set.due_at === undefined
          ? { $set: { ...set, state: to }, $unset: { due_at: '' } }
          : { $set: { ...set, state: to } },
      );
      return matchedCount;
    },
    /** Closes events that evaluation has finished. Resolves with how many were open. */
    finish: async (events: readonly FinishedEvent[], now: number): Promise<number> => {
      const done_at = iso(now);
      const operations = events.map(({ event_id, outcome, order_id, reason }) => ({
        updateOne: {
          filter: { _id: event_id, state: 'accepted' as const },
          update: {
            $set: {
              state: outcome === 'dead' ? ('dead' as const) : ('done' as const),
              outcome,
              done_at,
              ...(order_id === null ? {} : { order_id }),
              ...(reason === undefined ? {} : { reason }),
            },
            $unset: { due_at: '' as const },
          },
        },
      }));
      return (await documents.bulkWrite(operations, { ordered: false })).matchedCount;
    },
    /** They are evaluated again as events of their own; a dead letter is none any more. */
    markReplayed: (ids: readonly string[]) =>
      documents.updateMany(inboxQueries.byIds(ids).filter, { $set: { state: 'done' }, $inc: { replays: 1 } }),
    /** Whole documents in the order of their arrival. */
    after: (id: string, limit: number) =>
      documents.find(inboxQueries.after(id).filter).sort({ _id: 1 }).limit(limit).toArray(),
    /** Leaves nothing of what was received but `kept`. */
    eraseBody: async (_id: string, kept: Pick<InboxDocument, 'event' | 'webhook'>) => {
      const $unset = { body: '' as const, body_encoding: '' as const, quota_bytes: '' as const };
      await documents.updateOne({ _id }, { $set: kept, $unset });
    },
    remove: (ids: readonly string[]) => documents.deleteMany(inboxQueries.byIds(ids).filter),
  };
}

/**
 * Inserts documents and resolves with the holders of those keys that were taken, by key. A key whose holder is finished and older than 35 days
 * is free. Rejects when anything may be missing: then nothing may be promised.
 */
async function claim(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxDocument[],
  now: number,
): Promise<ReadonlyMap<string, Holder>> {
  const taken = new Map<string, Holder>();
  let refused = await insert(documents, candidates);
  for (let round = 0; refused.length > 0; round += 1) {
    if (round === 3) throw new Error('keys of the inbox are neither free nor held');
    const holders = await holdersOf(documents, refused);
    const bound = idBound('evt', now - keyLifetime);
    const expired = [...holders.values()].filter(({ _id, state }) => _id < bound && finished.includes(state));
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

/** Tries of an insert that the database refuses for a reason of its own: it ended one of two writers that waited for each other. */
const mostTries = 4;

/**
 * The documents whose key is held, by another or by themselves from an earlier try. They are inserted in the order of their keys, so that
 * groups with the same keys seldom wait for each other in a database that locks each key until the whole group is written.
 */
async function insert(
  documents: Documents<InboxDocument>,
  candidates: readonly InboxDocument[],
): Promise<InboxDocument[]> {
  const sorted = [...candidates].sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  for (let tries = 1; ; tries += 1) {
    try {
      const duplicates = await insertNew(documents, sorted);
      return duplicates.map((index) => sorted[index]).filter((candidate) => candidate !== undefined);
    } catch (error) {
      if (tries === mostTries || isUnavailable(error)) throw error;
    }
  }
}

async function holdersOf(
  documents: Documents<InboxDocument>,
  refused: readonly InboxDocument[],
): Promise<Map<string, Holder>> {
  const { filter } = inboxQueries.holders(refused.map(({ key }) => key));
  const found = await documents.find(filter, { projection: { _id: 1, key: 1, state: 1, process_id: 1 } }).toArray();
  return new Map(found.map((holder) => [holder.key, holder]));
}
