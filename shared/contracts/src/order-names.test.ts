import { orderNames } from './order-names';
import type { OrderReference } from './universal-event';

const none: OrderReference = { gateway_ids: [], order_id: null, transaction_id: null };
const named = (value: string, order_prefix: string | null = null): string[] =>
  orderNames({
    ...none,
    references: [{ value, from: 'metadata.order_id' }],
    reading: { order_reference: 'auto', order_prefix },
  }).map(({ text }) => text);

/**
 * Prefixes: "PayPal Payments automatically sets an invoice prefix and then sends the WooCommerce order numbers in the pattern invoice prefix+ordernumber"
 * (UNPROCESSABLE_ENTITY, https://wordpress.org/support/topic/unprocessable_entity-10/). Attempts: `order_id . '_' . time()` in plugins that may not repeat
 * a reference; "the order number and the UUID separated by a hyphen" (Managing the invoice ID,
 * https://secure.gateway.monetico-retail.com/doc/en-EN/payment-method/paypal/redirection-form/managing-the-invoice-id.html); `uniqid($order_id . '_', true)`
 * (PayU); `$order_id.'-wc-mdtrs-'.$unix_timestamp` (class-wc-midtrans-utils.php of Midtrans).
 */
test.each<[string, string | null, string[]]>([
  ['1042', null, ['1042']],
  [' #1042 ', null, ['1042']],
  ['WC-1042', null, ['WC-1042', '1042']],
  ['wc-1042', null, ['wc-1042', '1042']],
  ['WC-#1042', null, ['WC-#1042', '1042']],
  ['1042_1698765432', null, ['1042_1698765432', '1042']],
  ['1042-1698765432123', null, ['1042-1698765432123', '1042']],
  ['1042_25112359', null, ['1042_25112359', '1042']],
  ['WC-1042_1698765432', null, ['WC-1042_1698765432', '1042_1698765432', 'WC-1042', '1042']],
  ['CX_12345-90df7d7cd29f46bd8ff510b65f123579', null, ['CX_12345-90df7d7cd29f46bd8ff510b65f123579', 'CX_12345']],
  ['1042_64f1a2b3c4d5e', null, ['1042_64f1a2b3c4d5e', '1042']],
  ['1042_64f1a2b3c4d5e.12345678', null, ['1042_64f1a2b3c4d5e.12345678', '1042']],
  ['A-7-6937CE50B7E31', null, ['A-7-6937CE50B7E31', 'A-7']],
  ['1042-wc-mdtrs-1698765432', null, ['1042-wc-mdtrs-1698765432', '1042']],
  ['1042-0b0c9a7e-1111-4222-8333-abcdefabcdef', null, ['1042-0b0c9a7e-1111-4222-8333-abcdefabcdef', '1042']],
  ['Order #1042', null, ['Order #1042', '1042']],
  ['Order No. 1042', null, ['Order No. 1042', '1042']],
  ['Nr.1042', null, ['Nr.1042', '1042']],
  ['order 1042', null, ['order 1042', '1042']],
  ['Order: R-1042', null, ['Order: R-1042', 'R-1042']],
  ['ORDER-1042', null, ['ORDER-1042']],
  ['Orderly 7', null, ['Orderly 7']],
  ['cfbdg-123', 'cfbdg-', ['cfbdg-123', '123']],
  ['WC-1042', 'cfbdg-', ['WC-1042']],
  ['WC-1042', '', ['WC-1042', '1042']],
  // Numbers of years and branches are no attempts.
  ['2025-0001042', null, ['2025-0001042']],
  ['2025-00001042', null, ['2025-00001042']],
  ['INV-7-12', null, ['INV-7-12']],
  ['2025-0000000001042', null, ['2025-0000000001042']],
  ['0b0c9a7e-1111-4222-8333-abcdefabcdef', null, ['0b0c9a7e-1111-4222-8333-abcdefabcdef']],
  ['WC-', null, ['WC-']],
  [' # ', null, []],
])('%j with the prefix %j is called %j', (value, prefix, names) => {
  expect(named(value, prefix)).toEqual(names);
});

// "Orders have IDs … and order numbers … only included the order/post ID. This PR adds the number": github.com/Automattic/woocommerce-payments/pull/4275
test.each([
  ['number', ['metadata.order_id', 'metadata.order_number'], ['two', 'one']],
  ['number', ['custom_id', 'invoice_id'], ['two', 'one']],
  ['number', ['metadata.Order No', 'metadata.order_id'], ['one', 'two']],
  ['number', ['custom.order_id', 'invoice'], ['two', 'one']],
  // The sender counts its invoices itself (`invoice_number`, paystack.com/docs/api/payment-request); a place is what the settings say.
  ['number', ['order_id', 'invoice_number'], ['one', 'two']],
  ['number', ['metadata.order_id', 'invoice_id'], ['one', 'two']],
  ['number', ['/metadata/reference', 'metadata.order_number'], ['one', 'two']],
  ['id', ['metadata.order_id', 'metadata.order_number'], ['one', 'two']],
  ['auto', ['custom_id', 'invoice_id'], ['one', 'two']],
] as const)('by %s: of %j the one that says it counts first', (order_reference, [first, second], names) => {
  const references = [
    { value: 'one', from: first },
    { value: 'two', from: second },
  ];
  const reading = { order_reference, order_prefix: null };
  expect(orderNames({ ...none, references, reading }).map(({ text }) => text)).toEqual(names);
});

test('several references, each name once with the field that had it first; an event of an earlier version has one', () => {
  const references = [
    { value: '77', from: 'custom_id' },
    { value: 'WC-77', from: 'invoice_id' },
  ];
  expect(orderNames({ ...none, references })).toEqual([
    { text: '77', from: 'custom_id' },
    { text: 'WC-77', from: 'invoice_id' },
  ]);
  expect(orderNames({ ...none, order_id: '#9' })).toEqual([{ text: '9', from: 'order_id' }]);
  expect(orderNames(none)).toEqual([]);
});
