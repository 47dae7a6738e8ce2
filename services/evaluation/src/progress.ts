import { type EventDone, isoTime, type Occurrence, type OrderContext } from '@order-automation/contracts';
import type { CompiledRule, Facts, PlannedAction } from '@order-automation/engine';
import type { ActionRecord, EvaluationDocument, RuleStep } from './evaluations';

type Progress = Pick<EvaluationDocument, 'steps' | 'cause'>;

/** The rules that are still to be evaluated: none after one that matched and stops the occurrence. */
export function remaining(progress: Progress, candidates: readonly CompiledRule[]): readonly CompiledRule[] {
  if (progress.steps.some((step) => step.stop)) return [];
  if (progress.steps.length === 0) return candidates;
  const seen = new Set(progress.steps.map((step) => step.rule_id));
  return candidates.filter((rule) => !seen.has(rule.record.id));
}

/** Whether an action is decided and not yet answered. */
export function hasPending(progress: Pick<Progress, 'steps'>): boolean {
  return progress.steps.some((step) => step.actions.some((action) => action.result === null));
}

/** Actions that are decided and not yet answered, in order. */
export function pendingActions(progress: Progress): ActionRecord[] {
  const pending: ActionRecord[] = [];
  for (const { actions } of progress.steps)
    for (const action of actions) if (action.result === null) pending.push(action);
  return pending;
}

/**
 * Evaluates rules until one matches and has actions to run, or none is left (decisions.md section 3, "Meaning"). The steps come back; they
 * must be stored before their actions are run. Rules after that one are for the next call, with the order as it is then.
 */
export function advance(
  progress: Progress,
  candidates: readonly CompiledRule[],
  context: OrderContext,
  occurrence: Occurrence,
  now: number,
): RuleStep[] {
  const steps: RuleStep[] = [];
  const facts = factsOf(context, occurrence, now);
  for (const rule of remaining(progress, candidates)) {
    const step = evaluateRule(rule, facts, occurrence, progress.cause.is_test);
    steps.push(step);
    if (step.stop || step.actions.some((action) => action.result === null)) break;
  }
  return steps;
}

export function factsOf(context: OrderContext, occurrence: Occurrence, now: number): Facts {
  return { context, occurrence, customer: null, now, timeZone: 'UTC' };
}

function evaluateRule(rule: CompiledRule, facts: Facts, occurrence: Occurrence, isTest: boolean): RuleStep {
  const verdict = rule.match(facts);
  const planned = verdict.matched ? rule.plan(facts) : [];
  return {
    rule_id: verdict.rule_id,
    rule_name: verdict.rule_name,
    rule_version: verdict.rule_version,
    matched: verdict.matched,
    failed: verdict.error !== null,
    reason: verdict.reason,
    conditions: verdict.conditions,
    actions: planned.map((action) => actionRecord(action, occurrence.key, verdict.rule_id, isTest)),
    stop: verdict.matched && rule.record.stop_processing,
    at: isoTime(facts.now),
  };
}

/** By which the shop applies an action once (docs/decisions/0001, "Ids"). */
export function commandKey(occurrenceKey: string, ruleId: number, index: number): string {
  return `${occurrenceKey}:${ruleId}:${index}`;
}

function actionRecord(action: PlannedAction, occurrenceKey: string, ruleId: number, isTest: boolean): ActionRecord {
  return {
    index: action.index,
    kind: action.kind,
    id: action.id,
    label: action.label,
    key: commandKey(occurrenceKey, ruleId, action.index),
    command: action.effect.kind === 'order' ? action.effect.command : null,
    result: resultAtOnce(action, isTest),
  };
}

/** Of an action that is not run: it is a test, or nothing here can carry out its effect. */
function resultAtOnce({ effect, describe }: PlannedAction, isTest: boolean): ActionRecord['result'] {
  const message = isTest ? 'Not run, this is a test' : 'Not run, only changes to orders can be carried out';
  if (!isTest && effect.kind === 'order') return null;
  return { status: isTest ? 'skipped' : 'failed', by: null, message: `${message}: ${describe.message}`, changes: [] };
}

/** How many rules matched or broke, how many actions follow from them, and how many of those failed. */
export type Tally = {
  readonly matched: number;
  readonly broken: number;
  readonly actions: number;
  readonly failures: number;
};

export function tallyOf(steps: readonly RuleStep[]): Tally {
  const tally = { matched: 0, broken: 0, actions: 0, failures: 0 };
  for (const step of steps) {
    if (step.failed) tally.broken += 1;
    if (!step.matched) continue;
    tally.matched += 1;
    for (const { result } of step.actions) {
      tally.actions += 1;
      if (result?.status === 'failed') tally.failures += 1;
    }
  }
  return tally;
}

/** What came of all rules together (decisions.md section 3). */
export function outcomeOf(steps: readonly RuleStep[]): EventDone['outcome'] {
  if (steps.length === 0) return 'no_rules';
  const { matched, broken, actions, failures } = tallyOf(steps);
  if (matched === 0) return broken > 0 ? 'error' : 'no_match';
  if (failures === 0 && broken === 0) return 'success';
  return failures === actions && actions > 0 ? 'error' : 'partial';
}
