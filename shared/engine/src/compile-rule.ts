import type {
  ComponentChoice,
  ConditionResult,
  FieldChange,
  Occurrence,
  RuleRecord,
  TriggerResult,
} from '@order-automation/contracts';
import {
  type Action,
  type Component,
  ComponentError,
  causeText,
  type Listening,
  type PlannedEffect,
  type TriggerTest,
} from './component';
import { withPersonal } from './placeholders';
import type { Registered, Registry } from './registry';
import type { Facts, Need, Situation } from './situation';
import { type CompiledCondition, judge, type RuleVerdict, type VerdictError, type VerdictFrame } from './verdict';
import { wouldFire } from './would-fire';

/** What a matching rule is to do. `index` is 0 for the primary action and n for the n-th secondary action. */
export type PlannedAction = PlannedEffect & {
  readonly index: number;
  readonly kind: 'primary' | 'secondary';
  readonly id: string;
  readonly label: string;
};

/** A rule whose settings are parsed. None of its functions throws, waits or looks at a clock. */
export type CompiledRule = {
  readonly record: RuleRecord;
  /** What its trigger listens to; nothing when the trigger is unknown. */
  readonly listensTo: readonly Listening[];
  /** Facts beyond the order that its conditions ask for. */
  readonly needs: readonly Need[];
  /** Whether any of its actions changes the order (decisions.md section 6: not to run when the amount disagrees). Unknown ones count. */
  readonly changesOrder: boolean;
  /** What is wrong with the rule as it is stored: its verdict is always an error. */
  readonly problem: Problem | null;
  /** Whether an occurrence that it listens to fires its trigger, for the order as it is. */
  fires(occurrence: Occurrence, facts: Facts): boolean;
  /** Conditions until the first that does not pass; the rest are `skipped`. */
  match(facts: Facts): RuleVerdict;
  judge(facts: Facts): RuleVerdict;
  /** Of each condition the smallest change after which it passes, for debugging; it may throw where an extension made it. */
  readonly conditions: readonly { nearest(facts: Facts): FieldChange[] | null }[];
  /** The actions in order of running, none when the rule has a problem. */
  plan(facts: Facts): PlannedAction[];
  /** Without an occurrence: whether the trigger would fire for the order as it is. */
  wouldFire(facts: Facts): TriggerResult;
};

type Problem = { readonly error: VerdictError; readonly message: string };
type Found<Made> = { readonly made: Made } | { readonly problem: Problem };

/** What `make` makes of the chosen component, or why nothing can be made of it. */
function find<C extends Component, Made>(
  map: ReadonlyMap<string, Registered<C>>,
  choice: ComponentChoice,
  what: string,
  make: (component: C) => Made,
): Found<Made> {
  const registered = map.get(choice.id);
  if (!registered)
    return { problem: { error: 'unknown_component', message: `unknown_component: ${what} ${choice.id}` } };
  const { component, validate } = registered;
  const misfit: Problem = { error: 'invalid_settings', message: `invalid_settings: ${what} ${choice.id}` };
  const fits = validate(choice.settings) && (component.violations?.(choice.settings) ?? []).length === 0;
  if (!fits) return { problem: misfit };
  try {
    return { made: make(component) };
  } catch (error) {
    return { problem: { ...misfit, message: `${misfit.message} (${causeText(error)})` } };
  }
}

type Planner = {
  readonly changesOrder: boolean;
  readonly plan: (situation: Situation) => PlannedAction;
  /** It is of an extension: it may throw. */
  readonly mayFail: boolean;
};

function planner(action: Action, choice: ComponentChoice, index: number): Planner {
  const { kind, id, label, changesOrder, extension } = action;
  const effect = withPersonal<PlannedEffect>(choice.settings, action.compile(choice.settings));
  const plan = (situation: Situation): PlannedAction => ({ index, kind, id, label, ...effect(situation) });
  if (extension === undefined) return { changesOrder, plan, mayFail: false };
  const naming = (situation: Situation): PlannedAction => {
    try {
      return plan(situation);
    } catch (error) {
      throw new ComponentError(`action ${id} of ${extension}: ${causeText(error)}`, { cause: error });
    }
  };
  return { changesOrder, plan: naming, mayFail: true };
}

/** A condition as the verdict and an explanation need it. */
type JudgedCondition = CompiledCondition & { readonly nearest: (facts: Facts) => FieldChange[] | null };

function compileConditions(record: RuleRecord, registry: Registry, problems: Problem[]): JudgedCondition[] {
  const { conditions } = record.rule;
  return conditions.flatMap((choice, at) => {
    const found = find(registry.conditions, choice, 'condition', (condition) => ({
      condition,
      check: condition.compile(choice.settings),
    }));
    if ('problem' in found) {
      problems.push(found.problem);
      return [];
    }
    const { condition, check } = found.made;
    const { id, label, needs } = condition;
    const failedPrefix = `Rule "${record.name}" did not match: condition ${at + 1} of ${conditions.length} (${label}) failed: `;
    const reason = 'an earlier condition did not pass';
    const skipped: ConditionResult = { id, label, result: 'skipped', expected: '', actual: '', reason };
    const nearest = (facts: Facts) => condition.nearest(choice.settings, facts);
    return [{ id, label, needs, check, skipped, failedPrefix, nearest }];
  });
}

