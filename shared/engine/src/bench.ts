import type { Occurrence, RuleRecord } from '@order-automation/contracts';
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

/** What one event costs the engine (performance, P6): finds the rules and evaluates each. Returns how many matched. */
export function evaluateEvent(rules: CompiledRules, occurrence: Occurrence, facts: Facts): number {
  let matched = 0;
  for (const candidate of rules.firing(occurrence, facts)) {
    if (candidate.match(facts).matched) matched += 1;
  }
  return matched;
}
