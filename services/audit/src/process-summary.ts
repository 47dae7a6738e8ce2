import type { AuditEventType } from '@order-automation/contracts';
import { aspectsOf, type EntryKind } from './facets';
import type { EntryFacts } from './logged-entry';

/**
 * What lists may show of a process: `normal` has an entry that is neither test nor debug; `test`, `debug` and `both` have only such;
 * `mixed` has entries that are only test and others that are only debug.
 */
export type Visibility = 'normal' | 'test' | 'debug' | 'both' | 'mixed';
export type Counts = Readonly<Record<EntryKind, number>>;

/** All that is known of a process; it follows from its entries and from nothing else. */
export type ProcessSummary = {
  readonly started_at: string;
  readonly ended_at: string;
  readonly entry_count: number;
  readonly counts: Counts;
  readonly visibility: Visibility;
  /** The entry that everything else follows from. */
  readonly first_id: number;
  readonly last_id: number;
  /** The most telling entry, and the bundle it is in. */
  readonly representative_id: number;
  readonly representative_bundle: number;
  /** The evaluation of each rule, which its actions follow from. */
  readonly evaluations: readonly { readonly rule_id: number; readonly id: number }[];
};

const telling: Record<AuditEventType, number> = {
  action_failed: 95,
  dead_lettered: 95,
  process_completed: 80,
  rule_evaluation: 40,
  action_executed: 60,
  order_status_changed: 55,
  rule_created: 70,
  rule_modified: 70,
  rule_deleted: 70,
  webhook_rejected: 75,
  webhook_duplicate: 75,
  webhook_test: 65,
  security_denied: 75,
  audit_deleted: 70,
  webhook_received: 30,
  event_normalized: 20,
  retry_scheduled: 15,
  process_started: 10,
  step_timing: 5,
};

/**
 * How much an entry says about its process. First what went wrong (a failed action, a dead letter, status error), then the outcome, a
 * refusal or a change of a rule, a rule that matched, an action, a warning before a success, and last what only led there. Debug and
 * test entries come after all others.
 */
export function weightOf(facet: string): number {
  const { event_type, status, is_test, is_debug } = aspectsOf(facet);
  const base = event_type === 'rule_evaluation' && status === 'success' ? 65 : telling[event_type];
  const wrong = status === 'error' ? 100 : status === 'warning' ? 3 : 0;
  return base + wrong - (is_test ? 500 : 0) - (is_debug ? 1000 : 0);
}

/** The most telling of some entries; of equal ones the latest. */
export function mostTelling<Entry extends EntryFacts>(entries: readonly Entry[]): Entry | undefined {
  let best: Entry | undefined;
  let heaviest = Number.NEGATIVE_INFINITY;
  for (const entry of entries) {
    const weight = weightOf(entry.facet);
    if (best !== undefined && (weight < heaviest || (weight === heaviest && entry.id < best.id))) continue;
    best = entry;
    heaviest = weight;
  }
  return best;
}

/** How many of these entries are for what. */
function countsOf(entries: readonly Pick<EntryFacts, 'facet'>[]): Counts {
  const counts = { normal: 0, test: 0, debug: 0, both: 0 };
  for (const { facet } of entries) counts[aspectsOf(facet).kind] += 1;
  return counts;
}

export function visibilityOf(entries: readonly Pick<EntryFacts, 'facet'>[]): Visibility {
  const { normal, test, debug } = countsOf(entries);
  if (normal > 0) return 'normal';
  if (test > 0) return debug > 0 ? 'mixed' : 'test';
  return debug > 0 ? 'debug' : 'both';
}

type Inclusion = { readonly include_test: boolean; readonly include_debug: boolean };

/** Processes that have something to show. */
export function visible({ include_test, include_debug }: Inclusion): Visibility[] {
  if (include_test && include_debug) return ['normal', 'test', 'debug', 'both', 'mixed'];
  if (include_test) return ['normal', 'test', 'mixed'];
  return include_debug ? ['normal', 'debug', 'mixed'] : ['normal'];
}

/** How many entries of a process are shown. */
export function visibleCount(
  { normal, test, debug, both }: Counts,
  { include_test, include_debug }: Inclusion,
): number {
  return normal + (include_test ? test : 0) + (include_debug ? debug : 0) + (include_test && include_debug ? both : 0);
}

/** By time, then by id. */
export function inOrder<Entry extends Pick<EntryFacts, 'id' | 'timestamp'>>(entries: readonly Entry[]): Entry[] {
  const order = (a: Entry, b: Entry): number => compare(a.timestamp, b.timestamp) || a.id - b.id;
  const sorted = entries.every((entry, index) => index === 0 || order(entries[index - 1] as Entry, entry) <= 0);
  return sorted ? [...entries] : [...entries].sort(order);
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What is known of a process from all its entries; there must be one. */
export function summarise(entries: readonly EntryFacts[]): ProcessSummary {
  const sorted = inOrder(entries);
  const [first, last, representative] = [sorted[0], sorted.at(-1), mostTelling(sorted)];
  if (!first || !last || !representative) throw new Error('a process has at least one entry');
  return {
    started_at: first.timestamp,
    ended_at: last.timestamp,
    entry_count: sorted.length,
    counts: countsOf(sorted),
    visibility: visibilityOf(sorted),
    first_id: first.id,
    last_id: sorted.reduce((highest, { id }) => Math.max(highest, id), first.id),
    representative_id: representative.id,
    representative_bundle: representative.bundle,
    evaluations: evaluationsOf(sorted),
  };
}

/** The first evaluation of each rule. */
function evaluationsOf(sorted: readonly EntryFacts[]): ProcessSummary['evaluations'] {
  const evaluations = new Map<number, number>();
  for (const { facet, rule_id, id } of sorted) {
    const isEvaluation = aspectsOf(facet).event_type === 'rule_evaluation';
    if (isEvaluation && rule_id !== undefined && !evaluations.has(rule_id)) evaluations.set(rule_id, id);
  }
  return [...evaluations].map(([rule_id, id]) => ({ rule_id, id }));
}

/**
 * The entry that another one follows from: the evaluation of its rule for an action, the first entry of the process for the rest.
 * It is worked out when it is read, so it is right however and in whatever order entries arrived.
 */
export function parentOf(
  entry: Pick<EntryFacts, 'id' | 'facet' | 'rule_id'>,
  process: Pick<ProcessSummary, 'first_id' | 'evaluations'> | undefined,
): number | null {
  if (!process || entry.id === process.first_id) return null;
  const { event_type } = aspectsOf(entry.facet);
  const isAction = event_type === 'action_executed' || event_type === 'action_failed';
  const evaluation = isAction ? process.evaluations.find(({ rule_id }) => rule_id === entry.rule_id) : undefined;
  return evaluation?.id ?? process.first_id;
}
