import { currencyDecimals, type Decimal, formatDecimal, parseDecimal } from '@order-automation/contracts';
import { readDemoShop } from './demo-shop';

const demo = readDemoShop(Date.parse('2026-03-01T12:00:00.000Z'));
const { orders } = demo;
const products = demo.recordsOf('product');

const sum = (amounts: readonly string[], decimals: number): string => {
  const units = amounts.map(
    (amount) => (parseDecimal(amount) as Decimal).units * 10n ** BigInt(decimals - decimalsOf(amount)),
  );
  return formatDecimal({ units: units.reduce((a, b) => a + b, 0n), scale: decimals }, decimals);
};
const decimalsOf = (amount: string) => amount.split('.')[1]?.length ?? 0;

test('27 products and 16 orders, each id once, of the types and states that rules ask for', () => {
  expect(new Set(products.map(({ id }) => id)).size).toBe(27);
  expect(new Set(orders.map(({ id }) => id)).size).toBe(16);
  const count = (...statuses: string[]) => orders.filter(({ status }) => statuses.includes(status)).length;
  expect(count('processing')).toBeGreaterThanOrEqual(3);
  expect(count('pending', 'on-hold')).toBeGreaterThanOrEqual(3);
  expect(new Set(orders.map(({ currency }) => currency))).toEqual(new Set(['USD', 'EUR', 'JPY', 'KWD', 'SEK']));
  expect(new Set(products.map(({ type }) => type)).size).toBeGreaterThanOrEqual(5);
  expect(products.some(({ virtual }) => virtual)).toBe(true);
});

test.each(orders.map((order) => [order.id, order] as const))(
  'order %i adds up, in the decimals of its currency',
  (_, order) => {
    const decimals = currencyDecimals(order.currency);
    const amounts = [...order.line_items, ...order.shipping_lines].map(({ total }) => total);
    expect(amounts.map(decimalsOf)).toEqual(amounts.map(() => decimals));
    expect(sum(amounts, decimals)).toBe(order.total);
  },
);

test('orders name products that exist and people that do not', () => {
  const ids = new Set(products.map(({ id }) => id));
  for (const { line_items, billing } of orders) {
    for (const { product_id, name, sku } of line_items) expect([ids.has(product_id), name, sku]).not.toContain('');
    expect(line_items.every(({ product_id }) => ids.has(product_id))).toBe(true);
    expect(billing.email).toMatch(/@example\.com$/);
  }
});
