import { buildOrder } from '@order-automation/testing';
import fc from 'fast-check';
import { refundAmount } from './refund-amount';

const cents = (value: number): string => (value / 100).toFixed(2);
const refund = (amount: string | undefined, line_items: Parameters<typeof refundAmount>[1]['line_items'] = []) => ({
  reason: '',
  line_items,
  ...(amount === undefined ? {} : { amount }),
});

test('a refund is taken exactly up to what is left, and only that one is full', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000_000 }),
      fc.nat(10_000_000),
      fc.nat(10_000_000),
      (total, before, wanted) => {
        const refunded = Math.min(before, total);
        const order = buildOrder({ total: cents(total), refunds: [{ id: 1, total: `-${cents(refunded)}` }] });
        const result = refundAmount(order, refund(cents(wanted + 1)));
        const left = total - refunded;
        expect(result.ok).toBe(wanted + 1 <= left);
        if (result.ok) expect(result).toMatchObject({ amount: cents(wanted + 1), isFull: wanted + 1 === left });
      },
    ),
  );
});

test.each([
  ['USD', '10', '49.00', '10.00'],
  ['JPY', '10', '49', '10'],
  ['KWD', '0.125', '49.000', '0.125'],
  ['EUR', '10.0000', '49.00', '10.00'],
])('%s %s of %s is %s', (currency, amount, total, expected) => {
  expect(refundAmount(buildOrder({ currency, total }), refund(amount))).toMatchObject({ ok: true, amount: expected });
});

test.each([
  ['10.0049', '10.00'],
  ['10.0051', '10.01'],
])('of %s, with more decimals than the currency has, %s is all', (total, amount) => {
  expect(refundAmount(buildOrder({ total }), refund(amount))).toMatchObject({ ok: true, isFull: true });
});

test.each([
  ['JPY', '10.5', '49'],
  ['EUR', '0.001', '49.00'],
  ['EUR', '49.01', '49.00'],
  ['EUR', undefined, '49.00'],
])('%s %s of %s is refused', (currency, amount, total) => {
  expect(refundAmount(buildOrder({ currency, total }), refund(amount))).toMatchObject({
    ok: false,
    violations: [{ path: 'amount' }],
  });
});

test('without an amount it is the sum of the lines with their taxes; lines are those of the order', () => {
  const line = { id: 1, quantity: 1, refund_total: '0.10', refund_tax: [{ id: 3, refund_total: '0.20' }] };
  expect(refundAmount(buildOrder({ total: '0.30' }), refund(undefined, [line]))).toEqual({
    ok: true,
    amount: '0.30',
    isFull: true,
  });
  const wrong = [
    { ...line, id: 9 },
    { ...line, quantity: 2 },
  ];
  expect(refundAmount(buildOrder(), refund('1.00', wrong))).toMatchObject({
    violations: [{ path: 'line_items.0.id' }, { path: 'line_items.1.quantity', message: 'must be at most 1' }],
  });
});
