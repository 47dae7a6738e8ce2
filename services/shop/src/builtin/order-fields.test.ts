import { orderStatuses } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { mergeOrder, type Site } from './order-fields';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const site: Site = { now, timeZone: 'UTC', statuses: new Set([...orderStatuses, 'packing']) };

function merged(existing: Parameters<typeof mergeOrder>[0], fields: Record<string, unknown>, id = existing?.id ?? 5) {
  const result = mergeOrder(existing, id, fields, site);
  if (!result.ok) throw new Error(JSON.stringify(result.violations));
  return result.order;
}
const paths = (fields: Record<string, unknown>) => {
  const result = mergeOrder(undefined, 5, fields, site);
  return result.ok ? [] : result.violations.map(({ path }) => path);
};

test('a new order gets number, dates, and the exact sum of its lines', () => {
  const order = merged(undefined, {
    status: 'wc-processing',
    currency: 'usd',
    line_items: [
      { product_id: 1, quantity: 1, total: '0.10', total_tax: '0.02' },
      { product_id: 2, quantity: 1, total: '0.20' },
    ],
    shipping_lines: [{ total: '4.70' }],
  });
  expect(order).toMatchObject({
    id: 5,
    number: '5',
    status: 'processing',
    currency: 'USD',
    total: '5.02',
    date_created: '2026-03-01T12:00:00.000Z',
  });
});

test.each([
  ['USD', '49', '49.00'],
  ['JPY', '1200.00', '1200'],
  ['KWD', '1.5', '1.500'],
  // A shop may count in more decimals than its currency, and a code that ISO 4217 does not know has those of the order.
  ['JPY', '10.5', '10.5'],
  ['USD', '10.0049', '10.0049'],
  ['IRT', '150000', '150000'],
  ['USDT', '12.345678', '12.345678'],
  ['pts', '7', '7'],
])('a total in %s: %s is %s', (currency, total, stored) => {
  expect(merged(undefined, { currency, total }).total).toBe(stored);
});

test('given fields change, the rest and unknown fields stay', () => {
  const before = buildOrder({
    id: 5,
    billing: { first_name: 'Ada', city: 'Köln', email: 'a@example.com' },
    plugin: { x: [1] },
  });
  const after = merged(before, { billing: { city: 'Bonn' }, customer_note: 'Ring twice', notes: [{ id: 1 }] });
  expect(after).toMatchObject({
    billing: { first_name: 'Ada', city: 'Bonn', email: 'a@example.com' },
    customer_note: 'Ring twice',
    plugin: { x: [1] },
    date_modified: '2026-03-01T12:00:00.000Z',
  });
  expect(after).not.toHaveProperty('notes');
});

test('dates without a zone are UTC', () => {
  expect(merged(undefined, { date_created: '2026-01-02T03:04:05' }).date_created).toBe('2026-01-02T03:04:05.000Z');
});

test.each<[string, Record<string, unknown>, string[]]>([
  ['another id', { id: 6 }, ['id']],
  ['a total that is no number', { total: 'free' }, ['total']],
  ['a currency of digits', { currency: '123' }, ['currency']],
  ['several at once', { status: 'two words', currency: '1$!', total: 'x' }, ['total']],
  ['status and currency', { status: 'two words', currency: '1$!' }, ['currency', 'status']],
  ['more than 256 KiB', { customer_note: 'x'.repeat(300_000) }, ['']],
  ['a prototype', JSON.parse('{"meta": {"__proto__": {"x": 1}}}'), ['meta']],
  ['a list that is none', { line_items: 'all' }, ['line_items']],
])('%s is refused', (_, fields, expected) => {
  expect(paths(fields).sort()).toEqual([...expected].sort());
});

test('nesting without end is refused and does not overflow', () => {
  let deep: unknown = 'x';
  for (let level = 0; level < 10_000; level += 1) deep = { deep };
  expect(paths({ deep })).toHaveLength(1);
});

test('dates by the clocks of the shop, and as they were shown', () => {
  const berlin = { ...site, timeZone: 'Europe/Berlin' };
  const existing = buildOrder({ id: 7, date_created: '2026-07-01T10:00:00.123Z' });
  const saved = (fields: Record<string, unknown>) => {
    const result = mergeOrder(existing, 7, fields, berlin);
    return result.ok ? [result.order.date_created, result.order.date_paid] : result.violations;
  };
  const { date_paid } = existing;
  expect(saved({ date_created: '2026-07-01T12:00:00', date_created_gmt: '2026-07-01T10:00:00' })).toEqual([
    '2026-07-01T10:00:00.123Z',
    date_paid,
  ]);
  expect(saved({ date_paid: '2026-07-02T12:00:00' })).toEqual(['2026-07-01T10:00:00.123Z', '2026-07-02T10:00:00.000Z']);
  expect(saved({ date_paid: null, date_paid_gmt: null })).toEqual(['2026-07-01T10:00:00.123Z', null]);
  expect(mergeOrder(existing, 7, { date_created_gmt: '2026-07-01T10:00:00' }, berlin)).not.toHaveProperty(
    'order.date_created_gmt',
  );
});

