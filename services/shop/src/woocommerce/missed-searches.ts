import type { Clock } from '@order-automation/service';

/** Words that were searched for lately: events about orders of somebody else name them again and again. */
export interface MissedSearches {
  has(word: string): boolean;
  add(word: string): void;
}

/** Milliseconds for which a word is not searched for again, and words that are kept. */
const keptFor = 60 * 60_000;
const maxKept = 20_000;

export function missedSearches(clock: Clock): MissedSearches {
  const until = new Map<string, number>();
  return {
    has: (word) => {
      const left = (until.get(word) ?? 0) - clock.now();
      // More is left of one that a clock has written which ran ahead.
      return left > 0 && left <= keptFor;
    },
    add: (word) => {
      until.delete(word);
      until.set(word, clock.now() + keptFor);
      const [oldest] = until.keys();
      if (until.size > maxKept && oldest !== undefined) until.delete(oldest);
    },
  };
}
