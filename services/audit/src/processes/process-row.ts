import { auditEventImportance } from '@order-automation/contracts';
import type { EntryFacts } from '../records/entry';
import { aspectsOf, type EntryKind, type Flags } from '../records/facets';

/**
 * What lists may show of a process: `normal` has an entry that is neither test nor debug; `test`, `debug` and `both` have only such;
 * `mixed` has entries that are only test and others that are only debug.
 */
export type Visibility = 'normal' | 'test' | 'debug' | 'both' | 'mixed';
export type Counts = Readonly<Record<EntryKind, number>>;

/** All that is known of a process. It follows from its entries and can be rebuilt from them. */
export type ProcessRow = {
  readonly _id: string;
  /** Grows with every write: a writer has read the row before it. */
  readonly revision: number;
  readonly visibility: Visibility;
  readonly started_at: string;
  readonly ended_at: string;
  readonly counts: Counts;
  /** The entry that everything else follows from. */
  readonly first_id: number;
  readonly last_id: number;
  /** The entry that stands for the process in lists, and how important it is. */
  readonly representative_id: number;
  readonly representative_record: number;
  readonly weight: number;
  /** The evaluations that matched, which actions follow from. At most 100. */
  readonly matches: readonly { readonly rule_id: number; readonly id: number }[];
};

const maxMatches = 100;

/** Of a type that is stored and no longer known. */
const otherEventType = 50;

/**
 * How much an entry says about its process. First what went wrong (a failed action, a dead letter, status error), then the outcome, a refusal or a change of a
 * rule, a rule that matched, an action, a warning before a success, and last what only led there. Debug and test entries come after all others.
 */
function weightOf(facet: string): number {
  const { event_type, status, is_test, is_debug } = aspectsOf(facet);
  const matched = event_type === 'rule_evaluation' && status === 'success';
  const base = matched ? 65 : (auditEventImportance[event_type] ?? otherEventType);
  const wrong = status === 'error' ? 100 : status === 'warning' ? 3 : 0;
  // An event that follows from what was done, and changes nothing itself.
  const idle = event_type === 'process_completed' && status === 'info' ? 1 : 0;
  return base + wrong - idle - (is_test ? 500 : 0) - (is_debug ? 1000 : 0);
}

/** The most important of some entries; of equal ones the latest. */
export function representativeOf<Entry extends Pick<EntryFacts, '_id' | 'facet'>>(
  entries: readonly Entry[],
): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of entries) {
    const lead = best ? weightOf(entry.facet) - weightOf(best.facet) : 1;
    if (!best || lead > 0 || (lead === 0 && entry._id > best._id)) best = entry;
  }
  return best;
}

function visibilityOf({ normal, test, debug, both }: Counts): Visibility {
  if (normal > 0) return 'normal';
  if (test > 0) return debug > 0 ? 'mixed' : 'test';
  return debug > 0 || both === 0 ? 'debug' : 'both';
}

/** Processes that have something to show. */
export function visible({ include_test, include_debug }: Flags): Visibility[] {
  if (include_test && include_debug) return ['normal', 'test', 'debug', 'both', 'mixed'];
  if (include_test) return ['normal', 'test', 'mixed'];
  return include_debug ? ['normal', 'debug', 'mixed'] : ['normal'];
}

export const visibleCount = ({ normal, test, debug, both }: Counts, { include_test, include_debug }: Flags): number =>
  normal + (include_test ? test : 0) + (include_debug ? debug : 0) + (include_test && include_debug ? both : 0);

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order in which things happened: by time, then by id. */
export const inOrder = <Entry extends Pick<EntryFacts, '_id' | 'timestamp'>>(entries: readonly Entry[]): Entry[] =>
  [...entries].sort((a, b) => compare(a.timestamp, b.timestamp) || a._id - b._id);

/** The row of a process with these further entries. Without a row before, it is that of a process that begins with them. */
export function withEntries(before: ProcessRow | undefined, entries: readonly EntryFacts[]): ProcessRow {
  const row = rowOf(entries);
  return before ? joined(before, row) : row;
}

function rowOf(entries: readonly EntryFacts[]): ProcessRow {
  const sorted = inOrder(entries);
  const [first, last, representative] = [sorted[0], sorted.at(-1), representativeOf(sorted)];
  if (!first || !last || !representative) throw new Error('a process has at least one entry');
  const counts = { normal: 0, test: 0, debug: 0, both: 0 };
  let last_id = 0;
  for (const { _id, facet } of sorted) {
    counts[aspectsOf(facet).kind] += 1;
    if (_id > last_id) last_id = _id;
  }
  return {
    _id: first.process_id,
    revision: 1,
    visibility: visibilityOf(counts),
    started_at: first.timestamp,
    ended_at: last.timestamp,
    counts,
    first_id: first._id,
    last_id,
    representative_id: representative._id,
    representative_record: representative.record_id,
    weight: weightOf(representative.facet),
    matches: matchesOf(sorted),
  };
}

/** The row of a process from the rows of two parts of its entries, none of which is in both. */
function joined(before: ProcessRow, added: ProcessRow): ProcessRow {
  const counts = { ...before.counts };
  for (const kind of ['normal', 'test', 'debug', 'both'] as const) counts[kind] += added.counts[kind];
  const first = (compare(added.started_at, before.started_at) || added.first_id - before.first_id) < 0 ? added : before;
  const isMoreImportant =
    added.weight > before.weight ||
    (added.weight === before.weight && added.representative_id > before.representative_id);
  const representative = isMoreImportant ? added : before;
  return {
    _id: before._id,
    revision: before.revision + 1,
    visibility: visibilityOf(counts),
    started_at: first.started_at,
    ended_at: compare(added.ended_at, before.ended_at) < 0 ? before.ended_at : added.ended_at,
    counts,
    first_id: first.first_id,
    last_id: Math.max(before.last_id, added.last_id),
    representative_id: representative.representative_id,
    representative_record: representative.representative_record,
    weight: representative.weight,
    matches: joinedMatches([...before.matches, ...added.matches]),
  };
}

function matchesOf(sorted: readonly EntryFacts[]): ProcessRow['matches'] {
  const matches: ProcessRow['matches'][number][] = [];
  for (const { facet, rule_id, _id } of sorted) {
    if (rule_id === undefined) continue;
    const { event_type, status } = aspectsOf(facet);
    if (event_type === 'rule_evaluation' && status === 'success') matches.push({ rule_id, id: _id });
  }
  return matches.length < 2 ? matches : joinedMatches(matches);
}

/** Of each rule the first entry. */
function joinedMatches(matches: ProcessRow['matches']): ProcessRow['matches'] {
  const ids = new Map<number, number>();
  for (const { rule_id, id } of matches) ids.set(rule_id, Math.min(ids.get(rule_id) ?? id, id));
  return [...ids]
    .map(([rule_id, id]) => ({ rule_id, id }))
    .sort((a, b) => a.rule_id - b.rule_id)
    .slice(0, maxMatches);
}

/** The entry that another one follows from: the evaluation of its rule for an action, the first entry of the process for the rest. */
export function parentOf(
  entry: Pick<EntryFacts, '_id' | 'facet' | 'rule_id'>,
  row: Pick<ProcessRow, 'first_id' | 'matches'> | undefined,
): number | null {
  if (!row || entry._id === row.first_id) return null;
  const { event_type } = aspectsOf(entry.facet);
  const isAction = event_type === 'action_executed' || event_type === 'action_failed';
  const match = isAction ? row.matches.find(({ rule_id }) => rule_id === entry.rule_id) : undefined;
  return match?.id ?? row.first_id;
}
