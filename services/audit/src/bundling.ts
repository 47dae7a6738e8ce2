import type { NewAuditEntry } from '@order-automation/contracts';
import type { EntryFacts, LoggedEntry } from './logged-entry';
import { maskEntry } from './mask';
import type { Outline } from './outlines';
import type { ProcessSummary, Visibility } from './process-summary';

/** An entry as it lies in its bundle; what is null or empty is left out. */
export type BundledEntry = {
  readonly uid: string;
  readonly timestamp: string;
  readonly summary: string;
  readonly duration_ms?: number;
  readonly details?: NewAuditEntry['details'];
};

/**
 * Entries of one process that were recorded together, in the order of time, about one order and one rule at most. Their ids are in a row
 * from `_id` on; the outline says which of them are about the order and about the rule, and has their facets.
 */
export type BundleDocument = {
  readonly _id: number;
  readonly process_id: string;
  /** Counts the bundles of the process from 0: who adds one has seen those before it. */
  readonly n: number;
  readonly order_id?: number;
  readonly rule_id?: number;
  readonly outline: string;
  readonly entries: readonly BundledEntry[];
  /** Of the first bundle of a process, for the list of processes. */
  readonly visibility?: Visibility;
  readonly started_at?: string;
  /** Of the first bundle of several: what is known of the process. With one bundle it follows from that. */
  readonly process?: ProcessSummary;
};

const mostEntries = 16;

/** How many entries from the one at `from` on one bundle can hold. */
export function fitting(entries: readonly { readonly entry: NewAuditEntry }[], from: number): number {
  let order: number | null = null;
  let rule: number | null = null;
  const most = Math.min(entries.length - from, mostEntries);
  for (let count = 0; count < most; count += 1) {
    const { order_id, rule_id } = (entries[from + count] as { entry: NewAuditEntry }).entry;
    if (order_id !== null && order !== null && order_id !== order) return count;
    if (rule_id !== null && rule !== null && rule_id !== rule) return count;
    order ??= order_id;
    rule ??= rule_id;
  }
  return most;
}

type Writable<T> = { -readonly [P in keyof T]: T[P] };

/** `shorten` is given the details before they are masked. */
export function bundleOf(
  entries: readonly NewAuditEntry[],
  { id, n, outline }: { readonly id: number; readonly n: number; readonly outline: string },
  shorten: (details: NewAuditEntry['details']) => NewAuditEntry['details'],
): BundleDocument {
  const bundled: BundledEntry[] = [];
  const bundle: Writable<BundleDocument> = {
    _id: id,
    process_id: (entries[0] as NewAuditEntry).process_id,
    n,
    outline,
    entries: bundled,
  };
  for (const entry of entries) {
    if (entry.order_id !== null) bundle.order_id = entry.order_id;
    if (entry.rule_id !== null) bundle.rule_id = entry.rule_id;
    bundled.push(bundledEntry(entry, shorten(entry.details)));
  }
  return bundle;
}

function bundledEntry({ uid, timestamp, summary: told, duration_ms }: NewAuditEntry, given: NewAuditEntry['details']) {
  const { summary, details } = maskEntry({ summary: told, details: given });
  const bundled: Writable<BundledEntry> = { uid, timestamp, summary };
  if (duration_ms !== null) bundled.duration_ms = duration_ms;
  if (Object.keys(details).length > 0) bundled.details = details;
  return bundled;
}

/** What grouping needs of the entries of a bundle. */
export function factsOf(bundle: BundleDocument, { parts }: Outline): EntryFacts[] {
  return parts.map(({ facet, rule }, index) => ({
    id: bundle._id + index,
    bundle: bundle._id,
    timestamp: bundle.entries[index]?.timestamp ?? '',
    facet,
    rule_id: rule ? bundle.rule_id : undefined,
  }));
}

/** The entries of a bundle, oldest first. */
export function entriesOf(bundle: BundleDocument, { parts }: Outline): LoggedEntry[] {
  const { _id, process_id, order_id, rule_id } = bundle;
  return bundle.entries.map(({ uid, timestamp, summary, duration_ms, details = {} }, index) => {
    const { facet, order, rule } = parts[index] as Outline['parts'][number];
    return {
      id: _id + index,
      bundle: _id,
      uid,
      timestamp,
      facet,
      process_id,
      order_id: order ? order_id : undefined,
      rule_id: rule ? rule_id : undefined,
      duration_ms,
      summary,
      details,
    };
  });
}
