import { hash } from 'node:crypto';
import { ulidFactory, ulidTime } from './ulid';

const ulid = ulidFactory();

export type IdPrefix = 'proc' | 'evt' | 'msg' | 'req' | 'chg' | 'ent' | 'run';

/** A new sortable id, `<prefix>_<ULID>`. `now` is in milliseconds since the epoch. */
export function newId(prefix: IdPrefix, now: number): string {
  return `${prefix}_${ulid(now)}`;
}

/** Sorts before every id of this prefix that is made at `now` or later, and after those made before. */
export function idBound(prefix: IdPrefix, now: number): string {
  return `${prefix}_${ulidTime(now)}`;
}

/** The id of everything that follows from one cause (decisions.md section 1): `proc_` and a ULID. */
export function newProcessId(now: number): string {
  return newId('proc', now);
}

/** The same parts always give the same id: 32 hexadecimal digits of SHA-256. Parts cannot run into each other. */
export function derivedId(...parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);
}
