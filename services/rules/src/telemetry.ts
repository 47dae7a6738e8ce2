import { metricsOfTable, type ServiceDeps } from '@order-automation/service';
import type { SavedVersion } from './documents/rule-versions';
import table from './metrics.json';
import { changeOf } from './saving/audit-entries';

/** One helper per business event: metric and log line together. */
export function rulesTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counters } = metricsOfTable(metrics, 'rules', table);
  return {
    saved: (saved: SavedVersion) => {
      const change = changeOf(saved);
      const { rule_id, version, saved_by: user, actor } = saved.after;
      counters.saved_total.inc({ change });
      log.info({ change, rule_id, version, user, process_id: actor?.process_id }, 'rule saved');
    },
    unchecked: (error: unknown): undefined =>
      void log.info({ err: error }, 'what a rule names could not be checked: there are no warnings of it'),
    deferred: (what: 'delivery' | 'warnings', ruleId: number, error: unknown) => {
      counters.deferred_total.inc({ what });
      log.warn(
        { err: error, rule_id: ruleId, what },
        'what follows from a save could not be delivered at once and will be later',
      );
    },
  };
}
