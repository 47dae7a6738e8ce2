import type { Occurrence } from '@order-automation/contracts';
import { compileRules, createRegistry } from '../src';
import type { Component, Trigger } from '../src/component';
import type { Facts } from '../src/situation';
import { facts, occurrence, record } from './fixtures';

/** A change of status, or the creation of an order. */
export const shopChange = (overrides: Partial<Occurrence>): Occurrence =>
  occurrence({ type: 'order_status_changed', gateway: null, event_type: null, transaction_id: null, ...overrides });

/** Whether a rule with the trigger is found for the occurrence, and fired by it. Settings that the schema refuses fail. */
export function fires<S>(trigger: Trigger<S>, settings: S, on: Occurrence, of: Facts = facts()): boolean {
  const registry = createRegistry([trigger as unknown as Component]);
  const rule = record({
    trigger: { id: trigger.id, settings: settings as Record<string, unknown> },
    conditions: [],
    primaryAction: null,
  });
  const rules = compileRules([rule], registry);
  expect(rules.all[0]?.problem).toBeNull();
  return rules.firing(on, of).length === 1;
}

/** Without an occurrence, as the debugger asks. */
export function wouldFire<S>(trigger: Trigger<S>, settings: S, of: Facts): { would_fire: boolean; reason: string } {
  const registry = createRegistry([trigger as unknown as Component]);
  const rule = record({ trigger: { id: trigger.id, settings: settings as Record<string, unknown> }, conditions: [] });
  const [compiled] = compileRules([rule], registry).all;
  return compiled?.wouldFire({ ...of, occurrence: null }) ?? { would_fire: false, reason: '' };
}
