import { type IdPrefix, idBound } from '@order-automation/contracts';
import type { Documents, Filter, IndexDescription, Store } from '@order-automation/store';

/** A long job, one document: whoever works on it holds it by its fence until `due`. */
export type JobDocument = {
  readonly _id: string;
  readonly fence: number;
  /** Milliseconds since the epoch: when a process may go on with it; absent when nothing is left to do. */
  readonly due?: number;
};

const jobIndexes: readonly IndexDescription[] = [{ name: 'due', key: { due: 1 }, sparse: true }];

export const jobQueries = {
  due: (now: number) => ({ due: { $lte: now } }),
  /** Held for longer than anybody holds a job: the clock ran ahead when that was written, and was put right. */
  dueTooLate: (now: number) => ({ due: { $gt: now + 10 * leaseTime } }),
  held: ({ _id, fence }: JobDocument) => ({ _id, fence }),
  before: (prefix: IdPrefix, time: number) => ({ _id: { $lt: idBound(prefix, time) } }),
};

/** Milliseconds after which another process may go on with a job. */
const leaseTime = 30_000;
const maxListed = 100;

/** The jobs of a collection, whose ids begin with the prefix. Rejects when the database is away. */
export async function openJobs<T extends JobDocument>(store: Store, name: string, prefix: IdPrefix) {
  const documents = await store.collection<T>(name, jobIndexes);
  // A filter on the fields that every job has cannot be typed for a T that is not known here.
  const common = documents as unknown as Documents<JobDocument>;
  const { due, dueTooLate, held, before } = jobQueries;
  const find = async (filter: Filter<JobDocument>, limit: number) =>
    (await common.find(filter).sort({ due: 1 }).limit(limit).toArray()) as readonly JobDocument[] as T[];
  const change = async (job: T, { _id: _, ...set }: Partial<T>): Promise<T | null> => {
    const { matchedCount } = await common.updateOne(held(job), { $set: set as Partial<JobDocument> });
    return matchedCount === 1 ? { ...job, ...set } : null;
  };
  return {
    documents,
    byId: async (_id: string) => (await common.findOne({ _id })) as T | null,
    newest: async () =>
      (await common.find({}).sort({ _id: -1 }).limit(maxListed).toArray()) as readonly JobDocument[] as T[],
    insert: (job: T) => documents.insertOne(job),
    due: async (now: number, limit: number) => {
      const found = await find(due(now), limit);
      return found.length > 0 ? found : find(dueTooLate(now), limit);
    },
    /** Null when its fence has changed: it was cancelled or another process has it. */
    change,
    take: (job: T, now: number) => change(job, { fence: job.fence + 1, due: now + leaseTime } as Partial<T>),
    save: (job: T, changed: Partial<T>, now: number) => change(job, { ...changed, due: now + leaseTime }),
    /** Nothing is left to do. False when its fence has changed. */
    finish: async (job: T, { _id: _, ...set }: Partial<T>): Promise<boolean> => {
      const update = { $set: set as Partial<JobDocument>, $unset: { due: '' as const } };
      return (await common.updateOne(held(job), update)).matchedCount === 1;
    },
    purge: (time: number) => common.deleteMany(before(prefix, time)),
  };
}
