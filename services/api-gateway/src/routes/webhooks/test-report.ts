import { auditEntrySchema, type RequestOutput } from '@order-automation/contracts';
import { z } from 'zod';

const ruleVerdict = z.object({ rule_id: z.int().nullable(), status: z.string(), summary: z.string() });

export const testReportSchema = z.object({
  test_success: z.boolean(),
  test_id: z.string(),
  gateway: z.string(),
  event_type: z.string(),
  order_id: z.int().nullable(),
  processing: z.object({
    process_id: z.string(),
    events_processed: z.int(),
    result: z.string(),
    outcome: z.string().nullable(),
    reason: z.string().nullable(),
    rules: z.array(ruleVerdict),
    entries: z.array(auditEntrySchema),
  }),
  performance: z.object({ intake_ms: z.number(), evaluation_ms: z.number().nullable(), total_ms: z.number() }),
  recommendations: z.array(z.string()),
  timestamp: z.iso.datetime(),
});

const toTenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

type Test = RequestOutput<'intake.test.send.v1'>;

/** What the test route answers. `total` and `now` in milliseconds. */
export function testReport(
  gateway: string,
  test: Test,
  { total, now }: { readonly total: number; readonly now: number },
): z.output<typeof testReportSchema> {
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
