import type { Occurrence, RuleRecord } from '@order-automation/contracts';
import { type CompiledRule, compileRule } from './compile-rule';
import { keyOf, keysOf } from './listening';
import type { Registry } from './registry';
import type { Facts, Need } from './situation';

/** Finds rules by what their triggers listen to, in order of running. */
type Listeners = (occurrence: Occurrence) => readonly CompiledRule[];

export type CompiledRules = ReturnType<typeof compileRules>;

/** Kinds of occurrences for which the rules that listen are kept: more than exist, unless event types are made up. */
const maxKinds = 1_000;

const inOrder = (a: CompiledRule, b: CompiledRule): number =>
  a.record.position - b.record.position || a.record.id - b.record.id;

/**
 * Parses rules that are enabled or in shadow, once a version (`before` has those that are parsed already), and indexes them by what their triggers listen to, so that
 * an occurrence costs one look-up.
 */
export function compileRules(
  records: readonly RuleRecord[],
  registry: Registry,
  before?: { readonly all: readonly CompiledRule[] },
) {
  const parsed = new Map(before?.all.map((rule) => [rule.record.id, rule]));
  const all = records
    .filter(({ enabled, shadow }) => enabled || shadow)
    .map((record) => {
      const known = parsed.get(record.id);
      return known?.record.version === record.version ? known : compileRule(record, registry);
    })
    .sort(inOrder);
  /** Made when the first occurrence asks: of saves in a row only the last needs it. */
  let index: Listeners | undefined;
  const listening: Listeners = (occurrence) => {
    index ??= listenersOf(all);
    return index(occurrence);
  };
  return {
    /** Rules in order of running, also those that can never fire. */
    all: all as readonly CompiledRule[],
    /** The rules whose trigger listens to it. The array is shared: do not change it. */
    forOccurrence: listening,
    /** Those of them whose trigger it fires, for the order as it is. */
    firing: (occurrence: Occurrence, facts: Facts): readonly CompiledRule[] =>
      listening(occurrence).filter((rule) => rule.fires(occurrence, facts)),
  };
}

function listenersOf(all: readonly CompiledRule[]): Listeners {
  const byKey = new Map<string, CompiledRule[]>();
  for (const rule of all) {
    for (const key of new Set(rule.listensTo.map(keyOf))) {
      const rules = byKey.get(key);
      if (rules) rules.push(rule);
      else byKey.set(key, [rule]);
    }
  }
  /** Looked up by parts: making one key of them took a third of the time of ten rules. */
  let kinds = 0;
  const kept: Map<Occurrence['type'], Map<string | null, Map<string | null, readonly CompiledRule[]>>> = new Map();
  return (occurrence) => {
    const { gateway, event_type, sent_as } = occurrence;
    const name = sent_as === undefined ? (event_type ?? '') : `${sent_as}\n${event_type}`;
    const eventType = gateway === null ? null : name;
    const known = kept.get(occurrence.type)?.get(eventType)?.get(occurrence.to_status);
    if (known) return known;
    const rules = [...new Set(keysOf(occurrence).flatMap((key) => byKey.get(key) ?? []))].sort(inOrder);
    kinds = kinds < maxKinds ? kinds + 1 : 0;
    if (kinds === 0) kept.clear();
    at(at(kept, occurrence.type), eventType).set(occurrence.to_status, rules);
    return rules;
  };
}

/** The map under a key, made where it is missing. */
function at<Key, Inner, Value>(maps: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  let inner = maps.get(key);
  if (!inner) {
    inner = new Map();
    maps.set(key, inner);
  }
  return inner;
}

/** What rules ask for beyond the order, each once. */
export const needsOf = (rules: readonly CompiledRule[]): ReadonlySet<Need> =>
  new Set(rules.flatMap(({ needs }) => needs));
