import type { RequestOutput } from '@order-automation/contracts';

const toTenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

type Test = RequestOutput<'intake.test.send.v1'>;

/** What the test route answers. `total` and `now` in milliseconds. */
export function testReport(
  gateway: string,
  test: Test,
  { total, now }: { readonly total: number; readonly now: number },
) {
  const { entries, process_id, events_processed, result, outcome, reason } = test;
  const rules = entries
    .filter(({ event_type }) => event_type === 'rule_evaluation')
    .map(({ rule_id, status, summary }) => ({ rule_id, status, summary }));
  return {
    test_success: test.success,
    test_id: test.test_id,
    gateway,
    event_type: test.event_type,
    order_id: test.order_id,
    processing: { process_id, events_processed, result, outcome, reason, rules, entries },
    performance: {
      intake_ms: toTenths(test.intake_ms),
      evaluation_ms: test.evaluation_ms === null ? null : toTenths(test.evaluation_ms),
      total_ms: toTenths(total),
    },
    recommendations: test.recommendations,
    timestamp: new Date(now).toISOString(),
  };
}
