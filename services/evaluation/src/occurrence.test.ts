import { derivedId, type OrderChange } from '@order-automation/contracts';
import { event, order } from '../../../shared/engine/test/fixtures';
import { amountMismatch, occurrenceOfChange, occurrenceOfEvent } from './occurrence';

const keyOf = (overrides: Parameters<typeof event>[0], orderId = 7) =>
  occurrenceOfEvent(event(overrides), orderId)?.key;

test('two events of one payment are one occurrence', () => {
  const first = occurrenceOfEvent(event(), 7);
  const second = occurrenceOfEvent(
    event({ id: 'evt_2', eventType: 'payment.card.charge_succeeded', idempotencyKey: 'gateway_card:evt_2' }),
    7,
  );
  expect(first?.key).toBe(second?.key);
  expect(first?.key).toBe(derivedId('occurrence', 'payment_completed', 7, 'pi_1'));
});

test('another order, type or transaction is another occurrence', () => {
  const keys = [
    keyOf({}),
    keyOf({}, 8),
    keyOf({ genericType: 'payment_failed' }),
    keyOf({ transactionID: 'pi_2' }),
    keyOf({ transactionID: null }),
    keyOf({ transactionID: null, idempotencyKey: 'other' }),
    keyOf({ genericType: null }),
    keyOf({ genericType: null, idempotencyKey: 'other' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('each partial refund of a payment is an occurrence, whichever events name it', () => {
  const refund = (primaryObjectType: string, primaryObjectID: string, eventType = 'payment.card.refund_created') =>
    keyOf({ genericType: 'payment_refunded', eventType, primaryObjectType, primaryObjectID, amount: '5.00' });
  expect(refund('refund', 're_1')).not.toBe(refund('refund', 're_2'));
  expect(refund('refund', 're_1')).toBe(refund('refund', 're_1', 'payment.card.refund.created'));
  // A wallet's notification: the refund is a transaction whose parent is the payment.
  expect(refund('payment', 'R1')).not.toBe(refund('payment', 'R2'));
  expect(refund('order', '7')).toBe(refund('transaction', 'pi_1'));
  const charge = (amount: string) =>
    keyOf({
      genericType: 'payment_refunded',
      eventType: 'payment.card.charge_refunded',
      primaryObjectType: 'charge',
      primaryObjectID: 'ch_1',
      amount,
    });
  expect(charge('5.00')).not.toBe(charge('9.00'));
});

test('without an order there is no occurrence', () => {
  expect(occurrenceOfEvent(event(), null)).toBeNull();
});

test('a change of the shop carries its transition', () => {
  const change: OrderChange = {
    change_id: 'chg_1',
    order_id: 7,
    kind: 'status_changed',
    from: 'pending',
    to: 'processing',
    at: '2026-01-15T10:00:00.000Z',
    cause: { process_id: 'proc_1', depth: 0, author: 'admin' },
    keys: [],
  };
  expect(occurrenceOfChange(change)).toMatchObject({
    key: derivedId('order', 7, 'chg_1'),
    type: 'order_status_changed',
    from_status: 'pending',
    to_status: 'processing',
  });
  expect(occurrenceOfChange({ ...change, kind: 'created', from: null }).type).toBe('order_created');
});

test.each([
  ['49.00', 'EUR', '49.00', 'EUR', true],
  ['49.00', 'EUR', '49', 'eur', true],
  ['49.00', 'EUR', '49.00', null, true],
  ['49.00', 'EUR', null, 'USD', true],
  ['4900', 'JPY', '4900.00', 'JPY', true],
  ['49.00', 'EUR', '49.01', 'EUR', false],
  ['49.00', 'EUR', '1.00', 'EUR', false],
  ['49.00', 'EUR', '-49.00', 'EUR', false],
  ['49.00', 'EUR', '49.00', 'USD', false],
  ['49.00', 'EUR', 'NaN', 'EUR', false],
  ['90071992547409.93', 'EUR', '90071992547409.92', 'EUR', false],
] as const)('order of %s %s, payment of %s %s: agree %s', (total, currency, amount, paidIn, agree) => {
  const mismatch = amountMismatch(event({ amount, currency: paidIn }), order({ total, currency }));
  expect(mismatch === null).toBe(agree);
});

test('a mismatch names both sides, whatever the event', () => {
  const wrong = { amount: '1.00', currency: 'USD' };
  expect(amountMismatch(event(wrong), order())).toEqual({
    kind: 'amount_mismatch',
    expected: '49.00 EUR',
    actual: '1.00 USD',
  });
  expect(amountMismatch(event({ ...wrong, genericType: 'renewal_payment_completed' }), order())).not.toBeNull();
  expect(amountMismatch(event({ ...wrong, genericType: 'payment_failed' }), order())).not.toBeNull();
  expect(amountMismatch(event({ ...wrong, genericType: null }), order())).not.toBeNull();
});

test.each([
  ['48.99', 'EUR', true],
  ['49.00', 'EUR', true],
  ['49.01', 'EUR', false],
  ['48.99', 'USD', false],
])('a refund of %s %s of an order of 49.00 EUR: agree %s', (amount, currency, agree) => {
  const mismatch = amountMismatch(event({ amount, currency, genericType: 'payment_refunded' }), order());
  expect(mismatch === null).toBe(agree);
});

test.each(['payment_completed', 'payment_refunded', null] as const)(
  'an amount that cannot be read agrees with no order (%s)',
  (genericType) => {
    const amountProblem = 'The amount "1,00" is not a plain decimal number.';
    expect(amountMismatch(event({ amount: null, amountProblem, genericType }), order())).toEqual({
      kind: 'amount_unreadable',
      expected: '49.00 EUR',
      actual: amountProblem,
    });
  },
);
