import { metricsOfService, type ServiceDeps } from '@order-automation/service';
import { changeOf } from './audit-entries';
import type { SavedVersion } from './rule-versions';

export type RulesTelemetry = ReturnType<typeof rulesTelemetry>;

/** One helper per business event: metric and log line together. */
export function rulesTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counter } = metricsOfService(metrics, 'rules');
  const saves = counter('saved_total', 'Rules created, updated and deleted', ['change']);
  const text = 'Times that what follows from a save could not be delivered at once';
  const deferred = counter('deferred_total', text, ['what']);
  return {
    saved: (saved: SavedVersion) => {
      const change = changeOf(saved);
      const { rule_id, version, saved_by: user, actor } = saved.after;
      saves.inc({ change });
      log.info({ change, rule_id, version, user, process_id: actor?.process_id }, 'rule saved');
    },
    unchecked: (error: unknown): undefined =>
      void log.info({ err: error }, 'what a rule names could not be checked: there are no warnings of it'),
    deferred: (what: 'delivery' | 'warnings', ruleId: number, error: unknown) => {
      deferred.inc({ what });
      log.warn(
        { err: error, rule_id: ruleId, what },
        'what follows from a save could not be delivered at once and will be later',
      );
    },
  };
}
