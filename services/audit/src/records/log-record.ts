import type { ChainKeys } from '../chain/keys';
import { digestOf, hexOf, lineOf, newSalt, personOfEntry, provedLine } from '../chain/proved-line';
import type { Sealed } from '../chain/seals';
import {
  type DeletedEntry,
  type Entry,
  type MaskedEntry,
  maskedEntry,
  type OfferedEntry,
  type Place,
  type StoredEntry,
} from './entry';
import { personTerm, termsOf, termsOfOrder } from './terms';

/** What was handed over of one cause, in one document (decision 5). With `part` the cause is unique in the process; what comes later is a further part. */
export type LogRecord = Place & {
  /** Grows with every deletion and erasure. */
  readonly revision: number;
  readonly entries: readonly (StoredEntry | DeletedEntry)[];
  /** By what filters and searches find the record; follows from its entries. */
  readonly terms: readonly string[];
  /** The keyed digest of where the entries stand, their digests, and what is stored beside these: who has the database alone cannot make it. */
  readonly mac: string;
};

export const isDeleted = (entry: StoredEntry | DeletedEntry): entry is DeletedEntry => 'deleted_by' in entry;

function macParts({ _id, process_id, uid, part, entries }: Omit<LogRecord, 'terms' | 'mac'>) {
  const stored = entries.map((entry) => {
    if (isDeleted(entry)) return [entry.uid, entry.digest, entry.deleted_by];
    const { uid: own, digest, facet, later_order, email_hash, customer_hash, person_salt, erased_by } = entry;
    const order = later_order === undefined ? [] : [{ order: later_order }];
    if (email_hash === undefined && customer_hash === undefined && erased_by === undefined)
      return [own, digest, facet, ...order];
    return [own, digest, facet, email_hash, customer_hash, person_salt, erased_by, ...order];
  });
  return ['record', _id, process_id, uid, part, stored];
}

/** The record of new entries under the ids from `place._id` on. */
export function recordOf(place: Place, offered: readonly OfferedEntry[], keys: ChainKeys): LogRecord {
  const masked = offered.map((one) => maskedEntry(one, keys));
  return recordOfStored(place, masked, keys);
}

/** The record of entries that are masked already; they become those of the record, because a copy of each costs as much as its digest. */
export function recordOfStored(place: Place, masked: readonly MaskedEntry[], keys: ChainKeys): LogRecord {
  const { _id, process_id, uid, part } = place;
  const prefix = `${uid}:`;
  const entries = masked.map((entry, at): StoredEntry => {
    const own = entry.uid.startsWith(prefix) ? entry.uid.slice(uid.length) : entry.uid;
    const salt = newSalt();
    if (entry.email_hash === undefined && entry.customer_hash === undefined)
      return Object.assign(entry, { uid: own, salt, digest: digestOf(lineOf(place, at, entry, salt, undefined)) });
    const person_salt = newSalt();
    const person = personOfEntry({ ...entry, person_salt });
    const digest = digestOf(lineOf(place, at, entry, salt, person));
    return Object.assign(entry, { uid: own, salt, person_salt, digest });
  });
  return withMac({ _id, process_id, uid, part, revision: 0, entries }, keys);
}

/** The record with what follows from its entries. */
const withMac = (record: Omit<LogRecord, 'terms' | 'mac'>, keys: ChainKeys): LogRecord => ({
  ...record,
  terms: termsOf(record.entries.flatMap((entry) => (isDeleted(entry) ? [] : [withKnownOrder(entry)]))),
  mac: keys.mac(macParts(record)),
});

const withKnownOrder = (entry: StoredEntry): StoredEntry =>
  entry.later_order === undefined ? entry : { ...entry, order_id: entry.later_order };

const fullUid = (record: Pick<LogRecord, 'uid'>, { uid }: { readonly uid: string }): string =>
  uid.startsWith(':') ? record.uid + uid : uid;

/** The uids of all entries that the record has or had. */
export const uidsOf = (record: LogRecord): string[] => record.entries.map((entry) => fullUid(record, entry));

/** The entries of the record that are not deleted, in the order of their ids. */
export function entriesOf(record: Omit<LogRecord, 'terms' | 'mac'>): Entry[] {
  const { _id, process_id } = record;
  const entries: Entry[] = [];
  for (const [at, stored] of record.entries.entries()) {
    if (isDeleted(stored)) continue;
    entries.push({
      ...withKnownOrder(stored),
      _id: _id + at,
      record_id: _id,
      process_id,
      uid: fullUid(record, stored),
    });
  }
  return entries;
}

