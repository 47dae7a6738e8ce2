import { type Occurrence, orderSchema, type RuleRecord } from '@order-automation/contracts';
import { type CompiledRules, compileRules } from './compile-rules';
import { trigger } from './component';
import { builtInComponents, createRegistry } from './registry';
import { noSettings } from './settings-schema';
import type { Facts } from './situation';

/** A trigger that the occurrence of the bench does not fire. */
const elsewhere = trigger({
  id: 'bench_elsewhere',
  label: 'Elsewhere',
  description: '',
  edition: 'default',
  priority: 0,
  schema: noSettings,
  listensTo: () => [{ type: 'order_status_changed', to_status: 'cancelled' }],
  fires: () => 'fires when an order is cancelled',
});

const time = '2026-01-15T10:00:00.000Z';

function rule(id: number, trigger: string): RuleRecord {
  return {
    id,
    name: `Rule ${id}`,
    enabled: true,
    position: id,
    stop_processing: false,
    version: 1,
    rule: {
      trigger: { id: trigger, settings: {} },
      conditions: [
        { id: 'order_total', settings: { operator: 'gt', amount: 10 * id } },
        { id: 'product_type', settings: { types: ['simple', 'variable'] } },
      ],
      primaryAction: { id: 'change_status_to_completed', settings: {} },
      secondaryActions: [],
    },
    created_at: time,
    updated_at: time,
    updated_by: 'bench',
    stats: { run_count: 0, match_count: 0, last_fired_at: null },
  };
}

/** `count` compiled rules of two conditions, of which the first `hot` listen to a completed payment. */
export function benchRules(count: number, hot: number): CompiledRules {
  const rules = Array.from({ length: count }, (_, at) => rule(at + 1, at < hot ? 'order_processing' : elsewhere.id));
  return compileRules(rules, createRegistry([...builtInComponents, elsewhere]));
}

/** A completed payment for an order of two products. */
export function benchSituation(): { facts: Facts; occurrence: Occurrence } {
  const order = orderSchema.parse({
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: time,
    date_modified: time,
    billing: {},
    shipping: {},
    line_items: [
      { product_id: 11, quantity: 1 },
      { product_id: 12, quantity: 2 },
    ],
  });
  const products = [11, 12].map((id) => ({ id, name: '', type: 'simple', category_ids: [3], tag_ids: [] }));
  const occurrence: Occurrence = {
    key: 'bench',
    type: 'payment_completed',
    order_id: 7,
    transaction_id: 'pi_1',
    from_status: null,
    to_status: null,
    event_type: 'payment.card.payment_intent_succeeded',
    gateway: 'gateway_card',
    authenticated: true,
    at: time,
  };
  const facts = { context: { order, products }, occurrence, customer: null, now: Date.parse(time), timeZone: 'UTC' };
  return { facts, occurrence };
}

/** What one event costs the engine (performance, P6): finds the rules and evaluates each. Returns how many matched. */
export function evaluateEvent(rules: CompiledRules, occurrence: Occurrence, facts: Facts): number {
  let matched = 0;
  for (const candidate of rules.firing(occurrence, facts)) {
    if (candidate.match(facts).matched) matched += 1;
  }
  return matched;
}
