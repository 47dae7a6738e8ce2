import type { Connection } from '../connection';
import type { Payload } from '../payload';
import { genericAdapter } from './adapter';

const generic = genericAdapter({ requireConnection: true, hasConnections: () => true });
const inputOf = (payload: Payload, connection: Partial<Connection>) => ({
  connection: 'sender',
  headers: {},
  body: Buffer.from(JSON.stringify(payload)),
  now: 0,
  payload,
  context: { connection: connection as Connection, otherConnections: () => [], withinRate: true, testProof: null },
});
const read = (payload: Payload, connection: Partial<Connection>) => generic.normalize(inputOf(payload, connection))[0];

const paths = {
  type: '/type',
  subtype: '/a/action | /a/status',
  event: '/id',
  transaction: '/a/payment | /a/id',
  refund: '/a/refund',
  subscription: '/b/subscription | /a/subscription',
  amount: '/a/refunded | /a/total',
  order: '/a/meta/order | /b/reference',
};
const types = {
  'adjusted.refund.approved': 'payment_refunded',
  'adjusted.chargeback': 'dispute_opened',
  paid: 'payment_completed',
  noted: 'custom_event',
} as const;

describe('a path with several places', () => {
  test('reads the first that has something, and every reference to an order', () => {
    const a = { id: 'x_1', payment: '', subscription: 'sub_1', meta: { order: null } };
    expect(read({ type: 'paid', id: 'e', a, b: { reference: '7' } }, { paths, types })).toMatchObject({
      transactionID: 'x_1',
      subscriptionID: 'sub_1',
      orderReference: { references: [{ value: '7', from: '/b/reference' }] },
    });
    const both = { type: 'paid', id: 'e', a: { meta: { order: '1' } }, b: { reference: '2' } };
    expect(read(both, { paths, types })?.orderReference.references?.map(({ value }) => value)).toEqual(['1', '2']);
  });

  // paystack.com/docs/payments/metadata ("custom_fields"), forum.flutterwave.com/t/meta-object-missing-on-webhook-payload/1542 ("meta_data")
  test.each([
    ['metadata', { custom_fields: [{ display_name: 'Order', variable_name: 'order_id', value: 7 }] }],
    ['metadata', JSON.stringify({ custom_fields: [{ variable_name: 'Order ID', value: '7' }] })],
    ['metadata', [{ key: 'colour', value: 'red' }, null, 'x', { key: 'order_id', value: '7' }]],
    ['meta_data', { order_id: '7' }],
    ['notes', [{ name: 'order_number', value: '7' }]],
  ])('finds the order in %s %j', (field, value) => {
    const { references = [] } = read({ type: 'paid', id: 'e', [field]: value }, {})?.orderReference ?? {};
    expect(references.map((one) => one.value)).toEqual(['7']);
  });

  // developer.phonepe.com/category/v1/phonepe-pg/pg-primary-apis/server-to-server-callback-6: "base64 encoded JSON"; docs.culqi.com: `data` is JSON in a text
  test.each(['base64', 'base64url', 'utf8'] as const)('goes into data in a text (%s)', (encoding) => {
    const sent = { code: 'PAYMENT_SUCCESS', data: { merchantTransactionId: '7', transactionId: 'T1', amount: 4900 } };
    const inner = '/response/data';
    const settings: Partial<Connection> = {
      ...{ amount_unit: 'minor', currency: 'INR' },
      types: { PAYMENT_SUCCESS: 'payment_completed' },
      paths: {
        ...{ type: '/response/code', order: `${inner}/merchantTransactionId` },
        ...{ transaction: `${inner}/transactionId`, amount: `${inner}/amount` },
      },
    };
    expect(read({ response: Buffer.from(JSON.stringify(sent)).toString(encoding) }, settings)).toMatchObject({
      ...{ genericType: 'payment_completed', transactionID: 'T1', amount: '49.00', currency: 'INR' },
      orderReference: { order_id: '7' },
    });
  });

  // docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html: senders put JSON into a text of their JSON
  test('finds everything in data that is JSON in a text', () =>
    expect(
      read({ type: 'paid', data: JSON.stringify({ order_id: 7, transaction_id: 't', amount: '9.00' }) }, {}),
    ).toMatchObject({ transactionID: 't', amount: '9.00', orderReference: { order_id: '7' } }));

  // docs.mollie.com/reference/refunds-api-webhooks, razorpay.com/docs/webhooks/refunds: `id` and `paymentId`, `payment_id`
  test.each([
    ['refund', { id: 're_1', paymentId: 'tr_1' }, 'tr_1', 're_1'],
    ['dispute_opened', { id: 'dp_1', charge_id: 'ch_1' }, 'ch_1', 'dp_1'],
    ['payment_cancelled', { id: 'evt_1', payment_id: 'tr_1' }, 'tr_1', null],
    ['refund', { id: 'tr_1', payment_id: 'tr_1', amount: '5.00' }, 'tr_1', null],
    ['refund', { id: 're_1', transaction_id: 't', payment_id: 'p' }, 't', 're_1'],
    ['refund', { id: 're_1', transactionId: 't' }, 't', 're_1'],
    ['dispute_opened', { id: 'dp_1', txn_id: 't' }, 't', 'dp_1'],
    ['payment_completed', { id: 'row_1', transaction_id: 't' }, 't', null],
    ['refund', { id: 't', transaction_id: 't' }, 't', null],
    ['refund', { id: 'e', event_id: 'e', transaction_id: 't' }, 't', null],
  ])('%s %j is about the payment beside its id', (type, data, transactionID, part) => {
    const event = read({ type, data }, {});
    expect(event).toMatchObject({ transactionID, primaryObjectID: part ?? transactionID });
  });

  test('data that repeats its id with another amount is another refund; with the same amount it is the same one', () => {
    const refund = (id: string, amount: string) =>
      read({ type: 'refund', data: { id, transaction_id: 't', order_id: 7, amount } }, {})?.primaryObjectID;
    expect([refund('row_1', '6.00'), refund('row_1', '7.00'), refund('row_2', '6.00')]).toEqual([
      'row_1:6.00',
      'row_1:7.00',
      'row_2:6.00',
    ]);
    expect(refund('row_1', '6.00')).toBe(refund('row_1', '6.00'));
  });

  // Each refund of an order would be the first one: "refunds": [] beside the `id` of the order, woocommerce.github.io/woocommerce-rest-api-docs, Order properties
  test.each([
    ['refund', { order: { id: 7, transaction_id: 't' } }],
    ['refund', { data: { order: { id: 7, transaction_id: 't' } } }],
    ['refund', { data: { id: 7, order_id: 7, transaction_id: 't' } }],
    ['dispute_opened', { order: { id: 7, transaction_id: 't' } }],
  ])('%s %j has no id beside that of its order', (type, fields) =>
    expect(read({ type, ...fields }, {})).toMatchObject({ primaryObjectType: 'order', primaryObjectID: '7' }),
  );

  // docs.adyen.com/development-resources/webhooks/webhook-types, `originalReference`: the transaction is the refund's own; each notice may have a further `id`.
  test('beside the payment that it names, the transaction of a refund is its id', () => {
    const data = { id: 'row_1', transaction_id: 't2', original_transaction_id: 't1' };
    expect(read({ type: 'refund', data }, {})).toMatchObject({ primaryObjectID: 't2', transactionID: 't1' });
  });

  test('camel case counts as much as underscores', () =>
    expect(
      read(
        { id: 'e', type: 'payment', eventType: 'payment_completed', transactionId: 't', orderId: 7, order_number: 'N' },
        {},
      ),
    ).toMatchObject({ eventType: 'payment_completed', transactionID: 't', orderReference: { order_id: '7' } }));

  // An `id` at the top may be that of the event, as in the guide "Connect a gateway".
  test('an id beside a transaction at the top is that of no refund', () =>
    expect(read({ type: 'refund', id: 'e', transaction_id: 't' }, {})).toMatchObject({ primaryObjectID: 't' }));

  // github.com/cloudevents/spec/blob/main/cloudevents/formats/json-format.md: `id` and `type` of the event, `data` with what it is about
  test.each([
    [{ id: 'evt_1', data: { id: 'tr_1' } }, 'tr_1'],
    [{ id: 'evt_1', data: { object: { paymentId: 'tr_1' } } }, 'tr_1'],
    [{ id: 'evt_1', data: { txn_id: 'tr_1' } }, 'tr_1'],
    [{ id: 'evt_1', transaction_id: 't', data: { id: 'tr_1' } }, 't'],
    [{ id: 'tr_1', data: { amount: '5.00', reference_id: 'R' } }, 'tr_1'],
    [{ id: 'tr_1', order: { id: '7' } }, 'tr_1'],
  ])('of %j the payment is %s', (payload, transactionID) =>
    expect(read({ type: 'payment_completed', ...payload }, {})).toMatchObject({ transactionID }),
  );

  test('an id beside a payment is that of the payment, where it is one, and the other finds its order later', () =>
    expect(read({ type: 'payment_completed', id: 'evt_1', payment_id: 'tr_1' }, {})).toMatchObject({
      transactionID: 'evt_1',
      orderReference: { transactions: ['evt_1', 'tr_1'] },
    }));

  // github.com/coinbase/coinbase-commerce-woocommerce writes the key of the order beside its id
  test('reads what stands beside a reference and must agree with the order', () => {
    const metadata = { order: '7', order_key: 'wc_order_a', site_url: 'https://other.example' };
    const { references, claims } =
      read({ type: 'paid', id: 'e', a: { meta: metadata } }, { paths })?.orderReference ?? {};
    expect(references).toEqual([{ value: '7', from: '/a/meta/order' }]);
    expect(claims).toEqual({ order_key: 'wc_order_a', site_url: 'https://other.example' });
  });

  test.each([[[]], [['1', '2']], [[{ id: 1, name: 'Cap' }]], [[{ value: '7' }]]])('finds none in %j', (metadata) =>
    expect(read({ type: 'paid', id: 'e', metadata }, {})?.orderReference.references).toBeUndefined(),
  );

  // "refunded_amount" is 0 on an order that was not refunded: docs.lemonsqueezy.com/api/orders/the-order-object
  test.each([
    [{ refunded: 0, total: 29 }, '29.00'],
    [{ refunded: 5, total: 29 }, '5.00'],
    [{ refunded: 0 }, '0.00'],
    [{ refunded: 0, total: 0 }, '0.00'],
  ])('of the amounts %j it is %s', (a, amount) =>
    expect(read({ type: 'paid', id: 'e', a }, { paths, types })).toMatchObject({ amount, amountProblem: null }),
  );

  test('the amount of a refund that has no other id is the sum so far', () => {
    const refunds = { paths: { ...paths, refund: '/a/refunded' }, types: { paid: 'payment_refunded' } } as const;
    const totalIn = (a: Payload) => read({ type: 'paid', id: 'e', a }, refunds)?.isRefundTotal;
    expect([totalIn({ refunded: 5, total: 29 }), totalIn({ total: 29 })]).toEqual([true, undefined]);
    const named = { ...refunds, paths: { ...paths, refund: '/a/id | /a/refunded' } };
    expect(read({ type: 'paid', id: 'e', a: { refunded: 5 } }, named)?.isRefundTotal).toBeUndefined();
  });

  // "A webhook is a request … containing an array of events", developer.gocardless.com/getting-started/staying-up-to-date-with-webhooks
  test('of several events no one name is that of all', () => {
    const several = { paths: { type: '/events/*/type', event: '/events/*/id' } };
    const namesIn = (...ofTypes: string[]) =>
      generic.extractGatewaySpecificMetadata(inputOf({ events: ofTypes.map((type) => ({ type, id: type })) }, several));
    expect(namesIn('failed')).toEqual({ gateway_event_id: 'failed', gateway_event_type: 'failed' });
    expect(namesIn('failed', 'confirmed')).toEqual({});
  });

  // razorpay.com/docs/webhooks/payloads/payments; docs.adyen.com/development-resources/webhooks/webhook-types: `success`
  // docs.adyen.com/development-resources/webhooks/webhook-types: `CAPTURE` follows a payment that is complete already.
  test('a type that a preset leaves out says so; one of a connection without a preset does not', () => {
    const leftOut = (more: object) =>
      read({ type: 'CAPTURE', id: 'e' }, { types: { AUTHORISATION: 'payment_completed' }, ...more })?.isLeftOut;
    expect(leftOut({ preset: 'adyen' })).toBe(true);
    expect(leftOut({})).toBeUndefined();
    const listed = { types: { CAPTURE: 'payment_completed' }, preset: 'adyen' } as const;
    expect(read({ type: 'CAPTURE', id: 'e' }, listed)?.isLeftOut).toBeUndefined();
    // Zapier: its types are those that the user gave to it.
    expect(leftOut({ preset: 'zapier', types: {} })).toBeUndefined();
  });

  // developer.squareup.com/docs/webhooks/v2webhook-events-tech-ref: `terminal.checkout.updated`, `invoice.payment_made`, `data.id`
  test('an event that a preset leaves out and that names nothing but itself waits for no order', () => {
    const square = { preset: 'square', types: { 'payment.updated': 'payment_completed' } } as const;
    const awaited = (payload: Payload, more: Partial<Connection> = square) =>
      read(payload, more)?.orderReference.transaction_id;
    const terminal = { type: 'terminal.checkout.updated', data: { id: 'termapia:1', object: {} } };
    expect(awaited(terminal)).toBeNull();
    expect(awaited(terminal, {})).toBe('termapia:1');
    expect(awaited({ type: 'invoice.payment_made', data: { id: 'inv:0-1' } })).toBeNull();
    expect(awaited({ type: 'payment.updated', data: { id: 'p1' } })).toBe('p1');
    // docs.dodopayments.com/developer-resources/webhooks: `subscription.plan_changed`
    const changed = { type: 'subscription.plan_changed', data: { subscription_id: 'sub_1' } };
    expect(read(changed, square)).toMatchObject({ subscriptionID: 'sub_1', orderReference: { gateway_ids: [] } });
    const named = { ...changed, order_id: '7' };
    expect(read(named, square)).toMatchObject({ orderReference: { gateway_ids: ['sub_1'], order_id: '7' } });
    expect(read(changed, {})?.orderReference.gateway_ids).toEqual(['sub_1']);
  });

  // developer.paddle.com/webhooks/subscriptions/subscription-canceled: `data.id` is the subscription
  test('the id of an event of a subscription is the subscription, and no payment', () => {
    const canceled = { types: { 'subscription.canceled': 'subscription_cancelled' } } as const;
    const event = read({ type: 'subscription.canceled', data: { id: 'sub_1' } }, canceled);
    expect(event).toMatchObject({
      subscriptionID: 'sub_1',
      orderReference: { gateway_ids: ['sub_1'], transaction_id: null },
    });
    const named = read({ type: 'subscription.canceled', data: { id: 'x', subscription_id: 'sub_1' } }, canceled);
    expect(named?.subscriptionID).toBe('sub_1');
    // What was renewed was paid: the id may be that of the payment.
    expect(read({ type: 'subscription_renewed', id: 'pay_1', order_id: '7' }, {})?.subscriptionID).toBeUndefined();
  });

  test('the sender’s own name stays beside what it means, unless it says that it did not happen', () => {
    const types = { 'payment.captured': 'payment_completed', REFUND: 'payment_refunded' } as const;
    const named = (payload: Payload) => {
      const { eventType, sentAs = null } = read({ id: 'e', ...payload }, { types }) ?? {};
      return [eventType, sentAs];
    };
    expect(named({ type: 'payment.captured' })).toEqual(['payment_completed', 'payment.captured']);
    expect(named({ type: 'payment_completed' })).toEqual(['payment_completed', null]);
    expect(named({ type: 'door.Opened' })).toEqual(['door.Opened', null]);
    expect(named({ type: 'REFUND', success: false })).toEqual(['refund_failed', null]);
  });

  test('works within one of several events', () => {
    const starred = { type: '/events/*/type', transaction: '/events/*/links/payment | /events/*/links/id' };
    const events = [
      { type: 'paid', links: { id: 'i1' } },
      { type: 'paid', links: { payment: 'p2', id: 'i2' } },
    ];
    const found = generic.normalize(inputOf({ events }, { paths: starred }));
    expect(found.map(({ transactionID }) => transactionID)).toEqual(['i1', 'p2']);
  });
});