type Digested = Pick<LogRecord, '_id'> & { readonly entries: readonly { readonly digest: string }[] };

export const sealedOf = ({ _id, entries }: Digested): Sealed[] =>
  entries.map(({ digest }, at) => ({ _id: _id + at, digest: hexOf(digest) }));

/** Whether the record is what we wrote, but for entries that are not what their digest says. */
export const isOurRecord = (record: LogRecord, keys: ChainKeys): boolean => keys.holds(record.mac, macParts(record));

/** Whether the entry at a position is what its digest says. */
export function fitsDigest(record: LogRecord, at: number): boolean {
  const entry = record.entries[at];
  return entry !== undefined && (isDeleted(entry) || provedLine(record, at, entry) !== undefined);
}

const replaced = (record: LogRecord, entries: LogRecord['entries'], keys: ChainKeys): LogRecord =>
  withMac({ ...record, entries, revision: record.revision + 1 }, keys);

/** The record without the entries of these ids, of which the digests stay. `by` is the process of the deletion. */
export function withoutEntries(record: LogRecord, ids: ReadonlySet<number>, by: string, keys: ChainKeys): LogRecord {
  const entries = record.entries.map((entry, at) =>
    isDeleted(entry) || !ids.has(record._id + at) ? entry : { uid: entry.uid, digest: entry.digest, deleted_by: by },
  );
  return replaced(record, entries, keys);
}

export const uidsWithoutOrder = (record: LogRecord): string[] =>
  record.entries.flatMap((entry) =>
    isDeleted(entry) || entry.order_id !== undefined || entry.later_order !== undefined ? [] : [fullUid(record, entry)],
  );

/** The order of an entry, and the keyed hash of its billing address. */
export type LaterOrder = { readonly order_id: number; readonly email_hash?: string | undefined };

/** The record with the orders of entries, by their uids, of which nobody knew the order. The address is in the keyed digest alone, as the order is. */
export function withOrders(record: LogRecord, orders: ReadonlyMap<string, LaterOrder>, keys: ChainKeys): LogRecord {
  const unknown = new Set(uidsWithoutOrder(record));
  const entries = record.entries.map((entry) => {
    const uid = fullUid(record, entry);
    const later = unknown.has(uid) ? orders.get(uid) : undefined;
    if (isDeleted(entry) || later === undefined) return entry;
    const { order_id: later_order, email_hash } = later;
    // With a salt, the line of the entry says who is named.
    const isFixed = entry.person_salt !== undefined || entry.erased_by !== undefined;
    return { ...entry, later_order, ...(email_hash === undefined || isFixed ? {} : { email_hash }) };
  });
  const added = entries.flatMap((entry) => {
    if (isDeleted(entry) || entry.later_order === undefined) return [];
    return [...termsOfOrder(entry.later_order), ...(entry.email_hash ? [personTerm(entry.email_hash)] : [])];
  });
  // The others follow from what has not changed, and are most of the work.
  const terms = [...new Set([...record.terms, ...added])];
  const changed = { ...record, entries, revision: record.revision + 1, terms };
  return { ...changed, mac: keys.mac(macParts(changed)) };
}

/** The record with nothing that leads to a person who has one of these hashes. `by` is the process of the erasure. */
export function withoutPerson(record: LogRecord, hashes: ReadonlySet<string>, by: string, keys: ChainKeys): LogRecord {
  const entries = record.entries.map((entry) => {
    if (isDeleted(entry) || !leadsTo(entry, hashes)) return entry;
    const { person_salt: _salt, email_hash, customer_hash, ...rest } = entry;
    const person = personOfEntry(entry);
    return {
      ...rest,
      ...(email_hash === undefined || hashes.has(email_hash) ? {} : { email_hash }),
      ...(customer_hash === undefined || hashes.has(customer_hash) ? {} : { customer_hash }),
      ...(person === undefined ? {} : { person }),
      erased_by: by,
    };
  });
  return replaced(record, entries, keys);
}

export const leadsTo = (entry: Pick<Entry, 'email_hash' | 'customer_hash'>, hashes: ReadonlySet<string>): boolean =>
  hashes.has(entry.email_hash ?? '') || hashes.has(entry.customer_hash ?? '');
