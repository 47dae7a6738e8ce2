import type { Sealed } from './chain/seals';
import type { Entry } from './entry';
import { entriesOf, type LogRecord, sealedOf } from './log-record';

/** What counting needs of an entry: of the details those that statistics read. */
export type CountedEntry = Pick<
  Entry,
  '_id' | 'record_id' | 'timestamp' | 'facet' | 'order_id' | 'rule_id' | 'duration_ms' | 'details'
>;

/** What the seal, the totals and the statistics need of a record. */
export type Settled = {
  readonly _id: number;
  /** Entries, deleted ones too. */
  readonly size: number;
  /** The id and the digest of each of them. */
  readonly sealed: () => readonly Sealed[];
  /** Of those that are not deleted. */
  readonly entries: readonly CountedEntry[];
};

export function settledOf(record: LogRecord): Settled {
  const { _id } = record;
  const bare = { _id, entries: record.entries.map(({ digest }) => ({ digest })) };
  const entries = entriesOf(record).map(countedEntry);
  return { _id, size: record.entries.length, sealed: () => sealedOf(bare), entries };
}

function countedEntry({ _id, record_id, timestamp, facet, order_id, rule_id, duration_ms, details }: Entry) {
  const { gateway, total_ms } = details ?? {};
  const isCounted = gateway !== undefined || total_ms !== undefined;
  return {
    ...{ _id, record_id, timestamp, facet },
    ...(order_id === undefined ? {} : { order_id }),
    ...(rule_id === undefined ? {} : { rule_id }),
    ...(duration_ms === undefined ? {} : { duration_ms }),
    ...(isCounted ? { details: { gateway, total_ms } } : {}),
  };
}

/** Records that are remembered, at 2 kB each: what is recorded in 15 s, at more than a thousand events a second. */
const maxRemembered = 20_000;

export type RecentRecords = {
  remember(records: readonly LogRecord[]): void;
  get(id: number): Settled | undefined;
  forget(ids: Iterable<number>): void;
  /** Those of ids below this one are sealed. */
  forgetBelow(id: number): void;
};

/**
 * What this instance recorded lately, so that its seal need not read it again. It only stands for what is stored: who asks has seen the id in the
 * collection. The digest of an entry never changes; entries that another instance has deleted are here still, and their deletion has marked
 * the range that counts them.
 */
export function recentRecords(): RecentRecords {
  const recent = new Map<number, Settled>();
  return {
    remember: (records) => {
      for (const record of records) recent.set(record._id, settledOf(record));
      for (const oldest of recent.keys()) {
        if (recent.size <= maxRemembered) break;
        recent.delete(oldest);
      }
    },
    get: (id) => recent.get(id),
    forget: (ids) => {
      for (const id of ids) recent.delete(id);
    },
    forgetBelow: (below) => {
      for (const id of recent.keys()) if (id < below) recent.delete(id);
    },
  };
}
