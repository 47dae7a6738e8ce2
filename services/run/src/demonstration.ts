import type { Bus } from '@order-automation/bus';
import { newProcessId, type RuleData } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import demonstrated from './demonstration.json';

/** The rule that comes with the demonstration shop, so that the first webhook has something to set off. */
export const demonstration: { name: string; enabled: boolean; rule: RuleData } = demonstrated;

/** Makes the demonstration rule in an installation that never had a rule. Once deleted it stays away. */
export async function demonstrationRule(bus: Bus, clock: Clock): Promise<void> {
  const { revision } = await bus.request('rules.active-versions.v1', { since: -1, after: 0 });
  if (revision > 0) return;
  await bus.request('rules.rule.create.v1', {
    changes: demonstration,
    edition: 'default',
    actor: {
      user: 'demonstration',
      process_id: newProcessId(clock.now()),
      action: null,
      user_agent: null,
      page_url: null,
    },
  });
}
