import { genericTypes, type RuleData, type RuleRecord, type RuleWarning } from '@order-automation/contracts';
import type { Listening } from './component';
import { contradictions } from './contradictions';
import { plainStatuses } from './order-status';
import type { Registry } from './registry';

type Named = Pick<RuleRecord, 'id' | 'name' | 'rule' | 'position' | 'stop_processing'>;

const generic: ReadonlySet<string> = new Set(genericTypes);

/** What a rule listens to; nothing when its trigger is unknown or its settings no longer fit. */
function listeningOf({ trigger }: RuleData, registry: Registry): readonly Listening[] {
  const registered = registry.triggers.get(trigger.id);
  return registered?.validate(trigger.settings) ? registered.component.listensTo(trigger.settings) : [];
}

/** A condition that no occurrence of the trigger can pass. */
function triggerProblems(rule: RuleData, registry: Registry): string[] {
  const listening = listeningOf(rule, registry);
  const types = new Set(listening.map((one) => (one.type === 'gateway_event' ? (one.event ?? '*') : one.type)));
  if (types.size === 0 || [...types].some((type) => type === '*')) return [];
  const problems: string[] = [];
  for (const { id, settings } of rule.conditions) {
    if (id === 'event_type' && settings.operator !== 'is_not') {
      const wanted = (settings.event_types ?? []) as string[];
      const known = [...types].every(
        (type) => generic.has(type) || type === 'order_status_changed' || type === 'schedule',
      );
      if (known && !wanted.some((type) => types.has(type)))
        problems.push('its trigger never fires on an event of a type that the condition event_type asks for');
    }
    if (id === 'source_gateway' && settings.operator !== 'is_not' && settings.include_null !== true) {
      if ([...types].every((type) => type === 'order_status_changed' || type === 'schedule'))
        problems.push(
          'its trigger fires on changes of the shop alone, and the condition source_gateway asks for a gateway',
        );
    }
  }
  return problems;
}

/** The status that every occurrence of the trigger has just been entered, if there is one. */
function enteredStatus(rule: RuleData, registry: Registry): string | null {
  const statuses = new Set(
    listeningOf(rule, registry).map((one) => ('to_status' in one && one.to_status ? one.to_status : null)),
  );
  const [status = null] = statuses;
  return statuses.size === 1 ? status : null;
}

/** What is odd about a rule by itself. None of it stops a save. */
export function ruleWarnings(
  { id, name, rule }: Pick<Named, 'id' | 'name' | 'rule'>,
  registry: Registry,
): RuleWarning[] {
  const warnings: RuleWarning[] = [];
  const warn = (code: RuleWarning['code'], message: string) => warnings.push({ code, rule_ids: [id], message });
  if (!rule.primaryAction && rule.secondaryActions.length === 0)
    warn('no_action', `Rule "${name}" has no action: it can match, but nothing follows.`);
  for (const problem of [...contradictions(rule.conditions), ...triggerProblems(rule, registry)])
    warn('never_matches', `Rule "${name}" can never match: ${problem}.`);
  const entered = enteredStatus(rule, registry);
  for (const { id: condition, settings } of rule.conditions) {
    if (entered === null || condition !== 'order_status') continue;
    const statuses = plainStatuses((settings.statuses ?? []) as string[]);
    if (!statuses.includes(entered))
      warn(
        'never_matches',
        `Rule "${name}" fires when an order enters ${entered}, but its condition wants ${statuses.join(' or ')}: it matches only when the order has moved on by then.`,
      );
  }
  return warnings;
}

/** Whether some occurrence fires both triggers. Gateways are not told apart: a warning too many is better than one too few. */
function overlap(a: readonly Listening[], b: readonly Listening[]): boolean {
  return a.some((one) => b.some((other) => sharesOccurrence(one, other)));
}

