import { type Clock, keepNewest } from '@order-automation/service';

export type MissedSearches = ReturnType<typeof missedSearches>;

/** Milliseconds for which a word is not searched for again, and words that are kept. */
const keptFor = 60 * 60_000;
const maxKept = 20_000;

/** Words that were searched for lately: events about orders of somebody else name them again and again. */
export function missedSearches(clock: Clock) {
  const until = new Map<string, number>();
  return {
    has: (word: string): boolean => {
      const left = (until.get(word) ?? 0) - clock.now();
      // More is left of one that a clock has written which ran ahead.
      return left > 0 && left <= keptFor;
    },
    add: (word: string): void => {
      until.delete(word);
      until.set(word, clock.now() + keptFor);
      keepNewest(until, maxKept);
    },
  };
}
