import type { Filter, Index } from '@order-automation/store';
import type { LogRecord } from './log-record';
import { personTerm } from './terms';

/** Ids grow in the order of recording: every list is a walk along `_id`, behind the terms it filters by. */
export const recordIndexes: readonly Index[] = [
  { name: 'cause', key: { process_id: 1, uid: 1, part: 1 }, unique: true },
  { name: 'terms', words: 'terms' },
];

export type Wanted = Filter<LogRecord>;

/** A range of ids of records: from `from` on, up to but without `below`. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };
export type ClosedRange = { readonly from: number; readonly below: number };

const idsIn = ({ from, below }: IdRange): Wanted =>
  from === undefined && below === undefined
    ? {}
    : { _id: { ...(from === undefined ? {} : { $gte: from }), ...(below === undefined ? {} : { $lt: below }) } };

export const recordQueries = {
  byIds: (ids: readonly number[]): Wanted => ({ _id: { $in: ids } }),
  ofProcesses: (ids: readonly string[]): Wanted => ({ process_id: { $in: ids } }),
  ofCause: (process_id: string, uid: string): Wanted => ({ process_id: { $eq: process_id }, uid: { $eq: uid } }),
  ofCauses: (processes: readonly string[], uids: readonly string[]): Wanted => ({
    process_id: { $in: processes },
    uid: { $in: uids },
  }),
  ofPerson: (hash: string): Wanted => ({ terms: { $all: [personTerm(hash)] } }),
  within: (range: IdRange, walk: Wanted): Wanted => ({ ...idsIn(range), ...walk }),
};

export const newestFirst = { _id: -1 } as const;
