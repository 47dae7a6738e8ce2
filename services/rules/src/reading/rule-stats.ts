import { retryOf } from '@order-automation/bus';
import type { EventDone } from '@order-automation/contracts';
import { keepNewest } from '@order-automation/service';
import type { RuleTally } from '../documents/rule-documents';

/** Ends of events that are remembered, at 100 bytes each. */
const maxHeard = 20_000;

/**
 * Counts in memory what rules did, so that many batches are one write. Times are ISO 8601 UTC of one length, so text compares. Statistics are no promise: an
 * end that another instance hears again counts again, a write whose answer is lost is made twice, and what a process has not written when it dies is not counted.
 */
export function ruleStats(save: (tallies: readonly RuleTally[]) => Promise<unknown>) {
  let tallies = new Map<number, RuleTally>();
  const heard = new Set<string>();
  /** An end is reported again whenever the event is delivered again; that of a replay has a time of its own. */
  const isFirst = ({ event_id, at }: Pick<EventDone, 'event_id' | 'at'>): boolean => {
    const before = heard.size;
    heard.add(`${event_id} ${at}`);
    return heard.size > before;
  };
  return {
    /** Adds what a batch of events means for each rule to what is not yet written. */
    count: (events: readonly Pick<EventDone, 'event_id' | 'at' | 'rules' | 'matched' | 'failed'>[]): void => {
      for (const { at, rules, matched, failed = [] } of events.filter(isFirst)) {
        for (const rule_id of rules) add(tallies, { ...nothing(rule_id), runs: 1 });
        for (const rule_id of matched) add(tallies, { ...nothing(rule_id), matches: 1, last_fired_at: at });
        for (const { rule_id, condition } of failed) {
          if (isName(condition)) add(tallies, { ...nothing(rule_id), failed: new Map([[condition, 1]]) });
        }
      }
      keepNewest(heard, maxHeard);
    },
    /** Writes what was counted so far. Rejects when that fails; while the store is away, it is kept for the next time. */
    write: async (): Promise<void> => {
      if (tallies.size === 0) return;
      const written = tallies;
      tallies = new Map();
      try {
        await save([...written.values()]);
      } catch (error) {
        if (retryOf(error) === 'later') for (const tally of written.values()) add(tallies, tally);
        throw error;
      }
    },
  };
}

const nothing = (rule_id: number): RuleTally => ({
  rule_id,
  runs: 0,
  matches: 0,
  last_fired_at: null,
  failed: new Map(),
});

/** It becomes a part of a path in the store. */
const isName = (condition: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(condition);

function add(tallies: Map<number, RuleTally>, tally: RuleTally): void {
  const { rule_id, runs, matches, last_fired_at, failed } = tally;
  const known = tallies.get(rule_id);
  if (!known) {
    tallies.set(rule_id, tally);
    return;
  }
  known.runs += runs;
  known.matches += matches;
  for (const [condition, count] of failed) known.failed.set(condition, (known.failed.get(condition) ?? 0) + count);
  if (last_fired_at !== null && (known.last_fired_at === null || last_fired_at > known.last_fired_at))
    known.last_fired_at = last_fired_at;
}
