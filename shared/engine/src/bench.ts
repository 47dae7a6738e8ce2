import type { Occurrence, OrderContext, RuleRecord } from '@order-automation/contracts';
import { type CompiledRules, compileRules } from './compile-rules';
import type { Trigger } from './component';
import { orderProcessing } from './components/order-processing';
import { builtInComponents, createRegistry } from './registry';

/** A trigger that the occurrence of the bench does not fire. */
const elsewhere: Trigger = {
  ...orderProcessing,
  id: 'bench_elsewhere',
  isDefault: false,
  listensTo: () => [{ type: 'order_status_changed', to_status: 'cancelled' }],
};

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
  const rules = Array.from({ length: count }, (_, at) => rule(at + 1, at < hot ? orderProcessing.id : elsewhere.id));
  return compileRules(rules, createRegistry([...builtInComponents, elsewhere]));
}

/** What one event costs the engine (performance, P6): finds the rules and evaluates each. Returns how many matched. */
export function evaluateEvent(rules: CompiledRules, occurrence: Occurrence, context: OrderContext): number {
  let matched = 0;
  for (const candidate of rules.forOccurrence(occurrence)) {
    if (candidate.evaluate(context, occurrence).matched) matched += 1;
  }
  return matched;
}
