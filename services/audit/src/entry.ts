import type { AuditEntry, NewAuditEntry } from '@order-automation/contracts';
import { wordsOf } from '@order-automation/store';
import type { ChainKeys } from './chain/keys';
import { aspectsOf, facetOf } from './facets';
import { maskEntry } from './mask';
import { personOf } from './person';

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
  /** Keyed hashes of the e-mail address and the customer id that the entry named before it was masked. */
  readonly email_hash?: string;
  readonly customer_hash?: string;
  /** What searches by words find the entry by; not covered by the digest, because it follows from the rest. */
  readonly words?: readonly string[];
  /** The keyed digest of all of the above. */
  readonly mac: string;
};

/** What grouping and counting need of an entry. */
export type EntryFacts = Pick<EntryDocument, '_id' | 'process_id' | 'timestamp' | 'facet' | 'order_id' | 'rule_id'>;

/** The document of a new entry, masked (decisions.md section 7), with its digest. */
export function documentOf(id: number, entry: NewAuditEntry, keys: ChainKeys): EntryDocument {
  const { uid, process_id, timestamp, order_id, rule_id, duration_ms } = entry;
  const { summary, details } = maskEntry(entry);
  const document = {
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
    ...personOf(entry, keys, details === entry.details),
  };
  return { ...document, mac: keys.mac(...digestParts(document)), words: wordsIn(document) };
}

/** The words of the summary, and the ids that the entry is about. */
function wordsIn({
  summary,
  order_id,
  details = {},
}: Pick<EntryDocument, 'summary' | 'order_id' | 'details'>): string[] {
  const { transaction_id, object_id, event_id } = details;
  const ids = [order_id, transaction_id, object_id, event_id].filter(
    (id) => typeof id === 'string' || typeof id === 'number',
  );
  return wordsOf([summary, ...ids].join(' '));
}

/** What the digest of an entry covers: everything but itself. */
export function digestParts(entry: Omit<EntryDocument, 'mac' | 'words'>): readonly unknown[] {
  const { _id, uid, process_id, timestamp, facet, summary, order_id, rule_id, duration_ms, details } = entry;
  const { email_hash, customer_hash } = entry;
  const optional = [order_id, rule_id, duration_ms, details, email_hash, customer_hash];
  return ['entry', _id, uid, process_id, timestamp, facet, summary, ...optional.map((value) => value ?? null)];
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
