import type { Filter, Index } from '@order-automation/store';
import type { LogRecord } from './log-record';

/** Ids grow in the order of recording: every list is a walk along `_id`, behind the terms it filters by. */
export const recordIndexes: readonly Index[] = [
  { name: 'cause', key: { process_id: 1, uid: 1, part: 1 }, unique: true },
  { name: 'terms', words: 'terms' },
];

export type Wanted = Filter<LogRecord>;

/** A range of ids of records: from `from` on, up to but without `below`. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };
export type ClosedRange = { readonly from: number; readonly below: number };

/** What a walk wants of the records in a range. */
export function within({ from, below }: IdRange, walk: Wanted = {}): Wanted {
  if (from === undefined && below === undefined) return walk;
  return { _id: { ...(from !== undefined && { $gte: from }), ...(below !== undefined && { $lt: below }) }, ...walk };
}

export const newestFirst = { _id: -1 } as const;
