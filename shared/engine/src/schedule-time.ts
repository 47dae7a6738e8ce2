import { Cron } from 'croner';

export type ScheduleSettings = {
  cron: string;
  timezone?: string;
  order_statuses?: string[];
  older_than_minutes?: number;
};

const vixie = { paused: true, mode: '5-part', fixedTimeRule: 'no-wildcard' } as const;

/**
 * When a schedule is next due after a moment, both in milliseconds since the epoch; null when it never is. `timeZone` is the shop's, for schedules
 * that name none. A time that daylight saving skips runs when the clock has moved on; one that comes twice runs once, unless `*` in the minute or the hour
 * means all of them (as in Vixie cron).
 */
export function nextRun({ cron, timezone }: ScheduleSettings, after: number, timeZone: string): number | null {
  const job = new Cron(cron, { timezone: timezone ?? timeZone, ...vixie });
  return job.nextRun(new Date(after))?.getTime() ?? null;
}

/** What is wrong with a cron expression of five fields; null when nothing is. */
export function cronProblem(cron: string, now = Date.UTC(2026, 0, 1)): string | null {
  const fields = 'must be minute, hour, day, month and weekday: "0 9 * * mon-fri" is 9:00 from Monday to Friday';
  if (!cron.trim().startsWith('@') && cron.trim().split(/\s+/).length !== 5) return fields;
  try {
    return nextRun({ cron }, now, 'UTC') === null ? 'is never due' : null;
  } catch {
    return fields;
  }
}