function compileActions({ rule }: RuleRecord, registry: Registry, problems: Problem[]): Planner[] {
  const planners: Planner[] = [];
  const add = (map: ReadonlyMap<string, Registered<Action>>, choice: ComponentChoice, index: number): void => {
    const found = find(map, choice, index === 0 ? 'primary action' : 'secondary action', (action) =>
      planner(action, choice, index),
    );
    if ('problem' in found) problems.push(found.problem);
    else planners.push(found.made);
  };
  if (rule.primaryAction) add(registry.primaryActions, rule.primaryAction, 0);
  rule.secondaryActions.forEach((choice, at) => {
    add(registry.secondaryActions, choice, at + 1);
  });
  return planners;
}

/** The verdict of a rule that cannot be judged: the conditions that are wrong are errors, the others were never looked at. */
function problemVerdict(record: RuleRecord, problems: readonly Problem[], registry: Registry): RuleVerdict {
  const conditions = record.rule.conditions.map((choice): ConditionResult => {
    const found = find(registry.conditions, choice, 'condition', ({ compile }) => compile(choice.settings));
    const label = registry.conditions.get(choice.id)?.component.label ?? choice.id;
    const wrong = 'problem' in found;
    const reason = wrong ? found.problem.error : 'the rule cannot be evaluated';
    return { id: choice.id, label, result: wrong ? 'error' : 'skipped', expected: '', actual: '', reason };
  });
  const message = problems.map((problem) => problem.message).join(', ');
  return {
    rule_id: record.id,
    rule_name: record.name,
    rule_version: record.version,
    matched: false,
    conditions,
    reason: `Rule "${record.name}" failed: ${message}.`,
    error: problems[0]?.error ?? 'unknown_component',
  };
}

/** The sentence of a rule that matched, which follows from its name and the number of its conditions. */
function matchedReason(name: string, conditions: number): string {
  if (conditions === 0)
    return `Rule "${name}" matched: it has no conditions, so it matches every time its trigger fires.`;
  return `Rule "${name}" matched: ${conditions === 1 ? 'its condition' : `all ${conditions} conditions`} passed.`;
}

type CompiledTrigger = Pick<CompiledRule, 'listensTo' | 'wouldFire'> & { readonly test: TriggerTest };

function compileTrigger({ rule: { trigger } }: RuleRecord, registry: Registry, problems: Problem[]): CompiledTrigger {
  const { id, settings } = trigger;
  const found = find(registry.triggers, trigger, 'trigger', (component) => ({
    listensTo: component.listensTo(settings),
    test: component.compile(settings),
    fires: component.fires(settings),
  }));
  if ('problem' in found) {
    problems.push(found.problem);
    const reason = found.problem.message;
    const test = () => ({ fires: false, reason });
    return { listensTo: [], test, wouldFire: () => ({ id, would_fire: false, reason }) };
  }
  const { listensTo, test, fires } = found.made;
  return { listensTo, test, wouldFire: (facts) => ({ id, ...wouldFire(listensTo, test, fires, facts) }) };
}

/** Parses one rule, once. A rule that is wrong compiles too; every verdict of it says what is wrong. */
export function compileRule(record: RuleRecord, registry: Registry): CompiledRule {
  const problems: Problem[] = [];
  const { listensTo, test, wouldFire } = compileTrigger(record, registry, problems);
  const conditions = compileConditions(record, registry, problems);
  const planners = compileActions(record, registry, problems);
  const { id, name, version } = record;
  const frame: VerdictFrame = {
    rule_id: id,
    rule_name: name,
    rule_version: version,
    matchedReason: matchedReason(name, conditions.length),
    conditions,
  };
  const broken = problems.length > 0 ? problemVerdict(record, problems, registry) : undefined;
  const rule = { id, name };
  const plan = ({ occurrence, customer, now, timeZone, ...facts }: Facts): PlannedAction[] => {
    let { context } = facts;
    return (broken ? [] : planners).map((one) => {
      const planned = one.plan({ context, occurrence, customer, now, timeZone, rule });
      const { effect } = planned;
      // Texts of later actions tell the order as this one leaves it.
      if (effect.kind === 'order' && effect.command.kind === 'set_status')
        context = { ...context, order: { ...context.order, status: effect.command.status } };
      return planned;
    });
  };
  const mayFail = planners.some((one) => one.mayFail);
  const verdictOf = (facts: Facts, all: boolean): RuleVerdict => {
    const verdict = broken ?? judge(frame, facts, all);
    return mayFail && verdict.matched ? unlessPlanFails(verdict, () => plan(facts)) : verdict;
  };
  return {
    record,
    listensTo,
    needs: [...new Set(conditions.flatMap(({ needs }) => needs))],
    changesOrder: hasUnknownAction(record, registry) || planners.some(({ changesOrder }) => changesOrder),
    problem: problems[0] ?? null,
    fires: (occurrence, facts) => (occurrence.rule_id ?? id) === id && test(occurrence, facts).fires,
    match: (facts) => verdictOf(facts, false),
    judge: (facts) => verdictOf(facts, true),
    conditions,
    plan,
    wouldFire,
  };
}

/** A rule whose actions cannot be planned does nothing at all, and its verdict says why. */
function unlessPlanFails(verdict: RuleVerdict, plan: () => void): RuleVerdict {
  try {
    plan();
    return verdict;
  } catch (error) {
    const reason = `Rule "${verdict.rule_name}" failed: ${causeText(error)}.`;
    return { ...verdict, matched: false, reason, error: 'action_error' };
  }
}

function hasUnknownAction({ rule }: RuleRecord, { primaryActions, secondaryActions }: Registry): boolean {
  if (rule.primaryAction && !primaryActions.has(rule.primaryAction.id)) return true;
  return rule.secondaryActions.some(({ id }) => !secondaryActions.has(id));
}
