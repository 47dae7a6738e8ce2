import { builtInComponents, type Component, createRegistry } from '@order-automation/engine';
import { isJsonSchema } from '../../../../shared/engine/test/condition-table';
import { components } from './component-listing';

const orderTotal = builtInComponents.find(({ id }) => id === 'order_total') as Component;
const paid: Component = { ...orderTotal, id: 'paid_total', label: 'Paid total', edition: 'extended' };
const registry = createRegistry([...builtInComponents, paid]);

test('the listing shows every component with its schema, and what the caller may use', () => {
  const listing = components(registry, 'default', 'order_processing');
  expect(listing.triggers[0]).toMatchObject({
    id: 'order_processing',
    state: 'available',
    already_in_rule: true,
    is_default: true,
    accessible: true,
    capability: 'default',
  });
  const { triggers, conditions, primaryActions, secondaryActions } = listing;
  const all = [...triggers, ...conditions, ...primaryActions, ...secondaryActions];
  const counts = [triggers, conditions, primaryActions, secondaryActions].map(({ length }) => length);
  const kinds = ['trigger', 'condition', 'primary', 'secondary'];
  const made = [...builtInComponents, paid];
  expect(counts).toEqual(kinds.map((of) => made.filter(({ kind }) => kind === of).length));
  expect(counts.map((count, at) => count >= ([16, 18, 4, 5][at] ?? 0))).toEqual([true, true, true, true]);
  expect(triggers.filter(({ capability }) => capability === 'default').map(({ id }) => id)).toEqual([
    'order_processing',
    'order_created',
    'order_completed',
    'order_on_hold',
    'order_cancelled',
    'order_failed',
    'order_refunded',
  ]);
  expect(primaryActions[0]).toMatchObject({ id: 'change_status_to_completed', is_default: true });
  for (const { schema } of all) expect([schema.title, isJsonSchema(schema)]).toEqual([expect.any(String), true]);
  for (const { schema } of all) {
    expect(schema).toMatchObject({ type: 'object', properties: expect.anything(), required: expect.anything() });
  }
  expect(all.find(({ id }) => id === 'paid_total')).toMatchObject({ accessible: false, capability: 'extended' });
  expect(components(registry, 'extended').conditions.every(({ accessible }) => accessible)).toBe(true);
  expect(components(registry, 'default').triggers[0]?.already_in_rule).toBe(false);
});
