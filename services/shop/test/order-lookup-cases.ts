import type { OrderReference } from '@order-automation/contracts';

/** The shop's address in these cases (`SHOP_URL`). */
export const shopAddress = 'https://shop.example/store';

const dated = (day: string) => ({ date_created: `${day}T10:00:00Z`, date_created_gmt: `${day}T10:00:00` });
const copy = (key: string, value: string) => ({ meta_data: [{ key, value }] });

export const lookupOrders = [
  { id: 1101, number: 'N1101', order_key: 'wc_order_a', ...dated('2026-01-01') },
  { id: 1102, number: '1101', order_key: 'wc_order_b', ...dated('2026-01-02') },
  { id: 1103, number: '1103', transaction_id: 'ch_7', ...copy('_charge_id', 'ch_7'), ...dated('2026-01-03') },
  { id: 1104, number: '1104', status: 'failed', ...copy('_charge_id', 'ch_7'), ...dated('2026-02-03') },
  { id: 1105, number: '1105', order_key: 'wc_order_1105', ...dated('2026-01-04') },
  { id: 1106, number: '1106', order_key: 'wc_order_1106', ...copy('_intent_id', 'pi_7'), ...dated('2026-02-05') },
  { id: 1107, number: '1107', order_key: 'wc_order_1107', ...copy('_intent_id', 'pi_7'), ...dated('2026-01-05') },
  { id: 1115, number: '1114', ...dated('2026-02-06') },
  { id: 1114, number: '1114', ...dated('2024-01-06') },
  { id: 1108, number: 'INV-0042', ...dated('2026-01-06') },
  { id: 1110, number: '1110', transaction_id: 'tr_7', ...dated('2026-01-07') },
  { id: 1111, number: '1111', transaction_id: 'tr_7', ...dated('2026-01-08') },
  { id: 1112, number: '1112', transaction_id: '4711', ...dated('2019-01-08') },
];

type Case = {
  readonly name: string;
  readonly reference: Partial<OrderReference>;
  readonly found?: number;
  readonly rejected?: readonly [kind: 'ambiguous' | 'foreign', orders: readonly number[]];
};

const refers = (...values: string[]): Pick<OrderReference, 'references'> => ({
  references: values.map((value, index) => ({ value, from: `metadata.field_${index}` })),
});
const written = (
  ...fields: readonly (readonly [from: string, value: string])[]
): Pick<OrderReference, 'references'> => ({ references: fields.map(([from, value]) => ({ value, from })) });
const md5 = '0123456789abcdef0123456789abcdef';
const read = (order_reference: 'id' | 'number' | 'auto', order_prefix: string | null = null) => ({
  reading: { order_reference, order_prefix },
});

/**
 * Ids and numbers: the Stripe plugin sent the number in its old checkout and the id in the new one (Custom order IDs are not used when creating intent,
 * https://github.com/woocommerce/woocommerce-gateway-stripe/issues/3397); "if the number is numeric, a different order whose ID matches is updated"
 * (https://github.com/komoju/komoju-woocommerce/issues/182). Copies: "Renewal orders started life carrying the parent's Stripe identifiers" (strip stale
 * WCPay transaction meta, https://github.com/Automattic/woocommerce-payments/pull/11632), the same of Mollie
 * (https://github.com/mollie/WooCommerce/pull/1253). Sites: copies of a shop keep charging (Add site URL,
 * https://github.com/woocommerce/woocommerce-gateway-stripe/issues/229), and every endpoint of an account hears of every site
 * (https://github.com/stripe/stripe-php/issues/1123). Signatures: "This value will contain the order ID followed by a hash", since the payment may come
 * before the order knows of it (https://github.com/woocommerce/woocommerce-gateway-stripe/pull/3567).
 */
