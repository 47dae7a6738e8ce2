import type { ServiceDeps } from '@order-automation/service';
import { Counter } from 'prom-client';

export type RulesTelemetry = ReturnType<typeof rulesTelemetry>;
export type RuleChange = 'created' | 'updated' | 'deleted';

/** One helper per business event: metric and log line together. */
export function rulesTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const registers = [metrics];
  const saves = new Counter({
    name: 'rules_saved_total',
    help: 'Rules created, updated and deleted',
    labelNames: ['change'],
    registers,
  });
  const deferred = new Counter({
    name: 'rules_deferred_total',
    help: 'Times that audit or the bus could not be told of a save at once',
    labelNames: ['what'],
    registers,
  });
  return {
    saved: (change: RuleChange, rule: { id: number; version: number; user: string; process_id: string }) => {
      saves.inc({ change });
      log.info(
        { change, rule_id: rule.id, version: rule.version, user: rule.user, process_id: rule.process_id },
        'rule saved',
      );
    },
    deferred: (what: 'audit' | 'announcement' | 'settling', ruleId: number, error: unknown) => {
      deferred.inc({ what });
      log.warn({ err: error, rule_id: ruleId, what }, 'a save could not be told at once and will be told later');
    },
  };
}
