import type { Bus } from '@order-automation/bus';
import { newProcessId, type RuleData } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import demonstrated from './demonstration.json';

/** The rule that comes with the demonstration shop, so that the first webhook has something to set off. */
export const demonstration: { name: string; enabled: boolean; rule: RuleData } = demonstrated;

/** Milliseconds: nobody waits but the first start, which a slow machine must not end. */
export const patiently = { timeout: 60_000 };

/** Makes the demonstration rule in an installation that never had a rule. Once deleted it stays away. */
export async function demonstrationRule(bus: Bus, clock: Clock): Promise<void> {
  const { revision } = await bus.request('rules.active-versions.v1', { since: -1, after: 0 }, patiently);
  if (revision > 0) return;
  const process_id = newProcessId(clock.now());
  const actor = { user: 'demonstration', process_id, action: null, user_agent: null, page_url: null };
  await bus.request('rules.rule.create.v1', { changes: demonstration, edition: 'default', actor }, patiently);
}
