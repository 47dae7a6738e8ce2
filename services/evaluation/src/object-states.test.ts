import type { GenericType } from '@order-automation/contracts';
import { buildEvent } from '@order-automation/testing';
import { isStale, type ObjectState, stateOf, withState } from './object-states';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const state = (type: GenericType, second: number, id = `${type}${second}`): ObjectState => ({
  object: 'gateway_card:0:pi_1',
  type,
  at: at(second),
  event_id: id,
});

test.each([
  ['an earlier one', state('payment_failed', 1), true],
  ['a later one', state('payment_failed', 9), false],
  ['a lower rank in the same second', state('payment_failed', 5), true],
  ['a higher rank in the same second', state('payment_refunded', 5), false],
  ['the same state, earlier', state('payment_completed', 1), false],
  ['the same event', { ...state('payment_failed', 1), event_id: 'payment_completed5' }, false],
  ['another object', { ...state('payment_failed', 1), object: 'gateway_card:0:pi_2' }, false],
])('after a payment that completed in second 5: %s', (_what, next, stale) => {
  expect(isStale([state('payment_completed', 5)], next)).toBe(stale);
});

test('all orders of a five-event life of a subscription end in the state that came last', () => {
  const types = ['created', 'approved', 'suspended', 'reactivated', 'cancelled'] as const;
  const life = types.map((type, second) => state(`subscription_${type}`, second));
  const orders = permutations(life);
  expect(orders).toHaveLength(120);
  for (const order of orders) {
    let seen: readonly ObjectState[] = [];
    for (const one of [...order, ...order]) if (!isStale(seen, one)) seen = withState(seen, one);
    expect(seen.map(({ type }) => type)).toEqual(['subscription_cancelled']);
  }
});

test('events of one payment report one object, whatever they are about', () => {
  const intent = buildEvent({ genericType: 'payment_completed', transactionID: 'pi_1', primaryObjectID: 'pi_1' });
  const charge = buildEvent({ genericType: 'payment_failed', transactionID: 'pi_1', primaryObjectID: 'ch_1' });
  expect(stateOf(intent)?.object).toBe(stateOf(charge)?.object);
  expect(stateOf(buildEvent({ genericType: null }))).toBeNull();
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}
