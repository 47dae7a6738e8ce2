import type { AuditEntry, NewAuditEntry } from '@order-automation/contracts';
import { aspectsOf, facetOf } from './facets';
import { maskEntry } from './mask';

/** An entry as it is stored. What is null or empty is left out; what takes few values is one word, the facet. */
export type EntryDocument = {
  readonly _id: number;
  /** Derives from the cause of the entry; unique in its process. */
  readonly uid: string;
  readonly process_id: string;
  readonly timestamp: string;
  readonly facet: string;
  readonly summary: string;
  readonly order_id?: number;
  readonly rule_id?: number;
  readonly duration_ms?: number;
  readonly details?: NewAuditEntry['details'];
};

/** What grouping and counting need of an entry. */
export type EntryFacts = Pick<EntryDocument, '_id' | 'process_id' | 'timestamp' | 'facet' | 'order_id' | 'rule_id'>;

/** The document of a new entry, masked (decisions.md section 7). */
export function documentOf(id: number, entry: NewAuditEntry): EntryDocument {
  const { uid, process_id, timestamp, order_id, rule_id, duration_ms } = entry;
  const { summary, details } = maskEntry(entry);
  return {
    _id: id,
    uid,
    process_id,
    timestamp,
    facet: facetOf(entry),
    summary,
    ...(order_id === null ? {} : { order_id }),
    ...(rule_id === null ? {} : { rule_id }),
    ...(duration_ms === null ? {} : { duration_ms }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
  };
}

/** Section 2.5 of the specification. `parent_id` is the entry that this one follows from. */
export function entryOf(document: EntryDocument, parentId: number | null): AuditEntry {
  const { status, event_type, source, is_test, is_debug } = aspectsOf(document.facet);
  return {
    id: document._id,
    timestamp: document.timestamp,
    status,
    event_type,
    source,
    summary: document.summary,
    order_id: document.order_id ?? null,
    process_id: document.process_id,
    rule_id: document.rule_id ?? null,
    duration_ms: document.duration_ms ?? null,
    is_test,
    is_debug,
    details: document.details ?? {},
    parent_id: parentId,
  };
}
