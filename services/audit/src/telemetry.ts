import { metricsOfTable, type ServiceDeps } from '@order-automation/service';
import table from './metrics.json';

export type Telemetry = ReturnType<typeof auditTelemetry>;

/** One helper per business event: metric and log line together. */
export function auditTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counters, gauges, histograms } = metricsOfTable(metrics, 'audit', table);
  return {
    verified: (valid: boolean) => {
      gauges.last_verification_intact.set({ scope: 'log' }, valid ? 1 : 0);
      gauges.last_verification_timestamp_seconds.setToCurrentTime({ scope: 'log' });
    },
    recorded: (added: number, duplicates: number, stale: number) => {
      counters.entries_total.inc({ result: 'recorded' }, added);
      counters.entries_total.inc({ result: 'duplicate' }, duplicates);
      counters.processes_recomputed_total.inc(stale);
    },
    recordTook: (milliseconds: number) => histograms.record_duration_seconds.observe(milliseconds / 1000),
    listTook: (view: string, milliseconds: number) =>
      histograms.list_duration_seconds.observe({ view }, milliseconds / 1000),
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
