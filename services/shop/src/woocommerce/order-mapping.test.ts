import { shopData } from '../../test/woocommerce-server';
import { marked, markOf, noteFrom, orderFrom, statusOf, tagsOf } from './order-mapping';

const order = (fields: Record<string, unknown>): Record<string, unknown> => shopData().putOrder(17, fields);

test('dates are those in UTC, with their zone; what is not set is null', () => {
  const mapped = orderFrom({
    ...order({}),
    date_created: '2026-01-15T12:00:00',
    date_created_gmt: '2026-01-15T10:00:00',
  });
  expect([mapped.date_created, mapped.date_paid]).toEqual(['2026-01-15T10:00:00Z', null]);
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
