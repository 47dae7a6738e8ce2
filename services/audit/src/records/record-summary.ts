import { keepNewest } from '@order-automation/service';
import type { Sealed } from '../chain/seals';
import type { EntryFacts } from './entry';
import { isDeleted, type LogRecord, sealedOf } from './log-record';

/** What counting needs of an entry: of the details those that statistics read. */
export type CountedEntry = EntryFacts & {
  readonly duration_ms: number | undefined;
  /** Of a reception. */
  readonly gateway: string | undefined;
};

/** What the row of its process, the seal, the totals and the statistics need of a record. */
export type RecordSummary = {
  readonly _id: number;
  /** Entries, deleted ones too. */
  readonly size: number;
  /** The id and the digest of each of them. */
  readonly sealed: () => readonly Sealed[];
  /** Of those that are not deleted. */
  readonly entries: readonly CountedEntry[];
};

export function summaryOf({ _id, process_id, entries: stored }: LogRecord): RecordSummary {
  const digests = stored.map(({ digest }) => ({ digest }));
  const entries: CountedEntry[] = [];
  for (const [at, entry] of stored.entries()) {
    if (isDeleted(entry)) continue;
    const { timestamp, facet, order_id, rule_id, duration_ms, details } = entry;
    const total = details?.total_ms;
    const gateway = details?.gateway;
    entries.push({
      _id: _id + at,
      record_id: _id,
      process_id,
      timestamp,
      facet,
      order_id,
      rule_id,
      duration_ms: duration_ms ?? (typeof total === 'number' ? total : undefined),
      gateway: typeof gateway === 'string' ? gateway : undefined,
    });
  }
  return { _id, size: stored.length, sealed: () => sealedOf({ _id, entries: digests }), entries };
}

/** Records that are remembered, at 2 kB each: what is recorded in 15 s, at more than a thousand events a second. */
const maxRemembered = 20_000;

/**
 * What this instance recorded lately, so that its seal need not read it again. It only stands for what is stored: a caller has seen the id in the collection.
 * The digest of an entry never changes; entries that another instance has deleted are here still, and their deletion has marked the range that counts them.
 */
export function recentRecords() {
  const recent = new Map<number, RecordSummary>();
  return {
    remember: (records: readonly RecordSummary[]): void => {
      for (const record of records) recent.set(record._id, record);
      keepNewest(recent, maxRemembered);
    },
    get: (id: number) => recent.get(id),
    forget: (ids: Iterable<number>): void => {
      for (const id of ids) recent.delete(id);
    },
    forgetBelow: (below: number): void => {
      for (const id of recent.keys()) if (id < below) recent.delete(id);
    },
  };
}
