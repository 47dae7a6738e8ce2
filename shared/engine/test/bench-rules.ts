import type { Occurrence, RuleRecord } from '@order-automation/contracts';
import { type CompiledRules, compileRules } from '../src/compile-rules';
import { trigger } from '../src/component';
import { builtInComponents, createRegistry } from '../src/registry';
import { noSettings } from '../src/settings-schema';
import type { Facts } from '../src/situation';
import { context, facts, occurrence, record } from './fixtures';

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

const rule = (id: number, trigger: string): RuleRecord =>
  record(
    {
      trigger: { id: trigger, settings: {} },
      conditions: [
        { id: 'order_total', settings: { operator: 'gt', amount: 10 * id } },
        { id: 'product_type', settings: { types: ['simple', 'variable'] } },
      ],
    },
    { id, name: `Rule ${id}`, position: id },
  );

/** `count` compiled rules of two conditions, of which the first `hot` listen to a completed payment. */
export function benchRules(count: number, hot: number): CompiledRules {
  const rules = Array.from({ length: count }, (_, at) => rule(at + 1, at < hot ? 'order_processing' : elsewhere.id));
  return compileRules(rules, createRegistry([...builtInComponents, elsewhere]));
}

/** A completed payment for an order of two products. */
export function benchSituation(): { facts: Facts; occurrence: Occurrence } {
  const ofPayment = facts({ context: context({}, ['simple', 'simple']) });
  return { facts: ofPayment, occurrence: occurrence() };
}

/** What one event costs the engine (performance, P6): finds the rules and evaluates each. Returns how many matched. */
export function evaluateEvent(rules: CompiledRules, occurrence: Occurrence, facts: Facts): number {
  let matched = 0;
  for (const candidate of rules.firing(occurrence, facts)) {
    if (candidate.match(facts).matched) matched += 1;
  }
  return matched;
}
