import { facts, occurrence } from '../../test/fixtures';
import { fires, shopChange, wouldFire } from '../../test/trigger-table';
import { orderCreated } from './order-created';

test.each([
  ['a new order of the shop', shopChange({ type: 'order_created', to_status: 'pending' }), true],
  ['a new order in processing', shopChange({ type: 'order_created', to_status: 'processing' }), true],
  ['a gateway that speaks of its own orders', occurrence({ type: 'order_created' }), false],
  ['a change of status', shopChange({ to_status: 'pending' }), false],
])('%s', (_name, on, expected) => {
  expect(fires(orderCreated, {}, on)).toBe(expected);
});

test('would fire for any order', () => {
  expect(wouldFire(orderCreated, {}, facts())).toMatchObject({ would_fire: true });
});
