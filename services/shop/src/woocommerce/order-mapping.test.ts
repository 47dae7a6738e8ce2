import { shopData } from '../../test/woocommerce-server';
import { marked, markOf, noteFrom, orderFrom, stateFrom, statusOf, tagsOf, utcOf } from './order-mapping';

const order = (fields: Record<string, unknown>): Record<string, unknown> => shopData().putOrder(17, fields);

test('dates are those in UTC, with their zone; what is not set is null', () => {
  const mapped = orderFrom({
    ...order({}),
    date_created: '2026-01-15T12:00:00',
    date_created_gmt: '2026-01-15T10:00:00',
  });
  expect([mapped.date_created, mapped.date_paid]).toEqual(['2026-01-15T10:00:00Z', null]);
});

test.each([
  ['2026-01-15T10:00:00', '2026-01-15T10:00:00Z'],
  ['2026-01-15 10:00:00', '2026-01-15T10:00:00Z'],
  ['2026-01-15T10:00:00.000Z', '2026-01-15T10:00:00Z'],
  ['2026-01-15T12:00:00+02:00', '2026-01-15T10:00:00Z'],
  ['0000-00-00T00:00:00', null],
  ['-0001-11-30T00:00:00', null],
  ['2026-13-15T10:00:00', null],
  [null, null],
])('the date %j is %j', (written, utc) => expect(utcOf(written)).toBe(utc));

/** https://github.com/woocommerce/woocommerce/issues/68783: orders that were moved into tables of their own with a zero date have none. */
test('an order without a date of its creation has that of its payment, else of its last change', () => {
  const paid = { date_paid_gmt: '2021-01-15T10:00:00', date_modified_gmt: '2026-01-15T10:00:00' };
  const without = { date_created: null, date_created_gmt: null };
  expect(orderFrom({ ...order({}), ...paid, ...without }).date_created).toBe('2021-01-15T10:00:00Z');
  const zero = { date_created: null, date_created_gmt: '-0001-11-30T00:00:00', date_paid_gmt: '0000-00-00T00:00:00' };
  expect(orderFrom({ ...order({}), ...paid, ...zero })).toMatchObject({
    date_created: '2026-01-15T10:00:00Z',
    date_paid: null,
  });
  expect(stateFrom({ ...order({}), ...paid, ...without })?.date_created).toBe('2026-01-15T10:00:00Z');
});

/** What WooCommerce shows of a line is in https://woocommerce.github.io/woocommerce-rest-api-docs/#order-line-items-properties */
test('an order of twelve hundred lines is read: of each line what rules and refunds need', () => {
  const line = (id: number) => ({
    ...{ id, name: `Loose tea in a tin, number ${id}`, product_id: id, variation_id: 0, quantity: 2, tax_class: '' },
    ...{ subtotal: '10.00', subtotal_tax: '1.90', total: '10.00', total_tax: '1.90', price: 5, sku: `TEA-${id}` },
    taxes: [{ id: 1, total: '1.9', subtotal: '1.9' }],
    meta_data: [{ id, key: 'pa_colour', value: 'green', display_key: 'Colour', display_value: 'Green' }],
    image: { id: 12, src: 'https://shop.example/wp-content/uploads/2026/11/tea.jpg' },
  });
  const read = orderFrom(order({ line_items: Array.from({ length: 1_200 }, (_, index) => line(index + 1)) }));
  const { name, sku, product_id, variation_id, quantity, total, total_tax } = line(1_200);
  expect(read.line_items).toHaveLength(1_200);
  expect(read.line_items[1_199]).toEqual({
    ...{ id: 1_200, name, sku, product_id, variation_id, quantity, total, total_tax },
  });
});

test('an order whose currency the shop no longer knows can be read', () =>
  expect(orderFrom(order({ currency: '' }))).toMatchObject({ currency: 'XXX', total: expect.any(String) }));

test('a quantity of a shop that sells by weight, a SKU that is null, a product that is deleted', () => {
  const line = { id: 1, name: 'Tea', product_id: 0, quantity: 1.5, total: '7.50', price: 5, sku: null };
  expect(orderFrom(order({ line_items: [line] })).line_items).toMatchObject([{ quantity: 1.5, product_id: 0 }]);
});

test('refunds and shipping lines as WooCommerce shows them', () => {
  const shown = orderFrom(
    order({
      refunds: [{ id: 20, reason: 'late', total: '-10.00' }],
      shipping_lines: [{ id: 3, method_id: 'flat_rate', method_title: 'Flat rate', total: '5.00' }],
      coupon_lines: [{ id: 4, code: 'spring', discount: '2.00' }],
    }),
  );
  expect(shown).toMatchObject({
    refunds: [{ total: '-10.00' }],
    shipping_lines: [{ method_id: 'flat_rate' }],
    coupon_lines: [{ code: 'spring' }],
  });
  expect(shown).not.toHaveProperty('_links');
});

test('a refund that WooCommerce is about to make or to delete has no amount, and is none', () => {
  const shown = orderFrom(
    order({
      refunds: [
        { id: 21, reason: '', total: '-' },
        { id: 20, total: '-10.00' },
      ],
    }),
  );
  expect(shown.refunds).toEqual([{ id: 20, total: '-10.00' }]);
});

test.each(['2', '', 2])(
  'the method %j of a zone stays on the shipping line, so that rules on flat_rate:2 find it',
  (instance_id) => {
    const line = { id: 3, method_id: 'flat_rate', method_title: 'Express', instance_id, total: '5.00', taxes: [] };
    expect(orderFrom(order({ shipping_lines: [line] })).shipping_lines).toMatchObject([
      { method_id: 'flat_rate', instance_id },
    ]);
  },
);

test('what is no order is refused with the field that is wrong', () => {
  const broken = order({ total: 'NaN' });
  expect(() => orderFrom(broken)).toThrow('total must be a decimal number');
});

test.each([
  [
    ['vip', 'vip', ' b2b '],
    ['vip', 'b2b'],
  ],
  [{ 0: 'vip', 2: 'b2b' }, ['vip', 'b2b']],
  ['vip, b2b', ['vip', 'b2b']],
  ['', []],
  [undefined, []],
  [null, []],
])('tags of %j', (value, tags) => expect(tagsOf(value)).toEqual(tags));

test('the mark of a note comes back, and nobody sees it', () => {
  const note = marked('Paid: 49.00 <b>USD</b>', 'chg_1a-2');
  expect(markOf(note)).toBe('chg_1a-2');
  expect(markOf(`${note} and more`)).toBeUndefined();
  expect(noteFrom({ id: 1, date_created_gmt: '2026-01-15T10:00:00', note, customer_note: false })).toMatchObject({
    note: 'Paid: 49.00 <b>USD</b>',
    author: 'automation',
  });
});

test.each([
  ['wc-completed', 'completed'],
  [' Ready-To-Ship', 'ready-to-ship'],
  ['no status', undefined],
  ['', undefined],
])('status %p', (text, status) => expect(statusOf(text)).toBe(status));
