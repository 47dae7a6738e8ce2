import type { OfferedEntry } from './entry';

/** What a hand-over says of one cause. */
type Said = {
  readonly process_id: string;
  readonly uid: string;
  readonly entries: readonly { readonly entry: OfferedEntry }[];
};

/** Of so many causes it is remembered what was recorded: more than are handed over while an answer may be late. */
const maxRemembered = 5_000;

export type LatelyRecorded = ReturnType<typeof latelyRecorded>;

/**
 * What this instance has recorded, rows of processes included. A service whose answer came too late hands the same over again: a database that is slow
 * has no time to look all of it up, or to rebuild the row of an import from ten thousands of entries.
 */
export function latelyRecorded() {
  const recorded = new Map<string, string>();
  return {
    has: (said: Said): boolean => {
      const content = recorded.get(keyOf(said));
      return content !== undefined && content === contentOf(said);
    },
    remember: (causes: readonly Said[]): void => {
      for (const said of causes) recorded.set(keyOf(said), contentOf(said));
      for (const key of recorded.keys()) {
        if (recorded.size <= maxRemembered) break;
        recorded.delete(key);
      }
    },
  };
}

const keyOf = ({ process_id, uid }: Said): string => `${process_id} ${uid}`;

/** The same entry may come again with an order that was not known before. */
const contentOf = ({ entries }: Said): string =>
  entries.map(({ entry: { uid, order_id } }) => `${uid} ${order_id ?? ''}`).join();
