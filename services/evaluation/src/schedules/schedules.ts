import { type CompiledRule, nextRun, type ScheduleSettings } from '@order-automation/engine';
import { type Relay, startJobs } from '@order-automation/service';
import { insertNew } from '@order-automation/store';
import { newRun, openScheduleRuns, runHandler, type ScheduleRun, type ScheduleRunDeps } from './schedule-runs';

export type ScheduleDocument = {
  readonly _id: number;
  /** The version of the rule that `next` was computed for. */
  readonly version: number;
  /** Milliseconds since the epoch; null when it is never due again. */
  readonly next: number | null;
};

const sweepEvery = 1_000;

const settingsOf = (rule: CompiledRule) => rule.record.rule.trigger.settings as ScheduleSettings;

/**
 * Fires rules with the trigger `schedule`. A schedule that is due becomes a run, one for each rule at a time; what then happens to the rule changes when it is
 * due next, not the run. After a stop a schedule catches up once.
 */
export async function startSchedules(deps: Omit<ScheduleRunDeps, 'runs'>): Promise<Relay> {
  const { store, rules, clock, log, timeZone } = deps;
  const documents = await store.collection<ScheduleDocument>('schedules');
  const runs = await openScheduleRuns(store);

  /** The schedule of the rule as it is now; a rule that is new or was changed begins with its next time. */
  const current = async (rule: CompiledRule): Promise<ScheduleDocument | null> => {
    const { id: _id, version } = rule.record;
    const known = await documents.findOne({ _id });
    const next = nextRun(settingsOf(rule), clock.now(), timeZone);
    // A time behind the next one means another instance's clock was ahead.
    const isAhead = known !== null && known.next !== null && next !== null && known.next > next;
    if (known?.version === version && !isAhead) return known;
    if (known)
      await documents.updateOne({ _id, version: known.version, next: known.next }, { $set: { version, next } });
    else await insertNew(documents, [{ _id, version, next }]);
    return null;
  };

  const begin = async (rule: CompiledRule): Promise<void> => {
    const now = clock.now();
    const schedule = await current(rule);
    if (!schedule || schedule.next === null || schedule.next > now) return;
    const { _id, next } = schedule;
    const run = await runs.byId(String(_id));
    if (run && run.at !== next) return;
    // A process that dies in between leaves a run that began, and its schedule is moved on by the next look.
    if (!run) await insertNew(runs.documents, [newRun(rule, next, now)]);
    await documents.updateOne({ _id, next }, { $set: { next: nextRun(settingsOf(rule), now, timeZone) } });
  };

  return startJobs<ScheduleRun>({
    name: 'schedules',
    jobs: runs,
    every: sweepEvery,
    beforeLook: async () => {
      for (const rule of rules.current().all) if (rule.record.rule.trigger.id === 'schedule') await begin(rule);
      return true;
    },
    ...runHandler({ ...deps, runs }),
    clock,
    log,
  });
}
