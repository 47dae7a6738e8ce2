import { type EventDone, isoTime, ServiceError } from '@order-automation/contracts';
import type { CompiledRule, Facts, Need, PlannedAction, RuleVerdict } from '@order-automation/engine';
import { impersonal } from '../entries/impersonal';
import type { ActionRecord, EvaluationDocument, Outcome, RuleStep, ShadowVerdict } from '../evaluation-document';
import { isResumed } from '../resumed';
import { deepestChain, hearsEveryWebhook } from './open';
import { isLive, liveSteps } from './shadow';

type Progress = Pick<EvaluationDocument, 'steps' | 'cause' | 'occurrence'>;

/** The rules that are still to be evaluated: none after one that matched and stops the occurrence. */
export function remaining({ steps }: Pick<Progress, 'steps'>, rules: readonly CompiledRule[]): readonly CompiledRule[] {
  if (steps.some((step) => step.stop)) return [];
  const seen = new Set(steps.map((step) => step.rule_id));
  return rules.filter((rule) => !seen.has(rule.record.id));
}

/** The step whose actions are decided and not yet carried out. */
export const pendingStep = ({ steps }: Pick<Progress, 'steps'>): RuleStep | undefined =>
  steps.find(({ actions }) => actions.some(({ result }) => result === null));

/**
 * Evaluates rules until one matches and has actions to run, or none is left (decisions.md section 3, "Meaning"). The steps must be stored before their actions
 * are run. Rules after that one are for the next call, with the order as it is then. A rule in shadow that asks for more than was `asked` for stays undecided.
 */
export function decide(
  progress: Progress,
  rules: readonly CompiledRule[],
  facts: Facts,
  asked?: ReadonlySet<Need>,
): RuleStep[] {
  const steps: RuleStep[] = [];
  const at = isoTime(facts.now);
  for (const rule of remaining(progress, rules)) {
    const isAsked = isLive(rule) || !asked || rule.needs.every((need) => asked.has(need));
    const step = evaluate(rule, facts, progress, at, isAsked);
    steps.push(step);
    if (step.stop || step.actions.length > 0) break;
  }
  return steps;
}

/** A literal of all fields: an object that is put together from others is slow wherever it is read. */
function evaluate(
  rule: CompiledRule,
  facts: Facts,
  { cause, occurrence }: Progress,
  at: string,
  isAsked = true,
): RuleStep {
  const { id, name, version, stop_processing } = rule.record;
  const { key: same = '', event_key = same } = occurrence ?? {};
  const key = stepKey(hearsEveryWebhook(rule) ? event_key : same, id);
  const verdict = cause.rules.includes(id)
    ? partOfChain(rule, cause.rules)
    : isAsked
      ? rule.match(facts)
      : undecided(rule);
  const planned = verdict.matched ? rule.plan(facts) : [];
  const acts = isLive(rule);
  if (acts && verdict.error === 'unreadable') throw unreadable(facts);
  return {
    key,
    revision: facts.context.revision ?? null,
    rule_id: id,
    rule_name: name,
    rule_version: version,
    matched: verdict.matched,
    failed: verdict.error !== null,
    reason: verdict.reason,
    conditions: verdict.conditions,
    actions: acts ? planned.map((action) => actionRecord(action, key)) : [],
    stop: acts && verdict.matched && stop_processing,
    ...(acts ? {} : { shadow: shadowVerdict(planned, verdict.matched, stop_processing, facts) }),
    at,
  };
}

/** A rule that asks for a product which the shop could not read waits, as for an order. */
function unreadable({ context: { products } }: Facts): ServiceError {
  const why = products.find((one) => one.unreadable)?.unreadable ?? '';
  return new ServiceError(502, 'svc_shop_failed', why, { part: 'shop' }, 'now');
}

