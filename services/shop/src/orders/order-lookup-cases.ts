import type { Order, OrderReference } from '@order-automation/contracts';

/** For tests of both connectors and of the choice itself: these orders, and what each reference must find among them. */
export const shopAddress = 'https://shop.example';

export const lookupOrders: readonly Partial<Order>[] = [
  { id: 1042, number: '1042', order_key: 'wc_order_a', date_created: '2026-01-01T00:00:00Z' },
  { id: 1050, number: 'N1050', date_created: '2026-01-02T00:00:00Z' },
  { id: 1051, number: '1050', date_created: '2026-01-03T00:00:00Z' },
  {
    id: 1060,
    number: '1060',
    transaction_id: 'ch_1',
    meta_data: [{ key: '_charge_id', value: 'ch_1' }],
    date_created: '2026-01-04T00:00:00Z',
  },
  { id: 1061, number: '1061', meta_data: [{ key: '_charge_id', value: 'ch_1' }], date_created: '2026-02-04T00:00:00Z' },
  {
    id: 1070,
    number: '1070',
    meta_data: [{ key: '_stripe_intent_id', value: 'pi_7' }],
    date_created: '2026-01-05T00:00:00Z',
  },
  {
    id: 1071,
    number: '1071',
    meta_data: [{ key: '_stripe_intent_id', value: 'pi_7' }],
    date_created: '2026-03-05T00:00:00Z',
  },
];

export type LookupCase = {
  readonly name: string;
  readonly reference: Partial<OrderReference>;
  readonly found?: number;
  readonly rejected?: readonly [kind: 'ambiguous' | 'foreign', orders: readonly number[]];
};

const named = (value: string, more: Partial<OrderReference> = {}): Partial<OrderReference> => ({
  order_id: value,
  references: [{ value, from: 'metadata.order_id' }],
  ...more,
});
const reading = (order_reference: 'id' | 'number' | 'auto', order_prefix: string | null = null) => ({
  reading: { order_reference, order_prefix },
});

export const lookupCases: readonly LookupCase[] = [
  { name: 'an id', reference: named('1042'), found: 1042 },
  { name: 'an event of the version before', reference: { order_id: '1042' }, found: 1042 },
  { name: 'a number', reference: named('N1050'), found: 1050 },
  { name: 'a number with a hash', reference: named('#N1050'), found: 1050 },
  {
    name: 'an id that is the number of another order',
    reference: named('1050'),
    rejected: ['ambiguous', [1050, 1051]],
  },
  { name: 'the same read as an id', reference: named('1050', reading('id')), found: 1050 },
  { name: 'the same read as a number', reference: named('1050', reading('number')), found: 1051 },
  { name: 'an id where numbers are meant', reference: named('1051', reading('number')) },
  { name: 'a number where ids are meant', reference: named('N1050', reading('id')) },
  { name: 'the usual prefix', reference: named('WC-1042'), found: 1042 },
  { name: 'a prefix of the sender', reference: named('SHOP/1042', reading('auto', 'SHOP/')), found: 1042 },
  { name: 'an attempt behind the number', reference: named('1042_1698765432'), found: 1042 },
  { name: 'prefix and attempt', reference: named('wc-1042-1698765432123'), found: 1042 },
  {
    name: 'a second reference that says which of two is meant',
    reference: {
      order_id: '1050',
      references: [
        { value: '1050', from: 'custom_id' },
        { value: 'N1050', from: 'invoice_id' },
      ],
    },
    found: 1050,
  },
  {
    name: 'the transaction of an order before a copy of it',
    reference: { transaction_id: 'ch_1', gateway_ids: ['ch_1'] },
    found: 1060,
  },
  {
    name: 'the transaction of an order before a reference',
    reference: named('1042', { transaction_id: 'ch_1', transactions: ['pi_x', 'ch_1'] }),
    found: 1060,
  },
  {
    name: 'a reference before a copy',
    reference: named('1042', { gateway_ids: ['pi_7'], transaction_id: 'pi_7' }),
    found: 1042,
  },
  { name: 'of copies the oldest order', reference: { transaction_id: 'pi_7', gateway_ids: ['pi_7'] }, found: 1070 },
  { name: 'the key of the order', reference: named('1042', { claims: { order_key: 'wc_order_a' } }), found: 1042 },
  {
    name: 'another key',
    reference: named('1042', { claims: { order_key: 'wc_order_b' } }),
    rejected: ['foreign', [1042]],
  },
  {
    name: 'another shop',
    reference: named('1042', { claims: { site_url: 'https://other.example' } }),
    rejected: ['foreign', [1042]],
  },
  {
    name: 'another shop, and no such order here',
    reference: named('9999', { claims: { site_url: 'https://other.example/x' } }),
    rejected: ['foreign', []],
  },
  {
    name: 'this shop in another spelling',
    reference: named('1042', { claims: { site_url: 'http://WWW.shop.example:8080/store' } }),
    found: 1042,
  },
  { name: 'an address that is none', reference: named('1042', { claims: { site_url: 'my shop' } }), found: 1042 },
  { name: 'nothing that exists', reference: named('99', { gateway_ids: ['pi_9'], transaction_id: 'x' }) },
  { name: 'nothing at all', reference: {} },
  { name: 'empty texts', reference: { gateway_ids: ['', ' '], order_id: '', transaction_id: ' ' } },
  { name: 'a number too large to be an id', reference: named('99999999999999999999') },
];
