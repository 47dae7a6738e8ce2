import { type AuditEntry, auditEntrySchema } from '@order-automation/contracts';
import { compileRule } from '@order-automation/engine';
import { buildAuditEntry } from '@order-automation/testing';
import { occurrence, order, record, registry } from '../../../../shared/engine/test/fixtures';
import { namedOccurrence } from '../readers/named-occurrence';
import { notEvaluated, pastOf } from './explain-past';

const entry = (event_type: AuditEntry['event_type'], summary: string, details = {}): AuditEntry =>
  auditEntrySchema.parse({ ...buildAuditEntry({ event_type, summary, order_id: 7, details }), id: 1, parent_id: null });
const ruleOn = (id: string, settings = {}) => compileRule(record({ trigger: { id, settings } }), registry);

// decisions.md section 12: until the order's total is reached the event is `payment_partial`.
test.each([
  ['payment_partial', '20.00 of 49.00 USD is paid. Rules for paid orders run when the rest has come.'],
  ['late_payment', 'a payment completed while the order is cancelled.'],
] as const)('a rule for payments says why %s did not set it off', (event_type, text) => {
  const ended = entry('process_completed', 'payment_completed for order 7: 1 rule evaluated.', { outcome: 'success' });
  const past = pastOf([entry(event_type, text), ended], occurrence(), ended, new Map());
  const reasonOf = (...of: Parameters<typeof ruleOn>) => notEvaluated(ruleOn(...of), past).reason;
  expect(reasonOf('order_processing')).toContain(`was not evaluated: ${text}`);
  const other = reasonOf('webhook_event', { event_types: ['payment_completed'], gateways: ['generic'] });
  expect(other).toContain('its trigger did not fire for the order as it was then');
  expect(reasonOf('refund_created')).toContain('it listens to payment_refunded');
});

// docs/guide/first-rule.md: a schedule fires for each order that has been in a status for long enough. Its process has all of them, and is of one rule.
test('the process of a schedule is explained for one of its orders, and by the rule that was due', () => {
  const evaluation = (order_id: number) => ({ ...entry('rule_evaluation', 'x'), rule_id: 50, order_id });
  const ended = entry('process_completed', 'schedule for order 7: 1 rule evaluated.', { outcome: 'no_match' });
  const due = namedOccurrence({ event_type: 'schedule', gateway: null }, order(), 0);
  const past = pastOf([evaluation(6), evaluation(7), ended], due, ended, new Map());
  expect(past).toMatchObject({ order_id: 7, evaluated: [{ order_id: 7 }] });
  const { trigger, reason } = notEvaluated(ruleOn('schedule', { cron: '* * * * *' }), past);
  expect(trigger.would_fire).toBe(false);
  expect(reason).toMatch(/was not evaluated: the schedule of rule 50 does not set it off; it listens to schedule\.$/);
});
