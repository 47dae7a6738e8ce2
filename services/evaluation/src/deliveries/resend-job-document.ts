import { idBound, type NewAuditEntry, type ResendJob } from '@order-automation/contracts';
import type { IndexDescription, Store } from '@order-automation/store';

/** A job that sends deliveries again, and how far it has come: `cursor` is the last one that it looked at. Those from `upto` on came later. */
export type ResendJobDocument = Readonly<Omit<ResendJob, 'id'>> & {
  readonly _id: string;
  readonly process_id: string;
  readonly cursor: string;
  readonly upto: string;
  /** What the log does not have yet. */
  readonly entry: NewAuditEntry | null;
  readonly fence: number;
  /** Milliseconds since the epoch: when the next process may go on with it; absent when nothing is left to do. */
  readonly due?: number;
};

export const resendJobIndexes: readonly IndexDescription[] = [{ name: 'due', key: { due: 1 }, sparse: true }];

export const resendJobQueries = {
  due: (now: number) => ({ due: { $lte: now } }),
  ours: ({ _id, fence }: Pick<ResendJobDocument, '_id' | 'fence'>) => ({ _id, fence }),
  before: (time: number) => ({ _id: { $lt: idBound('rsd', time) } }),
};

/** Milliseconds after which another process may go on with a job. */
const leaseTime = 30_000;
const mostListed = 100;

export type ResendJobs = Awaited<ReturnType<typeof openResendJobs>>;

export async function openResendJobs(store: Store) {
  const documents = await store.collection<ResendJobDocument>('resend_jobs', resendJobIndexes);
  const { due, ours, before } = resendJobQueries;
  const change = async (
    job: ResendJobDocument,
    { _id: _, ...set }: Partial<ResendJobDocument>,
  ): Promise<ResendJobDocument | null> => {
    const { matchedCount } = await documents.updateOne(ours(job), { $set: set });
    return matchedCount === 1 ? { ...job, ...set } : null;
  };
  return {
    documents,
    byId: (_id: string) => documents.findOne({ _id }),
    newest: () => documents.find({}).sort({ _id: -1 }).limit(mostListed).toArray(),
    insert: (job: ResendJobDocument) => documents.insertOne(job),
    due: (now: number, limit: number) => documents.find(due(now)).sort({ due: 1 }).limit(limit).toArray(),
    /** Null when another process has it. */
    take: (job: ResendJobDocument, now: number) => change(job, { fence: job.fence + 1, due: now + leaseTime }),
    /** Null when it was cancelled or another process has it. */
    save: (job: ResendJobDocument, changed: Partial<ResendJobDocument>, now: number) =>
      change(job, { ...changed, due: now + leaseTime }),
    /** Ends it, whoever works on it. False when it changed meanwhile. */
    end: async (job: ResendJobDocument, ended: Partial<ResendJobDocument>, now: number): Promise<boolean> =>
      (await change(job, { ...ended, fence: job.fence + 1, due: now })) !== null,
    /** The log has all of it. */
    close: (job: ResendJobDocument) =>
      documents.updateOne(ours(job), { $set: { entry: null }, $unset: { due: '' as const } }),
    purge: (time: number) => documents.deleteMany(before(time)),
  };
}
