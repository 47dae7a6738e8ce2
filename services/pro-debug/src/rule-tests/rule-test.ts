import type { RuleData, RuleRecord, TestResult } from '@order-automation/contracts';
import type { CompiledRule, Facts } from '@order-automation/engine';
import { type Explanation, explain } from '../explain/explanation';
import { shownEvent } from '../readers/facts';
import unsaved from './unsaved-rule.json';

/** A rule that is only tested has no record yet: placeholders for its id and name show these. `now` is in milliseconds since the epoch. */
export function unsavedRecord(rule: RuleData, now: number): RuleRecord {
  const at = new Date(now).toISOString();
  return { ...unsaved, rule, created_at: at, updated_at: at };
}

/**
 * The outcome of a rule for an order as it is (section 4.4 of the specification, decisions.md section 8): production runs it when its trigger fires and all
 * conditions pass. All conditions are evaluated; `would_run` is empty when it does not match.
 */
export function testRule(compiled: CompiledRule, facts: Facts): TestResult {
  const explained = explain(compiled, facts);
  const { trigger, conditions, suggestions, changes, occurrence } = explained;
  const matched = explained.matched && trigger.would_fire;
  const planned = matched ? compiled.plan({ ...facts, occurrence }) : [];
  const { id, status, total, currency, payment_method, customer_id, date_created } = facts.context.order;
  return {
    matched,
    reason: reasonOf(explained),
    event: shownEvent(occurrence),
    trigger,
    conditions,
    would_run: planned.map(({ id, label, describe }) => ({ id, label, ...describe })),
    suggestions,
    changes,
    order_details: { id, status, total, currency, payment_method, customer_id, date_created },
  };
}

function reasonOf({ trigger, reason, conditions, rule_name }: Explanation): string {
  if (trigger.would_fire) return reason;
  const none = conditions.length === 0 ? ' It has no conditions, so it would match every time its trigger fires.' : '';
  return `Rule "${rule_name}" does not run: ${trigger.reason}.${none}`;
}
