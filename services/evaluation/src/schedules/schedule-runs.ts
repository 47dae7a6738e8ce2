import { BusError, retryOf } from '@order-automation/bus';
import {
  auditEntry,
  derivedId,
  isoTime,
  type NewAuditEntry,
  newProcessId,
  type Order,
} from '@order-automation/contracts';
import type { CompiledRule, ScheduleSettings } from '@order-automation/engine';
import { type JobDocument, type JobHandler, type Jobs, openJobs, type ServiceDeps } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import { maxAttempts, reasonOf, retryDelay } from '../attempts/failures';
import type { RuleCache } from '../deciding/rule-cache';
import { occurrenceOfSchedule } from '../history/occurrence';
import type { RecordEntries } from '../ports/audit';
import type { Task } from '../task';

/** A schedule that fires, under the id of its rule: gone when it has fired for every order. */
export type ScheduleRun = JobDocument & {
  readonly rule_id: number;
  readonly version: number;
  /** Milliseconds since the epoch: when it was due. */
  readonly at: number;
  readonly process_id: string;
  /** The page of orders to be read next, of the status at that place; null when all are read. */
  readonly cursor: { readonly status: number; readonly page: number } | null;
  /** Orders that it fires for and that are not evaluated yet. */
  readonly orders: readonly number[];
};

export type ScheduleRuns = Jobs<ScheduleRun>;

export type ScheduleRunDeps = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly store: Store;
  readonly runs: ScheduleRuns;
  readonly rules: RuleCache;
  /** IANA name of the shop's time zone. */
  readonly timeZone: string;
  /** Evaluates one order at one time, once by the id of the task. */
  readonly handle: (task: Task) => Promise<void>;
  readonly record: RecordEntries;
};

/** Small enough for a slow shop to answer within the timeout (milliseconds), which is less than half of the lease of a job. */
const perPage = 50;
const timeout = 10_000;
const ordersAtOnce = 100;
/** Failures in a row after which the log says so. */
const reportedAfter = 3;

export const openScheduleRuns = (store: Store): Promise<ScheduleRuns> => openJobs(store, 'schedule_runs', 'run');

/** `at` and `now` in milliseconds since the epoch. */
export function newRun({ record }: Pick<CompiledRule, 'record'>, at: number, now: number): ScheduleRun {
  const { id: rule_id, version } = record;
  const begun = { process_id: newProcessId(now), cursor: { status: 0, page: 1 }, orders: [] };
  return { _id: String(rule_id), rule_id, version, at, ...begun, fence: 0, due: now };
}

/**
 * A run goes on until it is done or belongs to another process. First all orders are read, page by page, since a rule may move them to another
 * page; then they are evaluated. Tasks have ids that derive from rule, time and order: what is repeated is not done twice.
 */
export function runHandler(deps: ScheduleRunDeps): Pick<JobHandler<ScheduleRun>, 'begin' | 'isGivenUp' | 'backoff'> {
  const { rules } = deps;
  return {
    begin: async ({ rule_id: id, version }) => {
      const [rule] = await rules.versions([{ id, version }]);
      let isResumed = true;
      return async (run) => {
        const isEnabled = rules.current().all.some(({ record }) => record.id === id);
        const isDone = run.cursor === null && run.orders.length === 0;
        if (!rule || isDone || !isEnabled) return remove(run, deps);
        if (!run.cursor) return evaluateOrders(run, rule, deps);
        const read = await readOrders(run, run.cursor, isResumed, rule, deps);
        isResumed = false;
        return read;
      };
    },
    isGivenUp: (run, tries, error) => reportFailure(run, tries, error, deps),
    backoff: retryDelay,
  };
}

async function remove({ _id, fence }: ScheduleRun, { runs }: ScheduleRunDeps): Promise<null> {
  await runs.documents.deleteMany({ _id, fence });
  return null;
}

async function evaluateOrders(
  run: ScheduleRun,
  rule: CompiledRule,
  { handle }: ScheduleRunDeps,
): Promise<Partial<ScheduleRun>> {
  await Promise.all(run.orders.slice(0, ordersAtOnce).map((id) => handle(taskOf(run, rule, id))));
  return { orders: run.orders.slice(ordersAtOnce) };
}

