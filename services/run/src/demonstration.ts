import type { Bus } from '@order-automation/bus';
import { newProcessId, type RuleData } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';

/** The rule that comes with the demonstration shop, so that the first webhook has something to set off. */
export const completePaidOrders: RuleData = {
  trigger: { id: 'order_processing', settings: {} },
  conditions: [{ id: 'order_total', settings: { operator: 'gte', amount: 20 } }],
  primaryAction: { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: true } },
  secondaryActions: [
    {
      id: 'add_order_note',
      settings: {
        note_text: 'Paid: {{order.total}} {{order.currency}}. Completed by rule.',
        is_customer_note: false,
        add_timestamp: false,
      },
    },
  ],
};

export const demonstration = { name: 'Complete paid orders of 20 or more', enabled: true, rule: completePaidOrders };

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
