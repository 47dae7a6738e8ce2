import type {
  ComponentChoice,
  ConditionResult,
  FieldChange,
  Occurrence,
  Order,
  OrderCommand,
  OrderContext,
  RuleRecord,
  TriggerResult,
} from '@order-automation/contracts';
import type { Action, Component, Listening, Situation, Step } from './component';
import { builtInRegistry, type Registered, type Registry } from './registry';
import { type CompiledCondition, judge, type RuleVerdict, type VerdictError, type VerdictFrame } from './verdict';

/** What a matching rule is to do. `index` is 0 for the primary action and n for the n-th secondary action. */
export type PlannedAction = {
  readonly index: number;
  readonly kind: 'primary' | 'secondary';
  readonly id: string;
  readonly label: string;
  readonly command: OrderCommand;
  readonly describe: { readonly message: string; readonly changes: FieldChange[] };
};

/** A rule whose settings are parsed. None of its functions throws, waits or looks at a clock. */
export type CompiledRule = {
  readonly record: RuleRecord;
  /** What its trigger listens to; nothing when the trigger is unknown. */
  readonly listensTo: readonly Listening[];
  /** What is wrong with the rule as it is stored: its verdict is always an error. */
  readonly problem: { readonly error: VerdictError; readonly message: string } | null;
  /** Conditions until the first that does not pass; the rest are `skipped`. */
  evaluate(context: OrderContext, occurrence: Occurrence | null): RuleVerdict;
  /** Every condition, for debugging. */
  evaluateAll(context: OrderContext, occurrence: Occurrence | null): RuleVerdict;
  /** The actions in order of running, none when the rule has a problem. `now` is in milliseconds since the epoch. */
  plan(context: OrderContext, occurrence: Occurrence | null, now: number): PlannedAction[];
  /** Without an occurrence: whether the trigger would fire for the order as it is. */
  wouldFire(order: Order): TriggerResult;
};

type Problem = { readonly error: VerdictError; readonly message: string };
type Found<C extends Component> = { readonly component: C } | { readonly problem: Problem };

function find<C extends Component>(
  map: ReadonlyMap<string, Registered<C>>,
  choice: ComponentChoice,
  what: string,
): Found<C> {
  const registered = map.get(choice.id);
  if (!registered)
    return { problem: { error: 'unknown_component', message: `unknown_component: ${what} ${choice.id}` } };
  const { component, validate } = registered;
  const fits = validate(choice.settings) && (component.violations?.(choice.settings) ?? []).length === 0;
  if (!fits) {
    return { problem: { error: 'invalid_settings', message: `invalid_settings: ${what} ${choice.id}` } };
  }
  return { component };
}

type Planner = (situation: Situation) => PlannedAction;

function planner(action: Action, choice: ComponentChoice, index: number): Planner {
  const { kind, id, label } = action;
  const step: (situation: Situation) => Step = action.compile(choice.settings);
  return (situation) => ({ index, kind, id, label, ...step(situation) });
}

function compileConditions(record: RuleRecord, registry: Registry, problems: Problem[]): CompiledCondition[] {
  const { conditions } = record.rule;
  return conditions.flatMap((choice, at) => {
    const found = find(registry.conditions, choice, 'condition');
    if ('problem' in found) {
      problems.push(found.problem);
      return [];
    }
    const { id, label } = found.component;
    const failedPrefix = `Rule "${record.name}" did not match: condition ${at + 1} of ${conditions.length} (${label}) failed: `;
    const reason = 'an earlier condition did not pass';
    const skipped: ConditionResult = { id, label, result: 'skipped', expected: '', actual: '', reason };
    return [{ id, label, check: found.component.compile(choice.settings), skipped, failedPrefix }];
  });
}

function compileActions({ rule }: RuleRecord, registry: Registry, problems: Problem[]): Planner[] {
  const planners: Planner[] = [];
  const add = (map: ReadonlyMap<string, Registered<Action>>, choice: ComponentChoice, index: number): void => {
    const found = find(map, choice, index === 0 ? 'primary action' : 'secondary action');
    if ('problem' in found) problems.push(found.problem);
    else planners.push(planner(found.component, choice, index));
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
    const found = find(registry.conditions, choice, 'condition');
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
export function matchedReason(name: string, conditions: number): string {
  if (conditions === 0)
    return `Rule "${name}" matched: it has no conditions, so it matches every time its trigger fires.`;
  return `Rule "${name}" matched: ${conditions === 1 ? 'its condition' : `all ${conditions} conditions`} passed.`;
}

/** Parses one rule, once. A rule that is wrong compiles too; every verdict of it says what is wrong. */
export function compileRule(record: RuleRecord, registry: Registry = builtInRegistry): CompiledRule {
  const problems: Problem[] = [];
  const trigger = find(registry.triggers, record.rule.trigger, 'trigger');
  if ('problem' in trigger) problems.push(trigger.problem);
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
  const settings = record.rule.trigger.settings;
  const broken = problems.length > 0 ? problemVerdict(record, problems, registry) : undefined;
  return {
    record,
    listensTo: 'problem' in trigger ? [] : trigger.component.listensTo(settings),
    problem: problems[0] ?? null,
    evaluate: (context, occurrence) => broken ?? judge(frame, context, occurrence, false),
    evaluateAll: (context, occurrence) => broken ?? judge(frame, context, occurrence, true),
    plan: (context, occurrence, now) =>
      broken ? [] : planners.map((plan) => plan({ context, occurrence, rule: { id, name }, now })),
    wouldFire: (order) => {
      const triggerId = record.rule.trigger.id;
      if ('problem' in trigger) return { id: triggerId, would_fire: false, reason: trigger.problem.message };
      return { id: triggerId, ...trigger.component.wouldFire(settings, order) };
    },
  };
}
