import { hash, randomFillSync } from 'node:crypto';
import { encodeTime, monotonicFactory } from 'ulid';

const pool = new Uint8Array(4096);
let drawn = pool.length;

/** From 0 to 1, a byte's worth: ULIDs take five bits at a time. Drawn from the system in blocks, not one by one. */
function random(): number {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const byte = pool[drawn] ?? 0;
  drawn += 1;
  return byte / 256;
}

const ulid = monotonicFactory(random);

export type IdPrefix =
  | 'proc'
  | 'evt'
  | 'msg'
  | 'req'
  | 'chg'
  | 'ent'
  | 'run'
  | 'rpl'
  | 'imp'
  | 'dlv'
  | 'rsd'
  | 'bkt'
  | 'src';

/** A new sortable id, `<prefix>_<ULID>`. `now` is in milliseconds since the epoch. */
export const newId = (prefix: IdPrefix, now: number): string => `${prefix}_${ulid(now)}`;

/** Sorts before every id of this prefix that is made at `now` or later, and after those made before. No id is older than 1970. */
export const idBound = (prefix: IdPrefix, now: number): string => `${prefix}_${encodeTime(Math.max(0, now), 10)}`;

/** The id of everything that follows from one cause (decisions.md section 1): `proc_` and a ULID. */
export const newProcessId = (now: number): string => newId('proc', now);

/** The same parts always give the same id: 32 hexadecimal digits of SHA-256. Parts cannot run into each other. */
export const derivedId = (...parts: readonly (string | number)[]): string =>
  hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
