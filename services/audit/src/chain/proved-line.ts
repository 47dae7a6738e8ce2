import { hash, randomUUID } from 'node:crypto';
import type { MaskedEntry, Place, StoredEntry } from '../records/entry';
import { aspectsOf } from '../records/facets';

type Person = Pick<StoredEntry, 'person' | 'person_salt' | 'email_hash' | 'customer_hash'>;

/** Base64url of the salted hash that stands for what leads to a person; undefined where nothing does. */
export function personOfEntry({ person, person_salt, email_hash, customer_hash }: Person): string | undefined {
  if (person !== undefined || person_salt === undefined) return person;
  return digestOf(JSON.stringify(['person', person_salt, email_hash ?? null, customer_hash ?? null]));
}

/**
 * An entry as a line of an export with proof, without the line break. It holds everything that is shown of the entry, but for an order that was
 * learned later, and a salt: a reader of the line can check its digest, and nobody can guess the line from its digest.
 */
export function lineOf(
  { _id, process_id }: Place,
  at: number,
  entry: MaskedEntry,
  salt: string,
  person: string | undefined,
): string {
  const { timestamp, facet, summary, order_id, rule_id, duration_ms, details } = entry;
  const { status, event_type, source, is_test, is_debug } = aspectsOf(`${facet}`);
  return JSON.stringify({
    id: _id + at,
    timestamp,
    status,
    event_type,
    source,
    summary,
    order_id: order_id ?? null,
    process_id,
    rule_id: rule_id ?? null,
    duration_ms: duration_ms ?? null,
    is_test,
    is_debug,
    details: details ?? {},
    person,
    salt,
  });
}

export const lineOfStored = (record: Place, at: number, entry: StoredEntry): string =>
  lineOf(record, at, entry, entry.salt, personOfEntry(entry));

/** The line of a stored entry that its digest was made of; undefined where the entry was altered. */
export function provedLine(record: Place, at: number, entry: StoredEntry): string | undefined {
  const line = lineOfStored(record, at, entry);
  if (digestOf(line) === entry.digest) return line;
  for (const earlier of linesCutInPair(line)) if (digestOf(earlier) === entry.digest) return earlier;
  return undefined;
}

/** A text that was cut behind U+FFFD, as it ends in JSON. */
const cutBehindReplacement = '\ufffd…"';
const firstHalves = Array.from({ length: 0x400 }, (_, index) => (0xd800 + index).toString(16));
/** The first halves of emoji: with several cuts, every half would be too many. */
const firstHalvesOfEmoji = ['d83c', 'd83d', 'd83e'];
const maxCuts = 6;

/**
 * Builds until November 2026 cut texts between the halves of a surrogate pair: the digest covers the first half, as JSON escapes it, in whose place
 * stores keep U+FFFD. Gives the lines that may have been meant.
 */
function* linesCutInPair(line: string): Generator<string> {
  const [start = '', ...rest] = line.split(cutBehindReplacement);
  if (rest.length === 0 || rest.length > maxCuts) return;
  const halves = rest.length === 1 ? firstHalves : firstHalvesOfEmoji;
  for (let choice = 0; choice < halves.length ** rest.length; choice += 1) {
    const halfAt = (index: number) => halves[Math.floor(choice / halves.length ** index) % halves.length];
    yield start + rest.map((text, index) => `\\u${halfAt(index)}…"${text}`).join('');
  }
}

/** What a record keeps of a line, and a seal covers: SHA-256 over its bytes, in base64url. */
export const digestOf = (line: string): string => hash('sha256', line, 'base64url');

/** A digest as exports and heads have it: in hex, as `sha256sum` prints it. */
export const hexOf = (digest: string): string => Buffer.from(`${digest}`, 'base64url').toString('hex');

/** The random bits of a UUID, which Node.js draws many at a time: a digest that covers them beside the data says nothing once both are erased. */
export const newSalt = (): string => Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url');
