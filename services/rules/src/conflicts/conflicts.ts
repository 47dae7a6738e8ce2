import type { RuleWarning } from '@order-automation/contracts';
import type { Registry } from '@order-automation/engine';
import { type Compared, pairWarnings, placed } from './conflicting-pair';

export type Conflicts = {
  readonly warnings: RuleWarning[];
  /** Whether there may be more than were looked for. */
  readonly isTruncated: boolean;
};

/**
 * Conflicts among enabled rules, beside the warnings about each: different status actions on one occurrence, and rules that never run because
 * one before them ends the occurrence. By the rule that runs first, then by the other; at most `limit`.
 */
export function ruleConflicts(rules: readonly Compared[], registry: Registry, limit: number): Conflicts {
  const all = placed(rules, registry);
  const warnings: RuleWarning[] = [];
  for (const [at, first] of all.entries()) {
    if (first.statusAction === null && !first.record.stop_processing) continue;
    for (const second of all.slice(at + 1)) warnings.push(...pairWarnings(first, second));
    if (warnings.length > limit) return { warnings: warnings.slice(0, limit), isTruncated: true };
  }
  return { warnings, isTruncated: false };
}

/** Those that one of the rules has part in. */
export function conflictsOf(id: number, rules: readonly Compared[], registry: Registry): RuleWarning[] {
  const all = placed(rules, registry);
  const own = all.findIndex(({ record }) => record.id === id);
  const rule = all[own];
  if (!rule) return [];
  return all.flatMap((other, at) => (at < own ? pairWarnings(other, rule) : at > own ? pairWarnings(rule, other) : []));
}