/** One page; after a pause the one before it too, to which orders have moved when others left the status. */
async function readOrders(
  run: ScheduleRun,
  { status: place, page }: NonNullable<ScheduleRun['cursor']>,
  resumed: boolean,
  rule: CompiledRule,
  { bus, clock, timeZone }: ScheduleRunDeps,
): Promise<Partial<ScheduleRun>> {
  const { order_statuses: statuses = [] } = rule.record.rule.trigger.settings as ScheduleSettings;
  const status = statuses[place];
  // An order that comes in between moves the rest one place on: one is seen twice then.
  const firing = new Set(run.orders);
  const read = async (number: number): Promise<number> => {
    const asked = { ...(status === undefined ? {} : { status }), page: number, per_page: perPage };
    const { orders } = await bus.request('shop.order.list.v1', asked, { timeout });
    for (const order of orders) if (fires(rule, order, clock.now(), timeZone)) firing.add(order.id);
    return orders.length;
  };
  if (resumed && page > 1) await read(page - 1);
  const isLast = (await read(page)) < perPage;
  const next = isLast ? { status: place + 1, page: 1 } : { status: place, page: page + 1 };
  return { orders: [...firing], cursor: next.status < Math.max(statuses.length, 1) ? next : null };
}

function fires(rule: CompiledRule, order: Order, now: number, timeZone: string): boolean {
  const occurrence = occurrenceOfSchedule({ rule_id: rule.record.id, order_id: order.id, at: isoTime(now) });
  const facts = { context: { order, products: [] }, occurrence, customer: null, now, timeZone };
  return rule.fires(occurrence, facts);
}

/** What is unavailable is tried for ever, as for events; anything else is given up until the schedule is due again. */
async function reportFailure(run: ScheduleRun, tries: number, error: unknown, deps: ScheduleRunDeps): Promise<boolean> {
  const isGivenUp = tries >= maxAttempts && retryOf(error) === 'never';
  if (tries === reportedAfter || isGivenUp)
    await deps.record([failedEntry(run, nameOf(run, deps), error, isGivenUp, deps.clock.now())]);
  if (isGivenUp) await remove(run, deps);
  return isGivenUp;
}

const nameOf = ({ rule_id }: ScheduleRun, { rules }: ScheduleRunDeps): string =>
  rules.current().all.find(({ record }) => record.id === rule_id)?.record.name ?? `#${rule_id}`;

export function failedEntry(
  { rule_id, at, process_id, cursor }: Pick<ScheduleRun, 'rule_id' | 'at' | 'process_id' | 'cursor'>,
  name: string,
  error: unknown,
  isGivenUp: boolean,
  now: number,
): NewAuditEntry {
  const isLate = cursor !== null && error instanceof BusError && error.code === 'timeout';
  const reason = isLate ? 'The shop did not answer in time.' : `The reason: ${reasonOf(error).replace(/\.?$/, '.')}`;
  const next = isGivenUp ? 'It runs again at its next time.' : 'It goes on by itself as soon as that works.';
  return auditEntry({
    uid: `sch_${derivedId(rule_id, at)}:${isGivenUp ? 'given_up' : 'failed'}`,
    timestamp: isoTime(now),
    status: isGivenUp ? 'error' : 'warning',
    event_type: 'schedule_failed',
    source: 'scheduled',
    summary: `The schedule of rule "${name}" could not be carried out. ${reason} ${next}`,
    process_id,
    rule_id,
    details: { due_at: isoTime(at), reason: reasonOf(error) },
  });
}

function taskOf({ at, process_id }: ScheduleRun, rule: CompiledRule, order_id: number): Task {
  const { id: rule_id, version } = rule.record;
  return {
    id: `sch_${derivedId(rule_id, at, order_id)}`,
    origin: 'schedule',
    process_id,
    subject: { kind: 'scheduled', rule: { id: rule_id, version }, order_id, at: isoTime(at) },
    cause: {
      event_type: 'schedule',
      gateway: null,
      authenticated: true,
      is_test: false,
      depth: 0,
      rules: [],
      received_at: isoTime(at),
    },
  };
}