export const lookupCases: readonly Case[] = [
  { name: 'an id and a number that name two orders', reference: refers('1101'), rejected: ['ambiguous', [1101, 1102]] },
  // Orders from before the plugin that counts them have their ids as numbers.
  {
    name: 'an id that is the number of its order and of a later one',
    reference: refers('1114'),
    rejected: ['ambiguous', [1114, 1115]],
  },
  { name: 'the same, read as a number', reference: { ...refers('1114'), ...read('number') }, found: 1115 },
  { name: 'an id and a number, read as a number', reference: { ...refers('1101'), ...read('number') }, found: 1102 },
  { name: 'the same, read as an id', reference: { ...refers('1101'), ...read('id') }, found: 1101 },
  {
    name: 'the same with a prefix and an attempt',
    reference: refers('WC-1101_1698765432'),
    rejected: ['ambiguous', [1101, 1102]],
  },
  { name: 'two orders, of which another reference names one', reference: refers('1101', 'N1101'), found: 1101 },
  {
    name: 'two orders, of which the order key fits one',
    reference: { ...refers('1101'), claims: { order_key: 'wc_order_b' } },
    found: 1102,
  },
  {
    name: 'an event of an earlier version is read so too',
    reference: { order_id: '1101' },
    rejected: ['ambiguous', [1101, 1102]],
  },
  { name: 'id and number of one order', reference: refers('#1105'), found: 1105 },
  { name: 'a number of letters', reference: refers('INV-0042'), found: 1108 },
  {
    name: 'a number with the prefix of the sender',
    reference: { ...refers('ACME-INV-0042'), ...read('number', 'acme-') },
    found: 1108,
  },
  { name: 'a number is no id where ids are meant', reference: { ...refers('INV-0042'), ...read('id') } },
  { name: 'an id is no number where numbers are meant', reference: { ...refers('1108'), ...read('number') } },
  { name: 'references that disagree: the most trusted', reference: refers('1105', '1108'), found: 1105 },
  { name: 'a reference to nothing before one to an order', reference: refers('cus_9', '1105'), found: 1105 },
  {
    name: 'the own transaction before a copy',
    reference: { gateway_ids: ['ch_7'], transactions: ['ch_7'] },
    found: 1103,
  },
  {
    name: 'the own transaction before a reference',
    reference: { ...refers('1105'), transaction_id: 'ch_7' },
    found: 1103,
  },
  { name: 'a reference before copies', reference: { ...refers('1104'), gateway_ids: ['pi_7'] }, found: 1104 },
  { name: 'of copies the oldest order, whatever its id', reference: { gateway_ids: ['pi_7'] }, found: 1107 },
  { name: 'of two orders with one transaction the oldest', reference: { transaction_id: 'tr_7' }, found: 1110 },
  {
    name: 'of two orders with one transaction the one named',
    reference: { ...refers('1111'), transactions: ['tr_7'] },
    found: 1111,
  },
  {
    name: 'the address of the shop, otherwise written',
    reference: { ...refers('1105'), claims: { site_url: 'http://www.SHOP.example:80/' } },
    found: 1105,
  },
  {
    name: 'the address of another shop',
    reference: { ...refers('1105'), claims: { site_url: 'https://other.example' } },
    rejected: ['foreign', [1105]],
  },
  {
    name: 'the same, and no such order here',
    reference: { ...refers('999999'), claims: { site_url: 'https://other.example' } },
    rejected: ['foreign', []],
  },
  {
    name: 'the same, found by a copy',
    reference: { gateway_ids: ['pi_7'], claims: { site_url: 'other.example' } },
    rejected: ['foreign', []],
  },
  {
    name: 'the same, proved by the own transaction',
    reference: { transaction_id: 'ch_7', claims: { site_url: 'https://other.example' } },
    found: 1103,
  },
  {
    name: 'another order key',
    reference: { ...refers('1105'), claims: { order_key: 'wc_order_x' } },
    rejected: ['foreign', [1105]],
  },
  {
    name: 'the order key of the order',
    reference: { ...refers('1105'), claims: { order_key: 'wc_order_1105' } },
    found: 1105,
  },
  {
    name: 'another order key on a copy',
    reference: { gateway_ids: ['pi_7'], claims: { order_key: 'wc_order_x' } },
    rejected: ['foreign', [1107]],
  },
  { name: 'nothing that exists', reference: { ...refers('999998'), gateway_ids: ['pi_no'], transaction_id: 'ch_no' } },
  {
    name: 'two orders, of which the plugin has signed the id of one',
    reference: written(['metadata.order_id', '1101'], ['metadata.signature', `1102:${md5}`]),
    found: 1102,
  },
  {
    name: 'an order whose number is the id of another, and which is still to come',
    reference: written(['metadata.order_id', '1105'], ['metadata.signature', `1999:${md5}`]),
  },
  {
    name: 'an order that is still to come, whose number is the id of another',
    reference: written(['metadata.order_id', '1999'], ['metadata.order_number', '1105']),
  },
  {
    name: 'a renewal that is still to come, of a subscription that its first order carries',
    reference: { ...written(['metadata.order_id', '1999']), gateway_ids: ['pi_9', 'pi_7'], transactions: ['pi_9'] },
  },
  {
    name: 'an order of another numbering that carries the payment itself',
    reference: { ...written(['metadata.order_id', '1999']), gateway_ids: ['pi_7'], transactions: ['pi_7'] },
    found: 1107,
  },
  {
    name: 'a number of the gateway’s own before the invoice of the shop',
    reference: written(['custom', '778899'], ['invoice', 'WC-1105']),
    found: 1105,
  },
  {
    name: 'a payment that another gateway has numbered as that of an old order',
    reference: { ...refers('1105'), transaction_id: '4711' },
    found: 1105,
  },
  {
    name: 'the same, and no other order is named',
    reference: { ...refers('999997'), transaction_id: '4711' },
    found: 1112,
  },
  // "Use a distinct prefix to separate those installations", connection-tab-fields.php of github.com/woocommerce/woocommerce-paypal-payments; the id has none.
  {
    name: 'the invoice of another shop on the account, whose order has the same id',
    reference: { ...written(['custom_id', '1105'], ['invoice_id', 'bddfae-1105']), ...read('auto', 'acme-') },
    rejected: ['foreign', [1105]],
  },
  {
    name: 'the same, and no such order here',
    reference: { ...written(['invoice', 'ABCD-other.example-999999']), ...read('auto', 'acme-') },
    rejected: ['foreign', []],
  },
  {
    name: 'the same, proved by the own transaction',
    reference: { ...written(['invoice_id', 'OLD-1103']), transaction_id: 'ch_7', ...read('auto', 'acme-') },
    found: 1103,
  },
  // `invoice` has the prefix that was set when the order was made, `custom` the order and its key (class-wc-gateway-paypal-request.php of woocommerce/woocommerce).
  {
    name: 'an invoice from before the prefix of this shop was changed, with the key of the order',
    reference: {
      ...written(['invoice', 'WC-1105'], ['custom.order_id', '1105']),
      ...read('auto', 'acme-'),
      claims: { order_key: 'wc_order_1105' },
    },
    found: 1105,
  },
  {
    name: 'the same with another key',
    reference: {
      ...written(['invoice', 'WC-1105'], ['custom.order_id', '1105']),
      ...read('auto', 'acme-'),
      claims: { order_key: 'wc_order_x' },
    },
    rejected: ['foreign', [1105]],
  },
  {
    name: 'the invoice of this shop',
    reference: { ...written(['custom_id', '1105'], ['invoice_id', 'ACME-N77']), ...read('auto', 'acme-') },
    found: 1105,
  },
  {
    name: 'an invoice that is the number of an order as it stands',
    reference: { ...written(['invoice', 'INV-0042']), ...read('auto', 'acme-') },
    found: 1108,
  },
  {
    name: 'an invoice of any prefix where the sender has none set',
    reference: written(['custom_id', '1105'], ['invoice_id', 'bddfae-1105']),
    found: 1105,
  },
  {
    name: 'an invoice that a sender counts itself, in a field of another name',
    reference: { ...written(['metadata.order_id', '1105'], ['reference', 'INV-77']), ...read('auto', 'acme-') },
    found: 1105,
  },
  { name: 'empty texts', reference: { ...refers('', ' # '), gateway_ids: ['', ' '], transaction_id: ' ' } },
  { name: 'nothing at all, from another site', reference: { claims: { site_url: 'https://other.example' } } },
];
