import type { TestResult } from '@order-automation/contracts';
import { metricsOfTable, type ServiceDeps } from '@order-automation/service';
import table from './metrics.json';

/** One helper per business event: metric and log line together. */
export function debugTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counters } = metricsOfTable(metrics, 'debug', table);
  return {
    tested: (run: string, { matched, order_details }: TestResult) => {
      counters.rule_tests_total.inc({ verdict: matched ? 'match' : 'no_match' });
      log.info({ run, order_id: order_details.id, matched }, 'rule tested');
    },
  };
}
