import type { TestResult } from '@order-automation/contracts';
import { metricsOfService, type ServiceDeps } from '@order-automation/service';

export type DebugTelemetry = ReturnType<typeof debugTelemetry>;

/** One helper per business event: metric and log line together. */
export function debugTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const { counter } = metricsOfService(metrics, 'debug');
  const tests = counter('rule_tests_total', 'Rules tested on an order, by verdict', ['verdict']);
  return {
    tested: (run: string, { matched, order_details }: TestResult) => {
      tests.inc({ verdict: matched ? 'match' : 'no_match' });
      log.info({ run, order_id: order_details.id, matched }, 'rule tested');
    },
  };
}
