import { keepNewest } from '@order-automation/service';
import type { OfferedEntry } from './entry';

/** One cause with its entries. */
type Cause = {
  readonly process_id: string;
  readonly uid: string;
  readonly entries: readonly { readonly entry: OfferedEntry }[];
};

/** Causes in the cache: more than are handed over before a request times out. */
const maxCached = 5_000;

export type RecordedCache = ReturnType<typeof recordedCache>;

/**
 * A cache of what this instance has recorded, rows of processes included. A service whose request timed out retries it: this answers the retry without a
 * query, and without rebuilding the row of an import from tens of thousands of entries.
 */
export function recordedCache() {
  const recorded = new Map<string, string>();
  return {
    has: (cause: Cause): boolean => {
      const content = recorded.get(keyOf(cause));
      return content !== undefined && content === contentOf(cause);
    },
    remember: (causes: readonly Cause[]): void => {
      for (const cause of causes) recorded.set(keyOf(cause), contentOf(cause));
      keepNewest(recorded, maxCached);
    },
  };
}

const keyOf = ({ process_id, uid }: Cause): string => `${process_id} ${uid}`;

/** A retry may name an order that was not known before. */
const contentOf = ({ entries }: Cause): string =>
  entries.map(({ entry: { uid, order_id } }) => `${uid} ${order_id ?? ''}`).join();
