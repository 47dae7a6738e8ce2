import type { EventDone } from '@order-automation/contracts';
import { isUnavailable } from '@order-automation/store';
import type { RuleTally } from './rule-documents';

export type RuleStats = {
  /** Adds what a batch of events means for each rule to what is not yet written. */
  count(events: readonly Pick<EventDone, 'at' | 'rules' | 'matched'>[]): void;
  /** Writes what was counted so far. Rejects when that fails; while the store is away, it is kept for the next time. */
  write(): Promise<void>;
};

/**
 * Counts in memory what rules did, so that many batches are one write. Times are ISO 8601 UTC of one length, so text compares.
 * Statistics are no promise: an event that is delivered again counts again, a write whose answer is lost is made twice, and what a process
 * has not written when it dies is not counted.
 */
export function ruleStats(save: (tallies: readonly RuleTally[]) => Promise<unknown>): RuleStats {
  let tallies = new Map<number, RuleTally>();
  return {
    count: (events) => {
      for (const { at, rules, matched } of events) {
        for (const rule_id of rules) add(tallies, { rule_id, runs: 1, matches: 0, last_fired_at: null });
        for (const rule_id of matched) add(tallies, { rule_id, runs: 0, matches: 1, last_fired_at: at });
      }
    },
    write: async () => {
      if (tallies.size === 0) return;
      const written = tallies;
      tallies = new Map();
      try {
        await save([...written.values()]);
      } catch (error) {
        if (isUnavailable(error)) for (const tally of written.values()) add(tallies, tally);
        throw error;
      }
    },
  };
}

function add(tallies: Map<number, RuleTally>, { rule_id, runs, matches, last_fired_at }: RuleTally): void {
  const tally = tallies.get(rule_id);
  if (!tally) {
    tallies.set(rule_id, { rule_id, runs, matches, last_fired_at });
    return;
  }
  tally.runs += runs;
  tally.matches += matches;
  if (last_fired_at !== null && (tally.last_fired_at === null || last_fired_at > tally.last_fired_at))
    tally.last_fired_at = last_fired_at;
}
