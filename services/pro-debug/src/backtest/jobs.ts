import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@order-automation/bus';
import {
  type Backtest,
  isoTime,
  type JudgeCursor,
  maxBacktested,
  newId,
  type RequestInput,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import { type Clock, type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import type { DebugDeps } from '../handlers';
import { requireLicence } from '../licence';
import { backtestRun, type TestRuns } from '../test-runs';
import { triedRules } from './candidate';
import type { BacktestDocument, Backtests } from './documents';
import { tallyOf } from './tally';

type Page = RequestOutput<'evaluation.events.judge.v1'>;

export type BacktestDeps = {
  readonly jobs: Backtests;
  readonly judge: (input: RequestInput<'evaluation.events.judge.v1'>) => Promise<Page>;
  readonly clock: Clock;
  readonly log: ServiceDeps['log'];
  readonly runs: Pick<TestRuns, 'record'>;
};

/** Events of one page, and how much longer than it took the job then rests: webhooks come first. */
const pageSize = 25;
const restFactor = 4;
const shortestRest = 20;
/** Shorter than the lease of a job. */
const longestRest = 5_000;
const sweepEvery = 500;
/** Milliseconds between two writes of the progress, which also tell whether the job was cancelled. */
const saveEvery = 250;
/** Milliseconds that evaluation has for a page. */
const timeout = 10_000;
const defaultLast = 1_000;
/** Tries of one page. */
const maxTries = 5;

export const judgeReader =
  (bus: Pick<Bus, 'request'>): BacktestDeps['judge'] =>
  (input) =>
    bus.request('evaluation.events.judge.v1', input, { timeout });

/** 403 without a licence, 404 `svc_rule_not_found`, 400 for a rule that is not valid and for parameters that exclude each other. */
export async function startBacktest(
  input: RequestInput<'debug.backtest.start.v1'>,
  deps: DebugDeps,
  { jobs, clock }: Pick<BacktestDeps, 'jobs' | 'clock'>,
  kick: () => void,
): Promise<{ job: Backtest }> {
  requireLicence(input.edition);
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
  return { job: shown(job) };
}

/** Works on jobs one after the other, also on those whose process has died. */
export function startBacktests(deps: BacktestDeps): Relay {
  const { jobs, clock, log } = deps;
  let closing = false;
  const relay = startRelay<BacktestDocument>({
    name: 'back-tests',
    pending: (_olderThan, limit) => (closing ? Promise.resolve([]) : jobs.due(clock.now(), limit)),
    send: async (found) => {
      for (const job of found) if (!closing) await work(job, deps, () => closing);
    },
    every: sweepEvery,
    batch: 2,
    clock,
    log,
  });
  return {
    ...relay,
    close: async () => {
      closing = true;
      await relay.close();
    },
  };
}

async function work(found: BacktestDocument, deps: BacktestDeps, isClosing: () => boolean): Promise<void> {
  const { jobs, clock, runs } = deps;
  let job = await jobs.take(found, clock.now());
  const tally = tallyOf(found.saved !== null);
  const maxEvents = found.last ?? maxBacktested;
  let [cursor, looked, total]: [JudgeCursor | null, number, number] = [null, 0, 0];
  let savedAt = 0;
  while (job && !isClosing()) {
    const began = performance.now();
    const limit = Math.min(pageSize, maxEvents - looked);
    const read: Read | null = await pageOf(job, cursor, limit, deps);
    if (!read) return;
    const { page } = read;
    job = read.job;
    for (const event of page.events) tally.add(event);
    looked += page.events.length;
    total = page.total === null ? total : Math.min(page.total, maxEvents);
    cursor = page.next;
    const isEnd = cursor === null || looked >= maxEvents;
    const progress = { total: isEnd ? looked : Math.max(total, looked), looked, result: tally.result() };
    if (isEnd) {
      const now = clock.now();
      await runs.record(backtestRun(newId('run', now), now, job.candidate.rule, progress.result));
      await jobs.end(job, { ...progress, state: 'done', finished_at: isoTime(now) });
      return;
    }
    if (began - savedAt >= saveEvery) {
      job = await jobs.save(job, progress, clock.now());
      savedAt = began;
    }
    await sleep(Math.min(longestRest, Math.max(shortestRest, restFactor * (performance.now() - began))));
  }
  // Another process, or the next start, starts it again.
  if (job) await jobs.save(job, { looked: 0 }, 0);
}

type Read = { readonly page: Page; readonly job: BacktestDocument };

/**
 * A page and the job, whose lease is renewed before each further try. Null when there is nothing more to do: it cannot be read and the job has failed,
 * it was cancelled, or another process has it.
 */
async function pageOf(
  job: BacktestDocument,
  cursor: JudgeCursor | null,
  limit: number,
  { judge, jobs, clock, log }: BacktestDeps,
): Promise<Read | null> {
  const { candidate, saved, from, to } = job;
  for (let [tries, held]: [number, BacktestDocument | null] = [1, job]; held; tries += 1) {
    try {
      return { page: await judge({ candidate, saved, from, to, cursor, limit }), job: held };
    } catch (error) {
      if (tries === maxTries || (error instanceof ServiceError && error.status < 500)) {
        log.warn({ err: error, backtest: job._id }, 'a back-test could not be finished');
        const reason = error instanceof ServiceError ? error.message : 'Past events could not be read.';
        await jobs.end(held, { state: 'failed', reason, finished_at: isoTime(clock.now()) });
        return null;
      }
      await sleep(200 * 2 ** tries);
      held = await jobs.save(held, {}, clock.now());
    }
  }
  return null;
}

export async function getBacktest(id: string, jobs: Backtests): Promise<{ job: Backtest }> {
  return { job: shown(await existing(id, jobs)) };
}

/** Its result so far stays for a day. */
export async function cancelBacktest(
  { id }: RequestInput<'debug.backtest.cancel.v1'>,
  { jobs, clock }: Pick<BacktestDeps, 'jobs' | 'clock'>,
): Promise<{ job: Backtest }> {
  for (;;) {
    const job = await existing(id, jobs);
    if (job.state !== 'running') return { job: shown(job) };
    const cancelled = { state: 'cancelled', finished_at: isoTime(clock.now()) } as const;
    // Its progress may have been saved since it was read; from now on nobody writes it.
    if (await jobs.end(job, cancelled)) return getBacktest(id, jobs);
  }
}

async function existing(id: string, jobs: Backtests): Promise<BacktestDocument> {
  const job = await jobs.byId(id);
  if (!job) throw new ServiceError(404, 'svc_backtest_not_found', 'There is no back-test with this id.', { id });
  return job;
}

export function shown(document: BacktestDocument): Backtest {
  const { _id: id, candidate: _, saved: _saved, fence: _fence, due: _due, ...job } = document;
  return { id, ...job };
}