test('a status of the shop’s own, and refunds up to the total', () => {
  expect(merged(undefined, { status: 'wc-packing' }).status).toBe('packing');
  expect(paths({ status: 'wrapping' })).toEqual(['status']);
  const refunds = (...totals: string[]) => ({ total: '10.00', refunds: totals.map((total) => ({ total })) });
  expect(paths(refunds('-4.00', '6.00'))).toEqual([]);
  expect(paths(refunds('-4.00', '-6.01'))).toEqual(['refunds']);
  expect(paths({ total: '-5.00' })).toEqual([]);
});

/** Gravity Forms keeps its fields under `1.3` (https://docs.gravityforms.com/name/); Measurement Price Calculator sells 0.5 of a metre. */
test('what other shops export is kept as it is: names with dots and dollars, half quantities, long notes, many meta fields', () => {
  const value = { '1.3': 'Ada', $x: 1, 'a%2Eb': { $: '.' } };
  const meta_data = Array.from({ length: 1_200 }, (_, at) => ({
    id: at + 1,
    key: at < 800 ? '_log' : `_k${at}`,
    value: `v${at}`,
  }));
  const line_items = [{ id: 1, product_id: 5, quantity: 0.5, meta_data: [{ key: 'form', value }] }];
  const customer_note = 'x'.repeat(11_000);
  const fields = { plugin: value, line_items, meta_data, customer_note, total: '5.00' };
  expect(merged(undefined, fields)).toMatchObject(fields);
});

test('an order that is too large gives up what no rule reads, and the digest tells when that changes', () => {
  const big = (id: number) => ({ key: '_snapshot', value: { id, text: 'y'.repeat(5_000) } });
  const fields = (last: number) => ({
    total: '5.00',
    meta_data: [...Array.from({ length: 60 }, (_, id) => big(id)), { key: '_gift', value: 'yes' }, big(last)],
  });
  const [one, other] = [merged(undefined, fields(1)), merged(undefined, fields(2))];
  expect(one.meta_data).toEqual([{ key: '_gift', value: 'yes' }]);
  expect(one.meta_digest).not.toBe(other.meta_digest);
});

const used = Array.from({ length: 20_000 }, (_, at) => `customer${at}@example.com`);
const log = [{ id: 1, key: 'log', value: used }];
/** https://github.com/woocommerce/woocommerce/issues/19450 (who has used a coupon); plugins keep logs and what was shipped in rows of every kind. */
test.each<[string, object, object]>([
  ['coupon_lines', { coupon_lines: [{ code: 'spring', meta_data: log }] }, { coupon_lines: [{ code: 'spring' }] }],
  ['fee_lines', { fee_lines: [{ id: 2, name: 'Fee', meta_data: log }] }, { fee_lines: [{ id: 2, name: 'Fee' }] }],
  [
    'shipping_lines',
    { shipping_lines: [{ method_id: 'flat_rate', instance_id: '2', meta_data: log }] },
    { shipping_lines: [{ method_id: 'flat_rate', instance_id: '2' }] },
  ],
  ['a field of a plugin', { plugin: used, small: 'x' }, { small: 'x' }],
  ['_order_history', { meta_data: [{ key: '_order_history', value: used }] }, { meta_data: [] }],
])('an order with a long list in %s is kept without it', (_, fields, kept) => {
  expect(merged(undefined, { total: '5.00', ...fields })).toMatchObject(kept);
});

test('of too many meta fields those of ours and of gateways stay', () => {
  const many = Array.from({ length: 6_000 }, (_, at) => ({ key: `_sms_${at}`, value: `sent ${at} to the customer` }));
  const last = [
    { key: '_stripe_charge_id', value: 'ch_1' },
    { key: '_order_stock_reduced', value: 'yes' },
  ];
  const { meta_data } = merged(undefined, { total: '5.00', meta_data: [...many, ...last] });
  expect(meta_data.slice(0, 3).map(({ key }) => key)).toEqual(['_order_stock_reduced', '_stripe_charge_id', '_sms_0']);
  expect(meta_data.length).toBeGreaterThan(3_000);
});