describe('what the sender counts by itself', () => {
  const references = (payload: Payload, connection: Partial<Connection> = {}) =>
    read({ type: 'paid', ...payload }, connection)?.orderReference.references?.map(({ value }) => value) ?? [];

  // paystack.com/docs/api/payment-request: "invoice_number": 3, of a request that no order knows
  test('an invoice is no order where a path says which field names it', () => {
    const data = { id: 'p', invoice_number: 3, invoiceId: 4 };
    expect(references({ data })).toEqual(['4', '3']);
    expect(references({ data }, { paths: { order: '/data/nr' } })).toEqual([]);
    // github.com/api-evangelist/przelewy24/blob/main/json-schema/TransactionRefundResult.json: `orderId` is Przelewy24's, `sessionId` that of the shop
    const beside = { ...data, nr: '7', order_id: '8', reference: '9', order: { id: '10' } };
    expect(references({ data: beside }, { paths: { order: '/data/nr' } })).toEqual(['7']);
    expect(references({ data: { ...beside, metadata: { order_id: '6' } } }, { paths: { order: '/data/nr' } })).toEqual([
      '7',
      '6',
    ]);
  });

  // documenter.getpostman.com/view/7907941/2s93JusNJt (NOWPayments, IPN): `invoice_id` is the sender's, `order_id` that of the shop
  test.each([
    { order: { id: '7' } },
    { order: '7' },
    { data: { order_id: '7' } },
    { data: { order: { number: '7' } } },
  ])('an invoice is no order beside %j', (named) => {
    expect(references({ invoice_id: '3', ...named })).toEqual(['7', '3']);
    expect(references({ invoice_number: '3', reference: '4' })).toEqual(['3', '4']);
  });

  // polar.sh/docs/api-reference/webhooks/order.paid: `invoice_number` and `metadata` beside each other
  test.each(['order_id', 'invoice_id', 'invoice_number', 'reference', 'external_reference', 'client_reference_id'])(
    'what the shop has given counts more than %s',
    (name) => {
      for (const given of [{ metadata: { order_id: '7' } }, { custom_data: '{"order_id": 7}' }])
        expect(references({ [name]: '3', data: { id: 'p', [name]: '4', ...given } })[0]).toBe('7');
    },
  );
});

