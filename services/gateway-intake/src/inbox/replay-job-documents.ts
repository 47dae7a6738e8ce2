import { type EventFilter, idBound, type ReplayJob } from '@order-automation/contracts';
import type { Filter, IndexDescription, Sort, Store } from '@order-automation/store';
import { keyLifetime } from './inbox';

export type ReplayedState = 'done' | 'dead';

/**
 * A job that replays the events that pass a filter, and how far it has come: `states` are those still to be walked, `cursor` is the last event
 * of the first of them that was replayed. Events from `upto` on came after it began. The holder of the lease works on it.
 */
export type ReplayJobDocument = {
  readonly _id: string;
  readonly state: ReplayJob['state'];
  readonly filter: EventFilter;
  readonly by: string;
  readonly states: readonly ReplayedState[];
  readonly cursor: string;
  readonly upto: string;
  readonly matching: number;
  readonly replayed: number;
  /** The versions of the rules that each event was evaluated with. */
  readonly rules?: 'original';
  /** Events without such versions. */
  readonly skipped?: number;
  /** Milliseconds since the epoch. */
  readonly lease_until: number;
  readonly started_at: string;
  readonly finished_at?: string;
};

export const replayJobIndexes: readonly IndexDescription[] = [{ key: { state: 1, lease_until: 1 }, name: 'state' }];

type Query = { readonly filter: Filter<ReplayJobDocument>; readonly sort?: Sort<ReplayJobDocument> };

/** Every query of the collection. `now` in milliseconds since the epoch. */
export const replayJobQueries = {
  byId: (id: string): Query => ({ filter: { _id: id } }),
  newest: (): Query => ({ filter: {}, sort: { _id: -1 } }),
  /** Running, and nobody works on it. */
  free: (now: number): Query => ({ filter: { state: 'running', lease_until: { $lt: now } } }),
  /** Held for longer than anybody holds a job: the clock ran ahead when that was written, and was put right. */
  heldTooLong: (now: number): Query => ({ filter: { state: 'running', lease_until: { $gt: now + 10 * leaseTime } } }),
  held: ({ _id, lease_until }: ReplayJobDocument): Query => ({ filter: { _id, state: 'running', lease_until } }),
  /** Still as it was read: nobody has taken it over or cancelled it. */
  unchanged: ({ _id, cursor, lease_until }: ReplayJobDocument): Query => ({
    filter: { _id, state: 'running', cursor, lease_until },
  }),
  expired: (now: number): Query => ({ filter: { _id: { $lt: idBound('rpl', now - keyLifetime) } } }),
} as const;

/** Milliseconds after which another process may go on with a job. */
const leaseTime = 30_000;
const maxListed = 100;

export type ReplayJobs = Awaited<ReturnType<typeof openReplayJobs>>;

/** Opens the collection. */
export async function openReplayJobs(store: Store) {
  const documents = await store.collection<ReplayJobDocument>('replay_jobs', replayJobIndexes);
  const { byId, newest, free, heldTooLong, held, unchanged, expired } = replayJobQueries;
  return {
    documents,
    byId: (id: string) => documents.findOne(byId(id).filter),
    newest: () =>
      documents
        .find(newest().filter)
        .sort(newest().sort ?? {})
        .limit(maxListed)
        .toArray(),
    /** The job is worked on from the start by the process that makes it. */
    insert: async (job: Omit<ReplayJobDocument, 'lease_until'>, now: number): Promise<ReplayJobDocument> => {
      const leased = { ...job, lease_until: now + leaseTime };
      await documents.deleteMany(expired(now).filter);
      await documents.insertOne(leased);
      return leased;
    },
    /** Jobs that nobody works on. */
    free: async (now: number, limit: number) => {
      const found = await documents.find(free(now).filter).limit(limit).toArray();
      return found.length > 0 ? found : documents.find(heldTooLong(now).filter).limit(limit).toArray();
    },
    /** The job that was found free, when nobody else has taken it meanwhile. */
    lease: async (job: ReplayJobDocument, now: number): Promise<ReplayJobDocument | null> => {
      const set = { lease_until: now + leaseTime };
      const { matchedCount } = await documents.updateOne(held(job).filter, { $set: set });
      return matchedCount === 1 ? documents.findOne(byId(job._id).filter) : null;
    },
    /** The job with what has changed and a new lease; null when it was cancelled, or somebody else has taken it over. */
    save: async (
      job: ReplayJobDocument,
      change: Partial<ReplayJobDocument>,
      now: number,
    ): Promise<ReplayJobDocument | null> => {
      const set = { lease_until: now + leaseTime, ...change };
      const { matchedCount } = await documents.updateOne(unchanged(job).filter, { $set: set });
      return matchedCount === 1 ? { ...job, ...set } : null;
    },
    /** False when it does not run any more. */
    cancel: async (id: string, finished_at: string): Promise<boolean> => {
      const set = { state: 'cancelled' as const, finished_at };
      const { matchedCount } = await documents.updateOne({ _id: id, state: 'running' }, { $set: set });
      return matchedCount === 1;
    },
  };
}
