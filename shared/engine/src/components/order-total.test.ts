import fc from 'fast-check';
import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import type { ComparisonSettings } from '../comparison';
import { orderTotal } from './order-total';

const check = (total: string, settings: ComparisonSettings, currency = 'EUR') =>
  orderTotal.compile(settings)(facts({ context: context({ total, currency }) }));
const passes = (total: string, operator: ComparisonSettings['operator'], amount: number, amount_to?: number) =>
  check(total, { operator, amount, ...(amount_to === undefined ? {} : { amount_to }) }).pass;

test.each([
  ['gt', false, false, true],
  ['gte', false, true, true],
  ['lt', true, false, false],
  ['lte', true, true, false],
  ['eq', false, true, false],
  ['ne', true, false, true],
  ['>', false, false, true],
  ['>=', false, true, true],
  ['<', true, false, false],
  ['<=', true, true, false],
  ['==', false, true, false],
  ['!=', true, false, true],
] as const)('%s below, at and above the amount', (operator, below, at, above) => {
  expect([passes('49.99', operator, 50), passes('50.00', operator, 50), passes('50.01', operator, 50)]).toEqual([
    below,
    at,
    above,
  ]);
});

test('between includes both ends', () => {
  const between = (total: string) => passes(total, 'between', 10, 20.5);
  expect(['9.99', '10.00', '15', '20.50', '20.51'].map(between)).toEqual([false, true, true, true, false]);
});

test('says what it wanted and what it found, in the decimals of the order', () => {
  expect(check('49.00', { operator: 'gt', amount: 50 })).toEqual({
    pass: false,
    expected: 'more than 50.00',
    actual: '49.00',
    reason: 'order total is 49.00, the rule needs more than 50.00',
  });
  expect(check('60.00', { operator: '>=', amount: 50 }).reason).toBe('order total is 60.00, which is at least 50.00');
  expect(check('4900', { operator: 'lt', amount: 4000 }, 'JPY').reason).toBe(
    'order total is 4900, the rule needs less than 4000',
  );
  expect(check('1.250', { operator: 'between', amount: 2, amount_to: 3 }, 'KWD').expected).toBe('from 2.000 to 3.000');
});

test('one compiled condition serves orders of all currencies', () => {
  const compiled = orderTotal.compile({ operator: 'gt', amount: 50 });
  const expected = (total: string) => compiled(facts({ context: context({ total }) })).expected;
  expect([expected('49.00'), expected('49'), expected('49.000'), expected('49.00')]).toEqual([
    'more than 50.00',
    'more than 50',
    'more than 50.000',
    'more than 50.00',
  ]);
});

test('an operator and its opposite never agree', () => {
  const cents = fc.bigInt({ min: 0n, max: 10n ** 15n });
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 10 ** 9 }), (total, amount) => {
      const text = `${total / 100n}.${String(total % 100n).padStart(2, '0')}`;
      expect(passes(text, 'gt', amount)).toBe(total > BigInt(amount) * 100n);
      expect(passes(text, 'gt', amount)).toBe(!passes(text, 'lte', amount));
      expect(passes(text, 'lt', amount)).toBe(!passes(text, 'gte', amount));
      expect(passes(text, 'eq', amount)).toBe(!passes(text, 'ne', amount));
    }),
  );
});

const of = (total: string, currency = 'EUR') => facts({ context: context({ total, currency }) });

test('refunds are not taken off', () => {
  const refunded = facts({ context: context({ total: '49.00', refunds: [{ id: 1, total: '-49.00' }] }) });
  expect(orderTotal.compile({ operator: 'gte', amount: 49 })(refunded)).toMatchObject({ pass: true, actual: '49.00' });
});

conditionTable(orderTotal, [
  ['more than', { operator: 'gt', amount: 50 }, of('49.00'), false],
  ['more than an amount between two cents', { operator: 'gt', amount: 50.005 }, of('50.00'), false],
  ['at least an amount of three decimals', { operator: 'gte', amount: 1.2345 }, of('1.234', 'KWD'), false],
  ['less than', { operator: 'lt', amount: 50 }, of('50.00'), false],
  ['not exactly', { operator: 'ne', amount: 50 }, of('50.00'), false],
  ['exactly, in yen', { operator: 'eq', amount: 5000 }, of('4900', 'JPY'), false],
  ['exactly half a yen', { operator: 'eq', amount: 0.5 }, of('1', 'JPY'), 'hopeless'],
  ['below between', { operator: 'between', amount: 10, amount_to: 20 }, of('9.99'), false],
  ['above between', { operator: 'between', amount: 10, amount_to: 20 }, of('20.01'), false],
  ['a total after a refund', { operator: 'gt', amount: 0 }, of('-5.00'), false],
  ['less than nothing', { operator: 'lt', amount: 0 }, of('0.00'), 'hopeless'],
]);
refusesSettings(orderTotal, [
  {},
  { operator: 'gt' },
  { operator: 'gt', amount: -1 },
  { operator: '=', amount: 1 },
  { operator: 'gt', amount: '50' },
  { operator: 'between', amount: 1 },
  { operator: 'between', amount: 2, amount_to: 1 },
]);
