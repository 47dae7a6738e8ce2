import { derivedId, isoTime, newProcessId, type Order } from '@order-automation/contracts';
import { type CompiledRule, nextRun, type ScheduleSettings } from '@order-automation/engine';
import { type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';
import { occurrenceOfSchedule } from './occurrence';
import type { RuleCache } from './rule-cache';
import type { Task } from './task';

/** When the schedule of a rule is next due. */
export type ScheduleDocument = {
  readonly _id: number;
  /** The version of the rule that `next` was computed for. */
  readonly version: number;
  /** Milliseconds since the epoch; null when it is never due again. */
  readonly next: number | null;
  /** The process that works on it has it until then. */
  readonly lease_until: number;
};

export type ScheduleDeps = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly store: Store;
  readonly rules: RuleCache;
  /** IANA name of the shop's time zone. */
  readonly timeZone: string;
  /** Evaluates one order at one time, once by the id of the task. */
  readonly handle: (task: Task) => Promise<void>;
};

const sweepEvery = 1_000;
const leaseTime = 60_000;
const ordersAtOnce = 100;

const settingsOf = (rule: CompiledRule) => rule.record.rule.trigger.settings as ScheduleSettings;

/**
 * Fires rules with the trigger `schedule`. One instance has a lease on a rule while it fires; tasks have ids that derive from rule, time and order,
 * so that a firing which was interrupted is repeated without doing anything twice. After a stop a schedule catches up once.
 */
export async function startSchedules(deps: ScheduleDeps): Promise<Relay> {
  const { store, rules, clock, log, timeZone } = deps;
  const documents = await store.collection<ScheduleDocument>('schedules');

  /** The schedule of the rule as it is now; a rule that is new or was changed begins with its next time. */
  const current = async (rule: CompiledRule): Promise<ScheduleDocument | null> => {
    const { id: _id, version } = rule.record;
    const known = await documents.findOne({ _id });
    const next = nextRun(settingsOf(rule), clock.now(), timeZone);
    // A time behind the next one was written while a clock ran ahead.
    const isAhead = known !== null && known.next !== null && next !== null && known.next > next;
    if (known?.version === version && !isAhead) return known;
    if (known)
      await documents.updateOne({ _id, version: known.version, next: known.next }, { $set: { version, next } });
    else await insertNew(documents, [{ _id, version, next, lease_until: 0 }]);
    return null;
  };

  const fire = async (rule: CompiledRule): Promise<void> => {
    const now = clock.now();
    const schedule = await current(rule);
    if (!schedule || schedule.next === null || schedule.next > now) return;
    const { _id, next, lease_until } = schedule;
    if (lease_until > now && lease_until <= now + leaseTime) return;
    const lease = { _id, next, lease_until };
    let until = now + leaseTime;
    if ((await documents.updateOne(lease, { $set: { lease_until: until } })).matchedCount !== 1) return;
    const renew = async (): Promise<void> => {
      const renewed = clock.now() + leaseTime;
      const held = { _id, next, lease_until: until };
      if ((await documents.updateOne(held, { $set: { lease_until: renewed } })).matchedCount !== 1)
        throw new Error(`schedule ${_id} was taken over`);
      until = renewed;
    };
    await runAll(rule, next, renew, deps);
    const following = nextRun(settingsOf(rule), clock.now(), timeZone);
    await documents.updateOne({ _id, next }, { $set: { next: following, lease_until: 0 } });
  };

  return startRelay({
    name: 'schedules',
    pending: async () => rules.current().all.filter(({ record }) => record.rule.trigger.id === 'schedule'),
    send: async (due) => {
      for (const rule of due) await fire(rule);
    },
    every: sweepEvery,
    batch: 10_000,
    clock,
    log,
  });
}

/** Every order that the schedule is for, one page after the other. */
async function runAll(rule: CompiledRule, at: number, renew: () => Promise<void>, deps: ScheduleDeps): Promise<void> {
  const { clock, handle } = deps;
  const process_id = newProcessId(clock.now());
  const statuses = settingsOf(rule).order_statuses ?? [];
  for (const status of statuses.length === 0 ? [undefined] : statuses) {
    const found = await ordersOf(status, rule, renew, deps);
    for (let from = 0; from < found.length; from += ordersAtOnce) {
      const page = found.slice(from, from + ordersAtOnce);
      await renew();
      await Promise.all(page.map((id) => handle(taskOfSchedule(rule, at, id, process_id))));
    }
  }
}

const perPage = 200;

/** Ids of the orders in the status for which the schedule fires now, all of them; undefined is any status. */
async function ordersOf(
  status: string | undefined,
  rule: CompiledRule,
  renew: () => Promise<void>,
  { bus, clock, timeZone }: ScheduleDeps,
): Promise<number[]> {
  const now = clock.now();
  // An order that comes in between moves the rest one place on: one is seen twice then.
  const ids = new Set<number>();
  for (let page = 1; ; page += 1) {
    const filter = status === undefined ? {} : { status };
    await renew();
    const { orders } = await bus.request('shop.order.list.v1', { ...filter, page, per_page: perPage });
    for (const order of orders) if (fires(rule, order, now, timeZone)) ids.add(order.id);
    if (orders.length < perPage) return [...ids];
  }
}

function fires(rule: CompiledRule, order: Order, now: number, timeZone: string): boolean {
  const occurrence = occurrenceOfSchedule({ rule_id: rule.record.id, order_id: order.id, at: isoTime(now) });
  const facts = { context: { order, products: [] }, occurrence, customer: null, now, timeZone };
  return rule.fires(occurrence, facts);
}

function taskOfSchedule(rule: CompiledRule, at: number, order_id: number, process_id: string): Task {
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
