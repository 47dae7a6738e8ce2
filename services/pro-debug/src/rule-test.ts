import type { RuleData, TestResult } from '@order-automation/contracts';
import { type CompiledRule, compileRule, type Facts, type Registry } from '@order-automation/engine';

/** A rule that is only tested has no record yet; placeholders for its id and name show these. */
const unsaved = {
  id: 1,
  name: 'tested rule',
  enabled: true,
  position: 0,
  stop_processing: false,
  version: 1,
  updated_by: '',
  stats: { run_count: 0, match_count: 0, last_fired_at: null },
};

/** `now` is in milliseconds since the epoch. */
export function compileUnsaved(rule: RuleData, now: number, registry: Registry): CompiledRule {
  const at = new Date(now).toISOString();
  return compileRule({ ...unsaved, rule, created_at: at, updated_at: at }, registry);
}

/**
 * The outcome of a rule for an order as it is (section 4.4 of the specification, decisions.md section 8). `matched` is about the conditions, all of
 * which are evaluated; `would_run` is empty when they do not pass.
 */
export function testRule(compiled: CompiledRule, facts: Facts): TestResult {
  const verdict = compiled.explain(facts);
  const planned = verdict.matched ? compiled.plan(facts) : [];
  const { id, status, total, currency, payment_method, customer_id, date_created } = facts.context.order;
  return {
    matched: verdict.matched,
    trigger: verdict.trigger,
    conditions: verdict.conditions,
    would_run: planned.map(({ id, label, describe }) => ({ id, label, ...describe })),
    suggestions: verdict.suggestions,
    order_details: { id, status, total, currency, payment_method, customer_id, date_created },
  };
}
