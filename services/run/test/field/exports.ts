import { type FieldCase, intent } from './case';

const exported = (name: string, fields: object): FieldCase => ({
  name: `exported with ${name}`,
  orders: (id) => [{ id, ...fields }],
  happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_ex_${id}`)),
  ends: (id) => ({ [id]: ['completed', 'PAID'] }),
});

/** What PHP and plugins make of an order; the pages stand in `shop/src/orders/order-shapes.test.ts`. */
export const exportCases: readonly FieldCase[] = [
  exported('empty lists for addresses', { billing: [], shipping: [] }),
  exported('an object for rows', {
    meta_data: { 0: { id: 1, key: '_a', value: 'x' }, 5: { id: 2, key: '_b', value: '' } },
  }),
  exported('rows that are empty', { meta_data: [[], {}, { key: '_a', value: { '1.3': [] } }] }),
  exported('numbers as text', {
    customer_id: '0',
    line_items: [{ id: '1', name: 'Cheese', product_id: '1', variation_id: '0', quantity: '0.5', total: '49.00' }],
  }),
  exported('null for what is not there', {
    transaction_id: null,
    customer_note: null,
    billing: { email: null, phone: null },
    coupon_lines: null,
    refunds: null,
    date_paid: null,
    date_completed_gmt: null,
  }),
  exported('dates of a database', { date_created: '2026-11-20 10:00:00', date_paid: '0000-00-00 00:00:00' }),
  exported('dates of PHP', {
    date_created: { date: '2026-11-20 10:00:00.000000', timezone_type: 3, timezone: 'Europe/Berlin' },
  }),
];
