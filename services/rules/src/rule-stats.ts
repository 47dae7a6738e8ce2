import type { EventDone } from '@order-automation/contracts';
import type { RuleTally } from './rule-documents';

/** Adds up what a batch of events means for the statistics of each rule. Times are ISO 8601 UTC of one length, so text compares. */
export function tallyRules(events: readonly Pick<EventDone, 'rules'>[]): RuleTally[] {
  const tallies = new Map<number, RuleTally>();
  for (const { rules } of events) {
    for (const { rule_id, matched, at } of rules) {
      const tally = tallies.get(rule_id) ?? { rule_id, runs: 0, matches: 0, last_fired_at: null };
      tally.runs += 1;
      if (matched) {
        tally.matches += 1;
        if (tally.last_fired_at === null || at > tally.last_fired_at) tally.last_fired_at = at;
      }
      tallies.set(rule_id, tally);
    }
  }
  return [...tallies.values()];
}