describe('a type in several parts', () => {
  // developer.paddle.com/webhooks/adjustments/adjustment-created: `action` and `status`
  test.each<[string, Payload, string, string]>([
    ['adjusted', { action: 'refund', status: 'approved' }, 'payment_refunded', 'payment_refunded'],
    ['adjusted', { action: 'refund', status: 'pending' }, 'adjusted.refund.pending', 'custom_event'],
    ['adjusted', { action: 'chargeback', status: 'approved' }, 'adjusted.chargeback.approved', 'dispute_opened'],
    ['paid', {}, 'payment_completed', 'payment_completed'],
    ['paid', { status: 2 }, 'payment_completed', 'payment_completed'],
    ['paid', { status: 'x'.repeat(255) }, 'payment_completed', 'payment_completed'],
    ['noted', {}, 'noted', 'custom_event'],
  ])('%s with %j is %s', (type, a, eventType, genericType) =>
    expect(read({ type, id: 'e', a }, { paths, types })).toMatchObject({ eventType, genericType }),
  );

  test('what the table means by its beginning did not happen where the state is a failure', () => {
    const failed = { type: 'refunded', id: 'e', status: 'failed' };
    const by = { paths: { type: '/type', subtype: '/status' }, types: { refunded: 'payment_refunded' } as const };
    expect(read(failed, by)?.genericType).toBeNull();
  });
});

