import type { RuleData, RuleRecord, RuleWarning } from '@order-automation/contracts';
import type { Listening, Registry } from '@order-automation/engine';
import { contradictions } from './contradictions';

/** What a comparison of two rules looks at. */
export type Compared = Pick<RuleRecord, 'id' | 'name' | 'rule' | 'position' | 'stop_processing'>;

/** What a rule listens to; nothing when its trigger is unknown or its settings no longer fit. */
export function listeningOf({ trigger }: RuleData, registry: Registry): readonly Listening[] {
  const registered = registry.triggers.get(trigger.id);
  return registered?.validate(trigger.settings) ? registered.component.listensTo(trigger.settings) : [];
}

/** Whether some occurrence fires both triggers. Gateways are not told apart: a warning too many is better than one too few. */
export function overlap(a: readonly Listening[], b: readonly Listening[]): boolean {
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

/** A rule, ready to be compared with many. */
export type Placed = {
  readonly record: Compared;
  readonly listening: readonly Listening[];
  readonly conditions: ReadonlySet<string>;
  /** Id of the primary action, when it changes the status. */
  readonly statusAction: string | null;
};

/** Rules in order of running. */
export function placed(rules: readonly Compared[], registry: Registry): Placed[] {
  return [...rules]
    .sort((a, b) => a.position - b.position || a.id - b.id)
    .map((record) => ({
      record,
      listening: listeningOf(record.rule, registry),
      conditions: new Set(record.rule.conditions.map((condition) => JSON.stringify(condition))),
      statusAction: statusActionOf(record.rule),
    }));
}

function statusActionOf({ primaryAction }: RuleData): string | null {
  return primaryAction?.id.startsWith('change_status_to_') ? primaryAction.id : null;
}

/** Conflicts between two rules of which `first` runs before `second`. */
export function pairWarnings(first: Placed, second: Placed): RuleWarning[] {
  return [clash(first, second), shadow(first, second)].filter((warning) => warning !== null);
}

function clash(a: Placed, b: Placed): RuleWarning | null {
  if (a.statusAction === null || b.statusAction === null || a.statusAction === b.statusAction) return null;
  if (!overlap(a.listening, b.listening)) return null;
  if (contradictions([...a.record.rule.conditions, ...b.record.rule.conditions]).length > 0) return null;
  if (a.record.stop_processing && isSubset(a.conditions, b.conditions)) return null;
  const message = `Rules "${a.record.name}" and "${b.record.name}" can fire on the same occurrence and set different statuses: ${a.statusAction} and ${b.statusAction}.`;
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
