import { orderSchema } from '@order-automation/contracts';
import { formatTotal, orderSummary } from './handlers';

const order = (overrides: Record<string, unknown> = {}) =>
  orderSchema.parse({
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: '2026-01-05T23:30:09.000Z',
    date_modified: '2026-01-05T23:30:09.000Z',
    billing: { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' },
    shipping: {},
    line_items: [],
    ...overrides,
  });

test('an order in the shape of the specification, dates in UTC', () => {
  expect(orderSummary(order())).toEqual({
    id: 7,
    status: 'processing',
    total: '49.00',
    total_formatted: '€49.00',
    currency: 'EUR',
    customer: 'Ada Example',
    date: 'Jan 5, 2026',
    date_full: '2026-01-05 23:30:09',
  });
});

test('totals are exact at any size and in any currency, also one that is none', () => {
  expect(formatTotal('90071992547409930.01', 'USD')).toBe('$90,071,992,547,409,930.01');
  expect(formatTotal('4900', 'JPY')).toBe('¥4,900');
  expect(formatTotal('49.00', '!!!')).toBe('49.00 !!!');
});

test('every customer has a name', () => {
  const customer = (billing: Record<string, string>) => orderSummary(order({ billing })).customer;
  expect(customer({ last_name: 'Example' })).toBe('Example');
  expect(customer({ company: 'Works Ltd' })).toBe('Works Ltd');
  expect(customer({ email: 'a@example.com' })).toBe('a@example.com');
  expect(customer({})).toBe('Guest');
});
