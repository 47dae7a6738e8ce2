import type { ChainKeys } from './chain/keys';
import { type DeletedEntry, type Entry, maskedEntry, type OfferedEntry, type StoredEntry } from './entry';
import { termsOf } from './terms';

/** What was handed over of one cause, in one document (decision 5). */
export type LogRecord = {
  /** The id of its first entry; entry n has this and n. */
  readonly _id: number;
  readonly process_id: string;
  /** Names the cause. With `part` it is unique in the process: what of one cause is handed over later is a further part. */
  readonly uid: string;
  readonly part: number;
  /** Grows with every deletion and erasure. */
  readonly revision: number;
  readonly entries: readonly (StoredEntry | DeletedEntry)[];
  /** By what filters and searches find the record; follows from its entries. */
  readonly terms: readonly string[];
};

type Place = Pick<LogRecord, '_id' | 'process_id' | 'uid' | 'part'>;

export const isDeleted = (entry: StoredEntry | DeletedEntry): entry is DeletedEntry => 'gone' in entry;

/** What the digest of an entry covers: where it stands, its uid as it is stored, and everything but itself. */
function digestParts(place: Place, at: number, uid: string, entry: Omit<StoredEntry, 'mac' | 'uid'>) {
  const { timestamp, facet, summary, order_id, rule_id, duration_ms, details } = entry;
  const { email_hash, customer_hash, sealed } = entry;
  return [
    'entry',
    place._id + at,
    place.process_id,
    place.uid,
    place.part,
    uid,
    timestamp,
    facet,
    summary,
    order_id ?? null,
    rule_id ?? null,
    duration_ms ?? null,
    details ?? null,
    email_hash ?? null,
    customer_hash ?? null,
    sealed ?? null,
  ] as const;
}

/** The record of new entries under the ids from `place._id` on. */
export function recordOf(place: Place, offered: readonly OfferedEntry[], keys: ChainKeys): LogRecord {
  return recordOfStored(
    place,
    offered.map((one) => maskedEntry(one, keys)),
    keys,
  );
}

/** The record of entries that are masked already. */
export function recordOfStored(place: Place, masked: readonly Omit<StoredEntry, 'mac'>[], keys: ChainKeys): LogRecord {
  const { _id, process_id, uid, part } = place;
  const prefix = `${uid}:`;
  const entries = masked.map((entry, at) => {
    const short = entry.uid.startsWith(prefix) ? entry.uid.slice(uid.length) : entry.uid;
    return { ...entry, uid: short, mac: keys.mac(digestParts(place, at, short, entry)) };
  });
  return { _id, process_id, uid, part, revision: 0, entries, terms: termsOf(masked) };
}

const fullUid = (record: Pick<LogRecord, 'uid'>, { uid }: { readonly uid: string }): string =>
  uid.startsWith(':') ? record.uid + uid : uid;

/** The uids of all entries that the record has or had. */
export const uidsOf = (record: LogRecord): string[] => record.entries.map((entry) => fullUid(record, entry));

/** The entries of the record that are not deleted, in the order of their ids. */
export function entriesOf(record: Omit<LogRecord, 'terms'>): Entry[] {
  const { _id, process_id } = record;
  const entries: Entry[] = [];
  for (const [at, stored] of record.entries.entries()) {
    if (isDeleted(stored)) continue;
    entries.push({ ...stored, _id: _id + at, record_id: _id, process_id, uid: fullUid(record, stored) });
  }
  return entries;
}

/** The digests that a seal covers: those from before any erasure. */
export const digestsOf = ({ _id, entries }: Pick<LogRecord, '_id' | 'entries'>) =>
  entries.map((entry, at) => ({ _id: _id + at, mac: ('sealed' in entry && entry.sealed) || entry.mac }));

/** Whether the entry at a position is what we wrote, or was deleted by us. */
export function isGenuine(record: LogRecord, at: number, keys: ChainKeys): boolean {
  const entry = record.entries[at];
  if (!entry) return false;
  if (isDeleted(entry)) return keys.holds(entry.gone, ['gone', record._id + at, entry.uid, entry.mac]);
  return keys.holds(entry.mac, digestParts(record, at, entry.uid, entry));
}

const replaced = (record: LogRecord, entries: LogRecord['entries']): LogRecord => {
  const changed = { ...record, entries, revision: record.revision + 1 };
  return { ...changed, terms: termsOf(entriesOf(changed)) };
};

/** The record without the entries of these ids, of which the digests stay. */
export function withoutEntries(record: LogRecord, ids: ReadonlySet<number>, keys: ChainKeys): LogRecord {
  const digests = digestsOf(record);
  return replaced(
    record,
    record.entries.map((entry, at) => {
      if (isDeleted(entry) || !ids.has(record._id + at)) return entry;
      const mac = digests[at]?.mac ?? entry.mac;
      return { uid: entry.uid, mac, gone: keys.mac(['gone', record._id + at, entry.uid, mac]) };
    }),
  );
}

/** The record with nothing that leads to a person who has one of these hashes. */
export function withoutPerson(record: LogRecord, hashes: ReadonlySet<string>, keys: ChainKeys): LogRecord {
  return replaced(
    record,
    record.entries.map((entry, at) => {
      if (isDeleted(entry) || !leadsTo(entry, hashes)) return entry;
      const { mac, email_hash, customer_hash, ...rest } = entry;
      const kept = {
        ...rest,
        ...(email_hash === undefined || hashes.has(email_hash) ? {} : { email_hash }),
        ...(customer_hash === undefined || hashes.has(customer_hash) ? {} : { customer_hash }),
        sealed: rest.sealed ?? mac,
      };
      return { ...kept, mac: keys.mac(digestParts(record, at, kept.uid, kept)) };
    }),
  );
}

export const leadsTo = (entry: Pick<Entry, 'email_hash' | 'customer_hash'>, hashes: ReadonlySet<string>): boolean =>
  hashes.has(entry.email_hash ?? '') || hashes.has(entry.customer_hash ?? '');