test('the id of the event is that of no payment', () => {
  expect(read({ type: 'noted', id: 'evt_1' }, { paths, types })).toMatchObject({ transactionID: null });
  expect(read({ type: 'noted', id: 'evt_1', payment_id: 'p' }, { paths, types })).toMatchObject({ transactionID: 'p' });
  expect(read({ type: 'noted', id: 'tx_1' }, { paths: {} })).toMatchObject({ transactionID: 'tx_1' });
});

test('a refund that failed names the refund, as the one that was reported does', () => {
  const a = { payment: 'p', refund: 'r' };
  for (const type of ['adjusted', 'refund.failed'])
    expect(read({ type, id: 'e', a: { ...a, action: 'refund', status: 'approved' } }, { paths, types })).toMatchObject({
      primaryObjectType: 'refund',
      primaryObjectID: 'r',
      transactionID: 'p',
    });
});

// "differs from standard", docs.adyen.com/development-resources/currency-codes
test.each([
  ['CLP', '29'],
  ['IDR', '2900.00'],
  ['ISK', '29'],
  ['EUR', '29.00'],
  ['KWD', '2.900'],
])('2900 minor units of %s are %s where the sender has decimals of its own', (currency, amount) =>
  expect(
    read({ currency, amount: 2900 }, { amount_unit: 'minor', decimals: { CLP: 2, IDR: 0, ISK: 2 } }),
  ).toMatchObject({ amount, currency, amountProblem: null }),
);

