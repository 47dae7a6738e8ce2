import type { AuditEntry, NewAuditEntry, NewAuditRecord } from '@order-automation/contracts';
import { maskEntry } from '@order-automation/service';
import { wordsOf } from '@order-automation/store';
import type { ChainKeys } from '../chain/keys';
import { personOf } from '../deletion/person';
import { aspectsOf, facetOf } from './facets';

/** An entry as its record holds it. What is null or empty is left out; what takes few values is one word, the facet. */
export type StoredEntry = {
  /** Derives from the cause of the entry; unique in its process. Without the uid of the record where it begins with that. */
  readonly uid: string;
  readonly timestamp: string;
  readonly facet: string;
  readonly summary: string;
  readonly order_id?: number;
  /** The order, where nobody knew it yet when the entry was recorded: not in its line, which is sealed, but in the keyed digest of its record. */
  readonly later_order?: number;
  readonly rule_id?: number;
  readonly duration_ms?: number;
  readonly details?: NewAuditEntry['details'];
  /** Keyed hashes of the e-mail address and the customer id that the entry named before it was masked. */
  readonly email_hash?: string;
  readonly customer_hash?: string;
  /** Random; goes with these hashes when the person is erased. */
  readonly person_salt?: string;
  /** Where a person was erased from the entry: the salted hash of what led there, which its line has, and the process of the erasure. */
  readonly person?: string;
  readonly erased_by?: string;
  /** Random; goes with the entry when it is deleted. */
  readonly salt: string;
  /** SHA-256 of its line, in base64url. */
  readonly digest: string;
};

/** What is left of a deleted entry: its uid, so that it is not recorded again, its digest, which its seal covers, and the process of the deletion. */
export type DeletedEntry = { readonly uid: string; readonly digest: string; readonly deleted_by: string };

/** Where the entries of a record stand: the first has `_id`, entry n has this and n. */
export type Place = {
  readonly _id: number;
  readonly process_id: string;
  /** Names the cause. */
  readonly uid: string;
  readonly part: number;
};

/** An entry of the log with where it stands. */
export type Entry = StoredEntry & { readonly _id: number; readonly record_id: number; readonly process_id: string };

/** What grouping and counting need of an entry. */
export type EntryFacts = Pick<Entry, '_id' | 'record_id' | 'process_id' | 'timestamp' | 'facet'> & {
  readonly order_id?: number | undefined;
  readonly rule_id?: number | undefined;
};

export type OfferedEntry = NewAuditRecord['entries'][number];

/** An entry that is masked (decisions.md section 7), without what proves it. */
export type MaskedEntry = Omit<StoredEntry, 'salt' | 'person_salt' | 'digest'>;

export function maskedEntry(entry: OfferedEntry, keys: ChainKeys): MaskedEntry {
  const { uid, timestamp, order_id, rule_id, duration_ms } = entry;
  const { summary, details } = maskEntry(entry);
  return {
    uid,
    timestamp,
    facet: facetOf(entry),
    summary,
    ...(order_id === null ? {} : { order_id }),
    ...(rule_id === null ? {} : { rule_id }),
    ...(duration_ms === null ? {} : { duration_ms }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...personOf(entry, keys, details === entry.details),
  };
}

type Worded = Pick<Entry, 'summary' | 'order_id' | 'details'>;

export const wordsIn = (entries: readonly Worded[]): string[] => wordsOf(entries.map(textOf).join(' '));

function textOf({ summary, order_id, details = {} }: Worded): string {
  let text = summary;
  for (const id of [order_id, details.transaction_id, details.object_id, details.event_id])
    if (typeof id === 'string' || typeof id === 'number') text += ` ${id}`;
  return text;
}

/** Section 2.5 of the specification. `parent_id` is the entry that this one follows from. */
export function entryOf(entry: Entry, parentId: number | null): AuditEntry {
  const { status, event_type, source, is_test, is_debug } = aspectsOf(entry.facet);
  return {
    id: entry._id,
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
    details: entry.details ?? {},
    parent_id: parentId,
  };
}
