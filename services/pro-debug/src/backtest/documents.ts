import { type Backtest, idBound, type RuleRecord } from '@order-automation/contracts';
import type { IndexDescription, Store } from '@order-automation/store';

/** A back-test with what it tries. A process that takes it over begins anew: sums of orders are kept in memory alone. */
export type BacktestDocument = Readonly<Omit<Backtest, 'id'>> & {
  readonly _id: string;
  readonly candidate: RuleRecord;
  readonly saved: RuleRecord | null;
  readonly fence: number;
  /** Milliseconds since the epoch: when a process may work on it; absent when it has ended. */
  readonly due?: number;
};

export const backtestIndexes: readonly IndexDescription[] = [{ name: 'due', key: { due: 1 }, sparse: true }];

export const backtestQueries = {
  due: (now: number) => ({ due: { $lte: now } }),
  ours: ({ _id, fence }: Pick<BacktestDocument, '_id' | 'fence'>) => ({ _id, fence }),
  before: (time: number) => ({ _id: { $lt: idBound('bkt', time) } }),
};

/** Milliseconds after which another process may take a job over. */
const leaseTime = 30_000;
const mostListed = 100;

export type Backtests = Awaited<ReturnType<typeof openBacktests>>;

export async function openBacktests(store: Store) {
  const documents = await store.collection<BacktestDocument>('backtests', backtestIndexes);
  const { due, ours, before } = backtestQueries;
  const change = async (
    job: BacktestDocument,
    { _id: _, ...set }: Partial<BacktestDocument>,
  ): Promise<BacktestDocument | null> => {
    const { matchedCount } = await documents.updateOne(ours(job), { $set: set });
    return matchedCount === 1 ? { ...job, ...set } : null;
  };
  return {
    documents,
    byId: (_id: string) => documents.findOne({ _id }),
    newest: () => documents.find({}).sort({ _id: -1 }).limit(mostListed).toArray(),
    insert: (job: BacktestDocument) => documents.insertOne(job),
    due: (now: number, limit: number) => documents.find(due(now)).sort({ due: 1 }).limit(limit).toArray(),
    /** Null when another process has it. */
    take: (job: BacktestDocument, now: number) => change(job, { fence: job.fence + 1, due: now + leaseTime }),
    /** Null when it was cancelled or another process has it. */
    save: (job: BacktestDocument, changed: Partial<BacktestDocument>, now: number) =>
      change(job, { ...changed, due: now + leaseTime }),
    /** Ends it, whoever works on it. False when it changed meanwhile. */
    end: async (job: BacktestDocument, ended: Partial<BacktestDocument>): Promise<boolean> => {
      const { _id: _, ...set } = ended;
      const fence = job.fence + 1;
      const { matchedCount } = await documents.updateOne(ours(job), {
        $set: { ...set, fence },
        $unset: { due: '' as const },
      });
      return matchedCount === 1;
    },
    purge: (time: number) => documents.deleteMany(before(time)),
  };
}
