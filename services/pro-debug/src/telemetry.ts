import type { TestResult } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import { Counter } from 'prom-client';

export type DebugTelemetry = ReturnType<typeof debugTelemetry>;

/** One helper per business event: metric and log line together. A start that is tried again finds its metrics. */
export function debugTelemetry({ metrics, log }: Pick<ServiceDeps, 'metrics' | 'log'>) {
  const name = 'order_automation_debug_rule_tests_total';
  const tests =
    (metrics.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help: 'Rules tested on an order, by verdict', labelNames: ['verdict'], registers: [metrics] });
  return {
    tested: (run: string, { matched, order_details }: TestResult) => {
      tests.inc({ verdict: matched ? 'match' : 'no_match' });
      log.info({ run, order_id: order_details.id, matched }, 'rule tested');
    },
    purgeFailed: (error: unknown) => log.warn({ err: error }, 'old test runs could not be removed'),
  };
}
