import type { ConditionResult } from '@order-automation/contracts';
import type { ConditionCheck } from './component';
import { UnreadableProduct } from './products';
import type { Facts, Need } from './situation';

/** Why a rule could not be judged: an unknown component, settings that do not fit, a check that threw or lacked facts, an unreadable product, an action that threw. */
export type VerdictError = 'unknown_component' | 'invalid_settings' | 'condition_error' | 'unreadable' | 'action_error';

/** One rule against one order. `reason` is a sentence that names the rule, also of a rule that did not match. */
export type RuleVerdict = {
  readonly rule_id: number;
  readonly rule_name: string;
  readonly rule_version: number;
  readonly matched: boolean;
  readonly conditions: ConditionResult[];
  readonly reason: string;
  readonly error: VerdictError | null;
};

/** A condition of a rule, with every text made that does not depend on the order. */
export type CompiledCondition = {
  readonly id: string;
  readonly label: string;
  readonly needs: readonly Need[];
  readonly check: ConditionCheck;
  readonly skipped: ConditionResult;
  readonly failedPrefix: string;
};

export type VerdictFrame = Pick<RuleVerdict, 'rule_id' | 'rule_name' | 'rule_version'> & {
  readonly matchedReason: string;
  readonly conditions: readonly CompiledCondition[];
};

function broken({ id, label }: CompiledCondition, reason: string): ConditionResult {
  return { id, label, result: 'error', expected: '', actual: '', reason };
}

function run(condition: CompiledCondition, facts: Facts): ConditionResult {
  const { id, label, needs, check } = condition;
  if (needs.length > 0 && facts.customer === null)
    return broken(condition, 'the customer of the order could not be looked up');
  const { pass, expected, actual, reason } = check(facts);
  return { id, label, result: pass ? 'pass' : 'fail', expected, actual, reason };
}

/** Evaluates conditions until one does not pass; the rest are `skipped`. With `all` every one is evaluated. */
export function judge(frame: VerdictFrame, facts: Facts, all: boolean): RuleVerdict {
  const { rule_id, rule_name, rule_version, conditions } = frame;
  const results: ConditionResult[] = [];
  let reason = frame.matchedReason;
  let error: VerdictError | null = null;
  let matched = true;
  for (const condition of conditions) {
    if (!matched && !all) {
      results.push(condition.skipped);
      continue;
    }
    let result: ConditionResult;
    try {
      result = run(condition, facts);
      if (result.result === 'error') error = 'condition_error';
    } catch (thrown) {
      const isUnread = thrown instanceof UnreadableProduct;
      error = isUnread ? 'unreadable' : 'condition_error';
      result = broken(condition, isUnread ? thrown.message : 'the condition could not be evaluated');
    }
    results.push(result);
    if (result.result === 'pass') continue;
    if (matched) reason = `${condition.failedPrefix}${result.reason}.`;
    matched = false;
  }
  return { rule_id, rule_name, rule_version, matched, conditions: results, reason, error };
}