function sharesOccurrence(one: Listening, other: Listening): boolean {
  if (one.type === 'gateway_event' && other.type === 'gateway_event')
    return one.event === undefined || other.event === undefined || one.event === other.event;
  if (one.type === 'gateway_event' || other.type === 'gateway_event') {
    const [event, type] =
      one.type === 'gateway_event' ? [one.event, other.type] : [(other as { event?: string }).event, one.type];
    return type !== 'order_status_changed' && type !== 'schedule' && (event === undefined || event === type);
  }
  if (one.type !== other.type || one.type === 'schedule') return false;
  return one.to_status === undefined || other.to_status === undefined || one.to_status === other.to_status;
}

/** Everything that `of` listens to, `by` listens to as well. */
function coversOf(by: readonly Listening[], of: readonly Listening[]): boolean {
  return of.length > 0 && of.every((one) => by.some((other) => covers(other, one)));
}

function covers(wide: Listening, narrow: Listening): boolean {
  if (wide.type === 'gateway_event')
    return (
      narrow.type === 'gateway_event' &&
      (wide.gateway === undefined || wide.gateway === narrow.gateway) &&
      (wide.event === undefined || wide.event === narrow.event)
    );
  if (narrow.type !== wide.type || narrow.type === 'schedule') return false;
  return wide.to_status === undefined || wide.to_status === narrow.to_status;
}

type Placed = {
  readonly record: Named;
  readonly listening: readonly Listening[];
  readonly conditions: ReadonlySet<string>;
};

const statusAction = /^change_status_to_(.+)$/;

function clash(a: Placed, b: Placed): RuleWarning | null {
  const [first, second] = [a.record.rule.primaryAction?.id, b.record.rule.primaryAction?.id];
  if (!first || !second || first === second || !statusAction.test(first) || !statusAction.test(second)) return null;
  if (!overlap(a.listening, b.listening)) return null;
  if (contradictions([...a.record.rule.conditions, ...b.record.rule.conditions]).length > 0) return null;
  if (a.record.stop_processing && isSubset(a.conditions, b.conditions)) return null;
  const message = `Rules "${a.record.name}" and "${b.record.name}" can fire on the same occurrence and set different statuses: ${first} and ${second}.`;
  return { code: 'conflicting_actions', rule_ids: [a.record.id, b.record.id], message };
}

const isSubset = (some: ReadonlySet<string>, all: ReadonlySet<string>) => [...some].every((one) => all.has(one));

function shadow(a: Placed, b: Placed): RuleWarning | null {
  if (!a.record.stop_processing || !isSubset(a.conditions, b.conditions) || !coversOf(a.listening, b.listening))
    return null;
  if (a.record.rule.trigger.id !== b.record.rule.trigger.id && a.record.rule.trigger.id === 'order_processing')
    return null;
  const message = `Rule "${b.record.name}" never runs: rule "${a.record.name}" matches whenever it would, comes first, and ends the occurrence.`;
  return { code: 'shadowed', rule_ids: [b.record.id, a.record.id], message };
}

/** Warnings beyond these are not looked for. */
const mostWarnings = 500;

/**
 * What is odd about enabled rules together, besides what is odd about each: different status actions on one occurrence, and rules that never run because
 * one before them ends the occurrence. `about` asks for those of one rule alone.
 */
export function ruleConflicts(rules: readonly Named[], registry: Registry, about?: number): RuleWarning[] {
  const placed = [...rules]
    .sort((a, b) => a.position - b.position || a.id - b.id)
    .map(
      (record): Placed => ({
        record,
        listening: listeningOf(record.rule, registry),
        conditions: new Set(record.rule.conditions.map((condition) => JSON.stringify(condition))),
      }),
    );
  const warnings: RuleWarning[] = [];
  for (const [at, first] of placed.entries()) {
    for (const second of placed.slice(at + 1)) {
      if (about !== undefined && first.record.id !== about && second.record.id !== about) continue;
      for (const warning of [clash(first, second), shadow(first, second)]) if (warning) warnings.push(warning);
      if (warnings.length >= mostWarnings) return warnings;
    }
  }
  return warnings;
}