function shadowVerdict(
  planned: readonly PlannedAction[],
  matched: boolean,
  stop_processing: boolean,
  { context: { order } }: Facts,
): ShadowVerdict {
  const actions = planned.map(({ id, label, describe, personal }) => ({
    id,
    label,
    message: impersonal(describe.message, personal),
  }));
  return { matched, actions, stop: matched && stop_processing, total: order.total, currency: order.currency };
}

/** A step in shadow, decided on facts that are whole. */
export const decideAgain = (step: RuleStep, rule: CompiledRule, facts: Facts, progress: Progress): RuleStep => ({
  ...step,
  ...evaluate(rule, facts, progress, step.at),
});

type Undone = Pick<RuleVerdict, 'matched' | 'error' | 'reason' | 'conditions'>;

function undecided({ record: { name } }: CompiledRule): Undone {
  const reason = `Rule "${name}" was not decided: it asks for the customer of the order, which the shop could not say.`;
  return { matched: false, error: 'condition_error', reason, conditions: [] };
}

function partOfChain({ record: { id, name } }: CompiledRule, before: readonly number[]): Undone {
  const chain = [...before, id].join(' → ');
  const reason = `Rule "${name}" was not evaluated again: it is part of the chain of rules that led here (rules ${chain}).`;
  return { matched: false, error: null, reason, conditions: [] };
}

/** By which a rule acts on an occurrence once (docs/decisions/0001, "Ids"); its actions add their index. */
const stepKey = (occurrenceKey: string, ruleId: number): string => `${occurrenceKey}:${ruleId}`;

function actionRecord(action: PlannedAction, key: string): ActionRecord {
  const { index, kind, id, label, effect, describe, personal } = action;
  const record = { index, kind, id, label, key: `${key}:${index}`, effect, message: describe.message, result: null };
  return personal ? { ...record, personal } : record;
}

/** How many rules matched or broke, how many actions follow from them, and what became of those. */
export function tallyOf({ steps: all, process_id }: Pick<EvaluationDocument, 'steps' | 'process_id'>) {
  const steps = liveSteps(all);
  const actions = steps.flatMap((step) => (step.matched ? step.actions : []));
  const count = (status: string) => actions.filter(({ result }) => result?.status === status).length;
  const resumed = actions.filter(({ result }) => isResumed(result, process_id)).length;
  return {
    matched: steps.filter(({ matched }) => matched).length,
    broken: steps.filter(({ failed }) => failed).length,
    actions: actions.length,
    done: count('applied') + count('unchanged') + resumed,
    /** Another event has led to them, about the same occurrence. */
    doneBefore: count('already_applied') - resumed,
    failures: count('failed'),
    skipped: count('skipped'),
    /** Still to be delivered. */
    open: count('queued'),
  };
}

/** Of each rule that did not match the first condition that did not pass, for statistics. */
export function failedConditions({ steps }: Pick<EvaluationDocument, 'steps'>): NonNullable<EventDone['failed']> {
  return liveSteps(steps).flatMap(({ matched, rule_id, conditions }) => {
    const condition = matched ? undefined : conditions.find(({ result }) => result !== 'pass')?.id;
    return condition === undefined ? [] : [{ rule_id, condition }];
  });
}

/** What all rules together led to (decisions.md section 3). */
export function outcomeOf(document: EvaluationDocument): Outcome {
  const { outcome, cause, mismatch, held, steps, partial } = document;
  if (outcome !== null) return outcome;
  if (cause.depth >= deepestChain) return 'too_deep';
  if (mismatch !== null) return 'amount_mismatch';
  if (held !== null) return held;
  if (liveSteps(steps).length === 0) return partial ? 'payment_partial' : 'no_rules';
  const { matched, broken, actions, failures, skipped } = tallyOf(document);
  if (matched === 0) return broken > 0 ? 'error' : 'no_match';
  // A test runs nothing on purpose.
  const missed = failures + (cause.is_test ? 0 : skipped);
  if (missed === 0 && broken === 0) return 'success';
  return missed === actions && actions > 0 ? 'error' : 'partial';
}
