import type { Client } from '../services/run/test/product-client';

/** What is in the rule book: nothing, or 100 rules. Ten listen to the payments and one or none of them matches; or one listens, and matches. */
export type RuleSet = 'none' | 'one matches' | 'none matches' | 'one listens';

type Choice = { id: string; settings: Record<string, unknown> };
type Listing = { triggers: { id: string; accessible: boolean; schema: { required?: string[] } }[] };

const total = 100;
/** How many of them listen to the payments. */
const hot = (set: RuleSet): number => (set === 'one listens' ? 1 : 10);

/** Deletes the rules that are there and makes the set. */
export async function makeRules(client: Client, set: RuleSet): Promise<void> {
  const { rules } = await client<{ rules: { id: number }[] }>('GET', '/v1/rules?per_page=200');
  for (const { id } of rules) await client('DELETE', `/v1/rules/${id}`);
  if (set === 'none') return;
  const cold = await coldTriggers(client);
  for (let index = 0; index < total; index += 1) {
    const isHot = index % (total / hot(set)) === 0;
    const trigger = isHot ? { id: 'order_processing', settings: {} } : cold[index % Math.max(cold.length, 1)];
    await createRule(client, index, {
      trigger: trigger ?? { id: 'order_processing', settings: {} },
      matches: set !== 'none matches' && index === 0,
      // Where no other trigger is there yet, the others are drafts.
      enabled: isHot || trigger !== undefined,
    });
  }
}

/** The triggers that payments do not fire and that need no settings. */
async function coldTriggers(client: Client): Promise<Choice[]> {
  const { triggers } = await client<Listing>('GET', '/v1/rule-builder/components');
  const fired = ['order_processing', 'payment_complete', 'webhook_event', 'any_status_change'];
  const usable = triggers.filter(
    ({ id, accessible, schema }) => accessible && !fired.includes(id) && !schema.required?.length,
  );
  return usable.map(({ id }) => ({ id, settings: {} }));
}

type RuleOptions = { readonly trigger: Choice; readonly matches: boolean; readonly enabled: boolean };

async function createRule(client: Client, index: number, { trigger, matches, enabled }: RuleOptions): Promise<void> {
  const note = { note_text: 'Paid with {{event.transaction_id}}', is_customer_note: false, add_timestamp: false };
  await client('POST', '/v1/rules', {
    name: `Rule ${index}`,
    enabled,
    position: index,
    rule: {
      trigger,
      conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: matches ? 10 : 1000 + index } }],
      primaryAction: null,
      secondaryActions: [{ id: 'add_order_note', settings: note }],
    },
  });
}
