import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@order-automation/bus';
import {
  type Backtest,
  isoTime,
  type JudgeCursor,
  maxBacktested,
  newId,
  type RequestInput,
  type RuleRecord,
  ServiceError,
} from '@order-automation/contracts';
import {
  type JobDocument,
  type Jobs,
  openJobs,
  restingSweep,
  type ServiceDeps,
  startJobs,
  withId,
} from '@order-automation/service';
import type { Store } from '@order-automation/store';
import type { DebugDeps } from '../deps';
import { backtestRun, type TestRuns } from '../rule-tests/test-runs';
import { triedRules } from './candidate';
import { tallyOf } from './tally';

/** A back-test with what it tries. A process that takes it over begins again: sums of orders are kept in memory alone. */
export type BacktestDocument = JobDocument &
  Readonly<Omit<Backtest, 'id'>> & { readonly candidate: RuleRecord; readonly saved: RuleRecord | null };

export type Backtests = Jobs<BacktestDocument>;

export type BacktestDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly jobs: Backtests;
  readonly judge: ReturnType<typeof judgeReader>;
  readonly runs: Pick<TestRuns, 'record'>;
};

/** Events of one page, and how much longer than it took the job then rests: webhooks come first. */
const pageSize = 25;
const restFactor = 4;
const shortestRest = 20;
/** Shorter than the lease of a job. */
const longestRest = 5_000;
const sweepEvery = 500;
/** Milliseconds that evaluation has for a page. */
const timeout = 10_000;
const defaultLast = 1_000;
const maxTries = 5;

export const openBacktests = (store: Store): Promise<Backtests> =>
  openJobs(store, 'backtests', 'bkt', { noun: 'back-test', notFound: 'svc_backtest_not_found' });

export const judgeReader = (bus: Pick<Bus, 'request'>) => (input: RequestInput<'evaluation.events.judge.v1'>) =>
  bus.request('evaluation.events.judge.v1', input, { timeout });

/** 404 `svc_rule_not_found`, 400 for a rule that is not valid and for parameters that exclude each other. */
export async function startBacktest(
  input: RequestInput<'debug.backtest.start.v1'>,
  deps: DebugDeps,
  { jobs, clock }: Pick<BacktestDeps, 'jobs' | 'clock'>,
  kick: () => void,
): Promise<{ job: Backtest }> {
  const { candidate, saved, rule } = await triedRules(input, deps);
  const now = clock.now();
  const { from = null, to = null } = input;
  const isRange = from !== null || to !== null;
  const job: BacktestDocument = {
    _id: newId('bkt', now),
    state: 'running',
    by: input.by ?? 'someone',
    rule,
    compared_with: saved && { rule_id: saved.id, version: saved.version },
    last: isRange ? null : (input.last ?? defaultLast),
    from,
    // What comes later is left alone.
    to: to ?? isoTime(now),
    total: 0,
    looked: 0,
    result: tallyOf(saved !== null).result(),
    reason: null,
    started_at: isoTime(now),
    finished_at: null,
    candidate,
    saved,
    fence: 0,
    due: now,
  };
  await jobs.insert(job);
  kick();
  return { job: withId(job) };
}

export function startBacktests(deps: BacktestDeps) {
  return startJobs<BacktestDocument>({
    ...deps,
    name: 'back-tests',
    every: sweepEvery,
    longest: restingSweep,
    begin: (job) => stepsOf(job, deps),
  });
}

/** A step is one page; between two of them the job rests. */
function stepsOf({ saved, candidate, last, from, to }: BacktestDocument, deps: BacktestDeps) {
  const { judge, clock, runs } = deps;
  const tally = tallyOf(saved !== null);
  const maxEvents = last ?? maxBacktested;
  let [cursor, looked, total]: [JudgeCursor | null, number, number] = [null, 0, 0];
  let [rest, tries] = [0, 0];
  return async (job: BacktestDocument): Promise<Partial<BacktestDocument>> => {
    await sleep(rest);
    const began = performance.now();
    const limit = Math.min(pageSize, maxEvents - looked);
    const page = await judge({ candidate, saved, from, to, cursor, limit }).catch((error: unknown) => {
      tries += 1;
      return failed(job, tries, error, deps);
    });
    if (!('events' in page)) {
      rest = 200 * 2 ** tries;
      return page;
    }
    tries = 0;
    for (const event of page.events) tally.add(event);
    looked += page.events.length;
    total = page.total === null ? total : Math.min(page.total, maxEvents);
    cursor = page.next;
    rest = Math.min(longestRest, Math.max(shortestRest, restFactor * (performance.now() - began)));
    const isEnd = cursor === null || looked >= maxEvents;
    const progress = { total: isEnd ? looked : Math.max(total, looked), looked, result: tally.result() };
    if (!isEnd) return progress;
    const now = clock.now();
    await runs.record(backtestRun(newId('run', now), now, candidate.rule, progress.result));
    return { ...progress, state: 'done', finished_at: isoTime(now), due: undefined };
  };
}

/** The same page is tried again, with what was summed up so far; after the last try the job has failed. */
function failed(
  { _id }: BacktestDocument,
  tries: number,
  error: unknown,
  { clock, log }: BacktestDeps,
): Partial<BacktestDocument> {
  if (tries < maxTries && !(error instanceof ServiceError && error.status < 500)) return {};
  log.warn({ err: error, backtest: _id }, 'a back-test could not be finished');
  const reason = error instanceof ServiceError ? error.message : 'Past events could not be read.';
  return { state: 'failed', reason, finished_at: isoTime(clock.now()), due: undefined };
}

export async function getBacktest(id: string, jobs: Backtests): Promise<{ job: Backtest }> {
  return { job: withId(await jobs.existing(id)) };
}

/** Its result so far stays for a day. */
export async function cancelBacktest(
  { id }: RequestInput<'debug.backtest.cancel.v1'>,
  { jobs, clock }: Pick<BacktestDeps, 'jobs' | 'clock'>,
): Promise<{ job: Backtest }> {
  await jobs.cancel(id, () => ({ state: 'cancelled', finished_at: isoTime(clock.now()) }));
  return getBacktest(id, jobs);
}
