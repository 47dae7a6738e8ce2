import type { RuleData, RuleRecord, RuleWarning } from '@order-automation/contracts';
import type { Listening, Registry } from '@order-automation/engine';
import { contradictions } from './contradictions';

type Compared = Pick<RuleRecord, 'id' | 'name' | 'rule' | 'position' | 'stop_processing'>;

/** What a rule listens to; nothing when its trigger is unknown or its settings no longer fit. */
export function listeningOf({ trigger }: RuleData, registry: Registry): readonly Listening[] {
  const registered = registry.triggers.get(trigger.id);
  return registered?.validate(trigger.settings) ? registered.component.listensTo(trigger.settings) : [];
}

const eventOf = (one: Listening): string | undefined => (one.type === 'gateway_event' ? one.event : one.type);

/** Types of occurrences that no gateway reports. */
export const ofShop: ReadonlySet<string | undefined> = new Set(['order_status_changed', 'schedule']);

/** Whether some occurrence is both. Gateways are not told apart: a warning too many is better than one too few. */
function overlap(one: Listening, other: Listening): boolean {
  if (one.type !== 'gateway_event' && other.type !== 'gateway_event') {
    if (one.type !== other.type || one.type === 'schedule') return false;
    return !one.to_status || !other.to_status || one.to_status === other.to_status;
  }
  const [event, another] = [eventOf(one), eventOf(other)];
  return !ofShop.has(event) && !ofShop.has(another) && (!event || !another || event === another);
}

/** Whether every occurrence that is `narrow` is `wide` as well. */
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

/** A rule, ready to be compared with many. `statusAction` is the id of its primary action, when that changes the status. */
export type Placed = {
  readonly record: Compared;
  readonly listening: readonly Listening[];
  readonly conditions: ReadonlySet<string>;
  readonly statusAction: string | null;
};

/** Rules in order of running. */
export function placed(rules: readonly Compared[], registry: Registry): Placed[] {
  const ordered = [...rules].sort((a, b) => a.position - b.position || a.id - b.id);
  return ordered.map((record) => {
    const { conditions, primaryAction } = record.rule;
    return {
      record,
      listening: listeningOf(record.rule, registry),
      conditions: new Set(conditions.map((condition) => JSON.stringify(condition))),
      statusAction: primaryAction?.id.startsWith('change_status_to_') ? primaryAction.id : null,
    };
  });
}

/** The status in words: "on hold". */
const statusOf = ({ statusAction }: Placed): string => String(statusAction).slice(17).replaceAll('_', ' ');

/** Conflicts between two rules of which `first` runs before `second`. */
export function pairWarnings(first: Placed, second: Placed): RuleWarning[] {
  const [a, b] = [first.record, second.record];
  const matchesToo = a.stop_processing && [...first.conditions].every((one) => second.conditions.has(one));
  const warnings: RuleWarning[] = [];
  if (isClash(first, second) && !matchesToo) {
    const message = `Rules "${a.name}" and "${b.name}" can both run for one event and set different statuses: ${statusOf(first)} and ${statusOf(second)}.`;
    warnings.push({ code: 'conflicting_actions', rule_ids: [a.id, b.id], message });
  }
  const covered = second.listening.every((one) => first.listening.some((other) => covers(other, one)));
  const isOther = a.rule.trigger.id !== b.rule.trigger.id && a.rule.trigger.id === 'order_processing';
  if (matchesToo && second.listening.length > 0 && covered && !isOther) {
    const message = `Rule "${b.name}" never runs: rule "${a.name}" matches whenever it would, comes first, and skips the rules after it.`;
    warnings.push({ code: 'shadowed', rule_ids: [b.id, a.id], message });
  }
  return warnings;
}

function isClash(a: Placed, b: Placed): boolean {
  if (a.statusAction === null || b.statusAction === null || a.statusAction === b.statusAction) return false;
  if (!a.listening.some((one) => b.listening.some((other) => overlap(one, other)))) return false;
  return contradictions([...a.record.rule.conditions, ...b.record.rule.conditions]).length === 0;
}

/** `isTruncated`: there may be more than were looked for. */
export type Conflicts = { readonly warnings: RuleWarning[]; readonly isTruncated: boolean };

/**
 * Conflicts among enabled rules, beside the warnings about each: different status actions on one occurrence, and rules that never run because
 * one before them ends the occurrence. By the rule that runs first, then by the other; at most `limit`, those of the rule `about` alone.
 */
export function ruleConflicts(
  rules: readonly Compared[],
  registry: Registry,
  { limit, about }: { readonly limit: number; readonly about?: number },
): Conflicts {
  const all = placed(rules, registry);
  const warnings: RuleWarning[] = [];
  for (const [at, first] of all.entries()) {
    if (first.statusAction === null && !first.record.stop_processing) continue;
    for (const second of all.slice(at + 1))
      if (about === undefined || first.record.id === about || second.record.id === about)
        warnings.push(...pairWarnings(first, second));
    if (warnings.length > limit) return { warnings: warnings.slice(0, limit), isTruncated: true };
  }
  return { warnings, isTruncated: false };
}
