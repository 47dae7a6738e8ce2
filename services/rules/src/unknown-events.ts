import { genericTypes, type RuleRecord, type RuleWarning } from '@order-automation/contracts';
import type { RulesDeps } from './deps';

/** Milliseconds for the answer. */
const timeout = 1_000;
const maxNames = 200;
const generic: ReadonlySet<string> = new Set(genericTypes);

/** Warns of a trigger on names of events that no gateway has sent. When intake does not answer in time there is no such warning. */
export async function unknownEvents(
  { id, name, rule }: Pick<RuleRecord, 'id' | 'name' | 'rule'>,
  { bus, telemetry }: Pick<RulesDeps, 'bus' | 'telemetry'>,
): Promise<RuleWarning[]> {
  const { event_types } = rule.trigger.settings;
  if (rule.trigger.id !== 'webhook_event' || !Array.isArray(event_types)) return [];
  const names = event_types.map(String).filter((one) => !generic.has(one));
  if (names.length === 0) return [];
  try {
    const asked = { event_types: names.slice(0, maxNames) };
    const { unknown } = await bus.request('intake.event-type.check.v1', asked, { timeout });
    const text = (event: string) =>
      `Rule "${name}": no gateway has sent an event named "${event}" yet. Check its spelling; the rule runs when one arrives.`;
    return unknown.map((event) => ({ code: 'unknown_event', rule_ids: [id], message: text(event) }));
  } catch (error) {
    telemetry.unchecked(error);
    return [];
  }
}
