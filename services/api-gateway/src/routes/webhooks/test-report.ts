import { intakeEventsRequests, type RequestOutput } from '@order-automation/contracts';
import { z } from 'zod';

const ruleVerdict = z.object({ rule_id: z.int().nullable(), status: z.string(), summary: z.string() });
const { output: sent } = intakeEventsRequests['intake.test.send.v1'];
const { test_id, event_type, order_id, recommendations } = sent.shape;

export const testReportSchema = z.object({
  test_success: z.boolean(),
  test_id,
  gateway: z.string(),
  event_type,
  order_id,
  processing: sent
    .pick({ process_id: true, events_processed: true, result: true, outcome: true, reason: true, entries: true })
    .extend({ rules: z.array(ruleVerdict) }),
  performance: z.object({ intake_ms: z.number(), evaluation_ms: z.number().nullable(), total_ms: z.number() }),
  recommendations,
  timestamp: z.iso.datetime(),
});

const toTenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

/** What the test route answers. `total` and `now` in milliseconds. */
export function testReport(
  gateway: string,
  test: RequestOutput<'intake.test.send.v1'>,
  { total, now }: { readonly total: number; readonly now: number },
): z.output<typeof testReportSchema> {
  const { success, test_id, event_type, order_id, recommendations, intake_ms, evaluation_ms, ...processing } = test;
  const rules = test.entries
    .filter((entry) => entry.event_type === 'rule_evaluation')
    .map(({ rule_id, status, summary }) => ({ rule_id, status, summary }));
  return {
    test_success: success,
    test_id,
    gateway,
    event_type,
    order_id,
    processing: { ...processing, rules },
    performance: {
      intake_ms: toTenths(intake_ms),
      evaluation_ms: evaluation_ms === null ? null : toTenths(evaluation_ms),
      total_ms: toTenths(total),
    },
    recommendations,
    timestamp: new Date(now).toISOString(),
  };
}
