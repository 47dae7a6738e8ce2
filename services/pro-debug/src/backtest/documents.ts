import type { Backtest, RuleRecord } from '@order-automation/contracts';
import { type JobDocument, openJobs } from '@order-automation/service';
import type { Store } from '@order-automation/store';

/** A back-test with what it tries. A process that takes it over begins again: sums of orders are kept in memory alone. */
export type BacktestDocument = JobDocument &
  Readonly<Omit<Backtest, 'id'>> & {
    readonly candidate: RuleRecord;
    readonly saved: RuleRecord | null;
  };

export type Backtests = Awaited<ReturnType<typeof openBacktests>>;

export async function openBacktests(store: Store) {
  const jobs = await openJobs<BacktestDocument>(store, 'backtests', 'bkt');
  return {
    ...jobs,
    /** Ends it, whoever works on it. False when it changed meanwhile. */
    end: (job: BacktestDocument, ended: Partial<BacktestDocument>) =>
      jobs.finish(job, { ...ended, fence: job.fence + 1 }),
  };
}
