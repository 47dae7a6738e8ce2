import type { RuleWarning } from '@order-automation/contracts';
import type { Listening, Registry } from '@order-automation/engine';
import { type Compared, mayClash, overlap, type Placed, pairWarnings, placed } from './conflicting-pair';

export type Conflicts = {
  readonly warnings: RuleWarning[];
  /** Whether there may be more than were looked for. */
  readonly isTruncated: boolean;
};

/** What is looked for at most: warnings, and pairs that are compared to the end. */
const defaultLimits = { warnings: 500, pairs: 100_000 };

/**
 * Conflicts among enabled rules, beside the warnings about each: different status actions on one occurrence, and rules that never run because
 * one before them ends the occurrence. By the rule that runs first, then by the other. Only rules that can meet are compared. It pauses after each
 * rule that had to be compared, so that a caller with other work can do some of it.
 */
export function* ruleConflicts(
  rules: readonly Compared[],
  registry: Registry,
  limits = defaultLimits,
): Generator<void, Conflicts> {
  const all = placed(rules, registry);
  const candidatesOf = candidateIndex(all);
  const warnings: RuleWarning[] = [];
  let pairs = 0;
  for (const [at, first] of all.entries()) {
    for (const second of candidatesOf(at)) {
      if (pairs === limits.pairs) return { warnings, isTruncated: true };
      pairs += 1;
      for (const warning of pairWarnings(first, second)) {
        if (warnings.length === limits.warnings) return { warnings, isTruncated: true };
        warnings.push(warning);
      }
    }
    if (first.statusAction !== null || first.record.stop_processing) yield;
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

/** Rules that listen to the same, by their places in order of running. */
type Group = {
  readonly listening: readonly Listening[];
  readonly all: number[];
  readonly byStatusAction: Map<string, number[]>;
  /** Groups with which it shares an occurrence, itself perhaps included; filled when asked for. */
  met: readonly Group[] | null;
};

/** For the place of a rule the later rules that it can meet: that set another status, or that it may shadow. */
function candidateIndex(all: readonly Placed[]): (at: number) => readonly Placed[] {
  const groups = new Map<string, Group>();
  const byCondition = new Map<string, number[]>();
  const groupOf = all.map(({ listening, conditions, statusAction }, at) => {
    const group = listedUnder(groups, JSON.stringify(listening), () => newGroup(listening));
    group.all.push(at);
    if (statusAction !== null) listedUnder(group.byStatusAction, statusAction, () => []).push(at);
    for (const condition of conditions) listedUnder(byCondition, condition, () => []).push(at);
    return group;
  });
  return (at) => {
    const first = all[at] as Placed;
    const group = groupOf[at] as Group;
    group.met ??= [...groups.values()].filter((other) => overlap(group.listening, other.listening));
    const found = new Set<number>();
    for (const places of group.met.flatMap((other) => otherStatuses(other, first.statusAction)))
      for (let next = placeAfter(places, at); next < places.length; next += 1)
        if (mayClash(first, all[places[next] as number] as Placed)) found.add(places[next] as number);
    if (first.record.stop_processing)
      for (const places of shadowable(first, group.met, byCondition))
        for (const place of places.slice(placeAfter(places, at))) found.add(place);
    return [...found].sort((a, b) => a - b).map((place) => all[place] as Placed);
  };
}

const newGroup = (listening: readonly Listening[]): Group => ({
  listening,
  all: [],
  byStatusAction: new Map(),
  met: null,
});

function listedUnder<T>(lists: Map<string, T>, key: string, make: () => T): T {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made = make();
  lists.set(key, made);
  return made;
}

function otherStatuses({ byStatusAction }: Group, own: string | null): number[][] {
  return own === null ? [] : [...byStatusAction].flatMap(([action, places]) => (action === own ? [] : [places]));
}

/** Where the rules stand that have every condition of the rule, among others. */
function shadowable(
  { conditions }: Placed,
  met: readonly Group[],
  byCondition: ReadonlyMap<string, readonly number[]>,
): (readonly number[])[] {
  if (conditions.size === 0) return met.map(({ all }) => all);
  const lists = [...conditions].map((condition) => byCondition.get(condition) ?? []);
  return [lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest))];
}

/** Index of the first place that is greater; places ascend. */
function placeAfter(places: readonly number[], place: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as number) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
