import { metricsOfService, type ServiceDeps } from '@order-automation/service';

/** Seconds. */
const buckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export type Telemetry = ReturnType<typeof auditTelemetry>;

/** One helper per business event: metric and log line together. */
export function auditTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counter, gauge, histogram } = metricsOfService(metrics, 'audit');
  const entries = counter('entries_total', 'Entries handed over, by whether they were new', ['result']);
  const recomputed = counter(
    'processes_recomputed_total',
    'Processes rebuilt from all their entries, because their row was in doubt',
  );
  const duration = histogram(
    'record_duration_seconds',
    'From the arrival of a group of entries until they are stored',
    buckets,
  );
  const lists = histogram('list_duration_seconds', 'Time to read one page of the log', buckets, ['view']);
  const intact = gauge(
    'last_verification_intact',
    'Whether the last verification found the log intact: 1, or 0; none before the first one',
    ['scope'],
  );
  return {
    verified: (valid: boolean) => intact.set({ scope: 'log' }, valid ? 1 : 0),
    recorded: (added: number, duplicates: number, stale: number) => {
      entries.inc({ result: 'recorded' }, added);
      entries.inc({ result: 'duplicate' }, duplicates);
      recomputed.inc(stale);
    },
    recordTook: (milliseconds: number) => duration.observe(milliseconds / 1000),
    listTook: (view: string, milliseconds: number) => lists.observe({ view }, milliseconds / 1000),
    notRecorded: (error: unknown, count: number) =>
      log.error({ err: error, entries: count }, 'entries could not be recorded'),
    notSealed: (error: unknown) => log.warn({ err: error }, 'settled entries could not be sealed, will be tried again'),
    notRetained: (error: unknown) => log.warn({ err: error }, 'retention could not be applied, will be tried again'),
    notDeleted: (error: unknown) => log.warn({ err: error }, 'a deletion could not be finished, will be tried again'),
    notForgotten: (error: unknown) =>
      log.warn({ err: error }, 'facts of deleted events could not be removed, will be tried again'),
    notCounted: (error: unknown) =>
      log.warn({ err: error }, 'totals could not be brought up to date, will be tried again'),
  };
}
