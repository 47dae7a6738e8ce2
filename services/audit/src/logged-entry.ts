import type { AuditEntry, AuditFilters, NewAuditEntry } from '@order-automation/contracts';
import { aspectsOf, isShown } from './facets';

/** An entry with the id that the log gave it, its facet for all that takes few values, and the id of the bundle it is in. */
export type LoggedEntry = {
  readonly id: number;
  readonly bundle: number;
  readonly uid: string;
  readonly timestamp: string;
  readonly facet: string;
  readonly process_id: string;
  readonly order_id: number | undefined;
  readonly rule_id: number | undefined;
  readonly duration_ms: number | undefined;
  readonly summary: string;
  readonly details: NewAuditEntry['details'];
};

/** What grouping needs of an entry. */
export type EntryFacts = Pick<LoggedEntry, 'id' | 'bundle' | 'timestamp' | 'facet' | 'rule_id'>;

/** Section 2.5 of the specification. */
export function asEntry(entry: LoggedEntry, parentId: number | null): AuditEntry {
  const { status, event_type, source, is_test, is_debug } = aspectsOf(entry.facet);
  return {
    id: entry.id,
    timestamp: entry.timestamp,
    status,
    event_type,
    source,
    summary: entry.summary,
    order_id: entry.order_id ?? null,
    process_id: entry.process_id,
    rule_id: entry.rule_id ?? null,
    duration_ms: entry.duration_ms ?? null,
    is_test,
    is_debug,
    details: entry.details,
    parent_id: parentId,
  };
}

/** Filters by what has many values, from the one that leaves the fewest entries to the one that leaves the most. */
export const references = ['process_id', 'order_id', 'rule_id'] as const;
const facetFilters = ['status', 'event_type', 'source'] as const;

export const hasReference = (filters: AuditFilters): boolean => references.some((name) => filters[name] !== undefined);

/** Whether anything is filtered by but the flags. */
export function hasValues(filters: AuditFilters): boolean {
  return hasReference(filters) || facetFilters.some((name) => filters[name] !== undefined);
}

/** Whether the filters let this entry through. */
export function matches(entry: LoggedEntry, filters: AuditFilters): boolean {
  if (!isShown(entry.facet, filters)) return false;
  return references.every((name) => filters[name] === undefined || filters[name] === entry[name]);
}