// "A positive integer in the smallest currency unit (e.g 100 cents to charge RM 1.00)", without a currency (billplz.com/api)
test('an amount without a currency is in that of its connection; where there is no amount, nothing says a currency', () => {
  const settings = { amount_unit: 'minor', currency: 'MYR' } as const;
  expect(read({ amount: '2900' }, settings)).toMatchObject({ amount: '29.00', currency: 'MYR', amountProblem: null });
  expect(read({ amount: '2900', currency: 'SGD' }, settings)).toMatchObject({ amount: '29.00', currency: 'SGD' });
  expect(read({ amount: '29.00' }, { currency: 'MYR' })).toMatchObject({ amount: '29.00', currency: 'MYR' });
  expect(read({ amount: { value: 2900 } }, settings)).toMatchObject({ amount: '29.00', currency: 'MYR' });
  expect(read({ order_id: 7 }, settings)).toMatchObject({ amount: null, currency: null, amountProblem: null });
});

// "Amount in cents and always having 2 decimals", github.com/Ingenico-ePayments/connect-sdk-nodejs
test.each([
  ['JPY', '29'],
  ['KWD', '29.000'],
  ['IDR', '2900.00'],
])('2900 minor units of %s are %s where the sender has two decimals for all it does not list', (currency, amount) =>
  expect(read({ currency, amount: 2900 }, { amount_unit: 'minor', decimals: { '*': 2, IDR: 0 } })?.amount).toBe(amount),
);
