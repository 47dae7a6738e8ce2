import type { AdapterInput } from '../adapter';
import type { Connection, FieldPaths } from '../connection';
import type { Payload } from '../payload';
import { genericAdapter } from './adapter';

const adapter = genericAdapter({ requireConnection: false, hasConnections: () => false });
const noContext = { connection: null, otherConnections: () => [], withinRate: true, testProof: null };
const inputOf = (
  payload: Record<string, unknown>,
  body = JSON.stringify(payload),
  connection: string | null = null,
  context: AdapterInput['context'] = noContext,
): AdapterInput => ({ connection, headers: {}, body: Buffer.from(body), now: 0, payload, context });
const normalize = (payload: Record<string, unknown>) => {
  const [event] = adapter.normalize(inputOf(payload));
  if (!event) throw new Error('no event');
  return event;
};

const unsigned: Connection = {
  name: 'erp',
  enabled: true,
  auth_method: 'none',
  hmac_header: 'x-signature',
  encoding: 'hex',
  prefix: '',
  amount_unit: 'major',
  reading: { order_reference: 'auto', order_prefix: null },
  secrets: [],
  paths: {},
};

describe('type', () => {
  it.each(['event', 'event_type', 'type', 'action', 'status', 'webhook_event'])('is read from %s', (name) => {
    expect(normalize({ [name]: 'payment_completed' }).eventType).toBe('payment_completed');
  });

  it.each([
    ['success', 'payment_completed'],
    ['approved', 'payment_completed'],
    ['captured', 'payment_completed'],
    ['Captured', 'payment_completed'],
    ['declined', 'payment_failed'],
    ['denied', 'payment_failed'],
    ['rejected', 'payment_failed'],
    ['void', 'payment_cancelled'],
    ['voided', 'payment_cancelled'],
    ['canceled', 'payment_cancelled'],
    ['order_canceled', 'order_cancelled'],
    ['subscription.canceled', 'subscription_cancelled'],
    ['refund', 'payment_refunded'],
    ['fulfilled', 'order_completed'],
    ['payment.completed', 'payment_completed'],
    ['ORDER_COMPLETED', 'order_completed'],
    ['paymentCompleted', 'payment_completed'],
    ['SubscriptionCanceled', 'subscription_cancelled'],
    ['dispute_opened', 'dispute_opened'],
  ])('%s means %s', (type, generic) => {
    expect(normalize({ type })).toMatchObject({ eventType: generic, genericType: generic });
  });

  // `{"status": "success", "data": {…}}` says that the question was answered: github.com/omniti-labs/jsend
  it.each([
    ['failed', 'payment_failed'],
    ['declined', 'payment_failed'],
    ['cancelled', 'payment_cancelled'],
    ['pending', 'custom_event'],
    ['Processing', 'custom_event'],
    ['AUTHORIZED', 'custom_event'],
    ['requires_capture', 'custom_event'],
    ['waiting_for_payment', 'custom_event'],
    ['successful', 'payment_completed'],
    ['paid', 'payment_completed'],
  ])('of an answer around a payment that is %s', (status, generic) => {
    expect(normalize({ status: 'success', data: { status, order_id: 7 } }).genericType).toBe(generic);
    expect(normalize({ status: 'success', data: { state: status, order_id: 7 } }).genericType).toBe(generic);
    expect(normalize({ status: 'success', order: { status, id: 7 } }).genericType).toBe('payment_completed');
  });

  it('is a failure where any state in it is one, but for that of the order', () => {
    const event = { event: 'payment_completed', status: 'ok', data: { state: 'FAILED', order_id: 7 } };
    expect(normalize(event).genericType).toBe('payment_failed');
    expect(normalize({ ...event, data: { order: { state: 'failed', id: 7 } } }).genericType).toBe('payment_completed');
  });

  // raw.githubusercontent.com/api-evangelist/riskified/refs/heads/main/json-schema/riskified-decide-response-approve-schema.json: a fraud check
  it('is no payment where only the order has a verdict', () => {
    const order = { id: '7', status: 'approved', old_status: 'submitted', description: 'Approved' };
    expect(normalize({ order })).toMatchObject({ eventType: 'order_approved', genericType: 'custom_event' });
    expect(normalize({ order: { ...order, status: 'declined' } }).genericType).toBe('custom_event');
    expect(normalize({ status: 'approved', order }).genericType).toBe('payment_completed');
    // An order may also be what a gateway calls its payment.
    expect(normalize({ order: { ...order, transaction_id: 'T1' } }).genericType).toBe('payment_completed');
    expect(normalize({ order, payment_status: 'paid' }).genericType).toBe('payment_completed');
    expect(normalize({ order, charge_id: 'ch_1' }).genericType).toBe('payment_completed');
    expect(normalize({ order: { ...order, status: 'captured' } }).genericType).toBe('payment_completed');
    expect(normalize({ order: { ...order, status: 'cancelled' } }).genericType).toBe('payment_cancelled');
    // What the connection says is believed.
    for (const said of [{ types: { approved: 'payment_completed' } }, { paths: { type: '/order/status' } }] as const) {
      const context = { ...noContext, connection: { ...unsigned, ...said } };
      expect(adapter.normalize(inputOf({ order }, undefined, 'erp', context))[0]?.genericType).toBe(
        'payment_completed',
      );
    }
  });

  // docs.dlocal.com/reference/the-refund-object: a refund has `order_id`, `amount` and `status`, as a payment has
  const ofDlocal = { id: 'REF-1', payment_id: 'D-4-1', order_id: '7', amount: 49, currency: 'BRL' };
  it.each([
    ['SUCCESS', { amount_refunded: 49 }, 'payment_refunded', 'payment_refunded'],
    ['REJECTED', { amount_refunded: 49 }, 'refund_failed', null],
    ['CANCELLED', { amount_refunded: 49 }, 'refund_failed', null],
    ['SUCCESS', { amount_refunded: 0 }, 'payment_completed', 'payment_completed'],
    ['success', { refund_id: 'R1' }, 'payment_refunded', 'payment_refunded'],
    ['success', { refundId: 'NA', refund_amount: '0.0' }, 'payment_completed', 'payment_completed'],
    ['payment_completed', { refund_id: 'R1' }, 'payment_completed', 'payment_completed'],
    ['PaymentCompleted', { refund_id: 'R1' }, 'payment_completed', 'payment_completed'],
  ])('%s beside a refund, %j: %s', (status, more, eventType, genericType) => {
    expect(normalize({ ...ofDlocal, status, ...more })).toMatchObject({ eventType, genericType });
  });

  // docs.iyzico.com/en/advanced/webhook: `status` is SUCCESS of each of them, `iyziEventType` "shows the request type"
  const ofIyzico = { paymentConversationId: '7', paymentId: 'P1', status: 'SUCCESS', order_id: 7 };
  it.each([
    [{ iyziEventType: 'CHECKOUT_FORM_AUTH' }, 'payment_completed'],
    [{ iyziEventType: 'CONTACTLESS_REFUND' }, 'payment_refunded'],
    [{ iyziEventType: 'REFUND_RETRY_SUCCESS' }, 'payment_refunded'],
    [{ iyziEventType: 'REFUND_RETRY_FAILURE', status: 'FAILURE' }, 'custom_event'],
    [{ data: { type: 'refund', amount: 9 } }, 'payment_refunded'],
    [{ data: { event: 'refund.processed' } }, 'payment_refunded'],
    [{ object: 'payout' }, 'custom_event'],
    [{ operation: 'void' }, 'payment_cancelled'],
    [{ data: { action: 'chargeback' } }, 'custom_event'],
    [{ product_type: 'non-refundable', payment_type: 'credit' }, 'payment_completed'],
    [{ product_type: 'refund_protection' }, 'payment_completed'],
    [{ fare_type: 'NO_REFUND' }, 'payment_completed'],
    [{ cancellation_type: 'FULL_REFUND' }, 'payment_completed'],
    [{ data: { ticket_type: 'without refund' } }, 'payment_completed'],
    [{ productType: 'refund_insurance' }, 'payment_completed'],
    [{ transaction_type: 'FULL_REFUND' }, 'payment_refunded'],
    [{ data: { paid: false } }, 'custom_event'],
    [{ captured: 'false' }, 'custom_event'],
    [{ data: { paid: true } }, 'payment_completed'],
  ])('SUCCESS beside a kind: %j is %s', (more, generic) => {
    expect(normalize({ ...ofIyzico, ...more }).genericType).toBe(generic);
  });

  it('of a refund is one, though the connection lists the state beside it', () => {
    const context = {
      ...noContext,
      connection: { ...unsigned, types: { SUCCESS: 'payment_completed' } } as Connection,
    };
    const read = (iyziEventType: string) =>
      adapter.normalize(inputOf({ ...ofIyzico, iyziEventType }, undefined, 'iyzico', context))[0]?.genericType;
    expect(read('CONTACTLESS_REFUND')).toBe('payment_refunded');
    expect(read('API_AUTH')).toBe('payment_completed');
  });

  // docs.dlocal.com/reference/the-refund-object: `PENDING`, `SUCCESS`, `REJECTED`, as a payment has
  it.each(['payment_created', 'payment_pending', 'payment_processing'] as const)(
    'of a refund that is not made yet is no %s',
    (meaning) => {
      const context = { ...noContext, connection: { ...unsigned, types: { PENDING: meaning } } as Connection };
      const read = (more: object) =>
        adapter.normalize(
          inputOf({ status: 'PENDING', order_id: 7, payment_id: 'P1', ...more }, undefined, 'dlocal', context),
        )[0];
      expect(read({ refund_id: 'REF1' })).toMatchObject({
        ...{ eventType: 'refund_pending', genericType: null, transactionID: 'P1' },
        ...{ primaryObjectType: 'refund', primaryObjectID: 'REF1' },
      });
      expect(read({ object: 'refund' })?.genericType).toBeNull();
      expect(read({})?.genericType).toBe(meaning);
    },
  );

  // github.com/omniti-labs/jsend: `data` is what was asked for
  it.each([
    [{ data: { transaction: { status: 'pending' } } }, 'custom_event'],
    [{ data: { payment: { status: 'failed' } } }, 'payment_failed'],
    [{ charge: { state: 'expired' } }, 'custom_event'],
    [{ data: { transaction: { status: 'success' } } }, 'payment_completed'],
  ])('of an answer is that of the payment in it: %j', (more, generic) => {
    expect(normalize({ status: 'success', order_id: 7, ...more }).genericType).toBe(generic);
  });

  // docs.robokassa.ru/pay-interface: ResultURL has `OutSum`, `InvId` and a signature, and is asked when an order is paid
  it('of an event without a type is what the connection says of a custom event', () => {
    const read = (payload: Record<string, unknown>, meaning = 'payment_completed') => {
      const paths = { order: '/InvId', amount: '/OutSum', success: '/ok' };
      const connection = { ...unsigned, paths, types: { custom_event: meaning } } as Connection;
      return adapter.normalize(inputOf(payload, undefined, 'robokassa', { ...noContext, connection }))[0];
    };
    const robokassa = { InvId: '7', OutSum: '500', SignatureValue: '4a82' };
    expect(read(robokassa)).toMatchObject({ genericType: 'payment_completed', amount: '500.00', primaryObjectID: '7' });
    expect(read({ ...robokassa, ok: false })?.genericType).toBe('payment_failed');
    expect(read({ ...robokassa, ok: false }, 'payment_refunded')?.genericType).toBeNull();
    expect(read({ ...robokassa, ok: false }, 'order_updated')?.genericType).toBe('order_updated');
    expect(read({ ...robokassa, event: 'ping' })?.genericType).toBe('custom_event');
    // By whatever name it says that nothing was paid.
    expect(read({ ...robokassa, payment_status: 'pending' })?.genericType).toBe('custom_event');
    expect(read({ ...robokassa, result: 'DECLINED' })?.genericType).toBe('payment_failed');
    expect(read({ ...robokassa, state: 'paid' })?.genericType).toBe('payment_completed');
    // docs.cielo.com.br/ecommerce-cielo-en/docs/notification-post writes its names so: `PaymentId`, `ChangeType`.
    expect(read({ ...robokassa, Status: 'FAILED' })?.genericType).toBe('payment_failed');
    expect(read({ ...robokassa, PAYMENT_STATUS: 'PENDING' })?.genericType).toBe('custom_event');
    expect(read({ ...robokassa, PaymentStatus: 'Paid', ShippingStatus: 'open' })?.genericType).toBe(
      'payment_completed',
    );
    expect(read({ ...robokassa, payment: { status: 'failed' } })?.genericType).toBe('payment_failed');
    expect(read({ ...robokassa, data: { transaction: { State: 'Pending' } } })?.genericType).toBe('custom_event');
    expect(read({ ...robokassa, customer: { status: 'new' } })?.genericType).toBe('payment_completed');
    expect(read({ ...robokassa, state: 'refunded' }, 'payment_refunded')?.genericType).toBe('payment_refunded');
    expect(read({ ...robokassa, refund_id: 'R1' })?.genericType).toBe('payment_refunded');
    expect(read(robokassa, 'no_order')?.orderReference.order_id).toBeNull();
    expect(normalize(robokassa)).toMatchObject({ eventType: 'custom_event', genericType: 'custom_event' });
  });

  // `custom_event` is what the console suggests first for senders whose state has a name that is none of a type.
  it.each([
    // CCAvenue
    [{ order_status: 'Success' }, 'payment_completed'],
    [{ order_status: 'Aborted' }, 'custom_event'],
    [{ order_status: 'Failure' }, 'payment_failed'],
    // Tpay `tr_status`; developer.aliyun.com/article/707619: `trade_status`
    [{ tr_status: 'TRUE' }, 'payment_completed'],
    [{ tr_status: 'CHARGEBACK' }, 'custom_event'],
    [{ trade_status: 'TRADE_SUCCESS' }, 'payment_completed'],
    [{ trade_status: 'WAIT_BUYER_PAY' }, 'custom_event'],
    // docs.midtrans.com/docs/transaction-status-cycle
    [{ transaction_status: 'settlement', fraud_status: 'accept' }, 'payment_completed'],
    [{ transaction_status: 'capture', fraud_status: 'challenge' }, 'custom_event'],
    [{ transaction_status: 'deny', status_code: '202' }, 'custom_event'],
    [{ transaction_status: 'expire' }, 'custom_event'],
    // api-evangelist/now-payments: json-schema/payment.json
    [{ payment_status: 'finished' }, 'payment_completed'],
    [{ payment_status: 'partially_paid' }, 'custom_event'],
    [{ payment_status: 'waiting' }, 'custom_event'],
    // A code is not known until the connection lists it: iPay88 `Status`, 2C2P `respCode`.
    [{ Status: '0' }, 'custom_event'],
    [{ Status: 1 }, 'custom_event'],
    [{ respCode: '0000' }, 'custom_event'],
    [{ Data: { TransactionStatus: 'FAILED' } }, 'payment_failed'],
    [{ tran_type: 'reverse' }, 'custom_event'],
    [{ state: 'Delhi' }, 'payment_completed'],
  ])('without a type and with %j is %s where custom events are payments', (more, generic) => {
    const connection = { ...unsigned, types: { custom_event: 'payment_completed' } } as Connection;
    const input = inputOf({ order_id: 7, amount: 49, ...more }, undefined, 'one', { ...noContext, connection });
    expect(adapter.normalize(input)[0]?.genericType).toBe(generic);
  });

  it('of an event without a type is its code, which the connection may list', () => {
    const types = { custom_event: 'payment_completed', '1': 'payment_completed', '0': 'payment_failed' };
    const context = { ...noContext, connection: { ...unsigned, types } as Connection };
    const read = (Status: string) =>
      adapter.normalize(inputOf({ order_id: 7, Status }, undefined, 'ipay88', context))[0]?.genericType;
    expect(['1', '0', '6'].map(read)).toEqual(['payment_completed', 'payment_failed', 'custom_event']);
  });

  it('that the connection lists is none of a payment beside the kind of something else, or a payment that failed', () => {
    const types = { paid: 'payment_completed', 'transaction.updated': 'payment_completed' };
    const read = (payload: object, paths = {}) => {
      const context = { ...noContext, connection: { ...unsigned, types, paths } as Connection };
      return adapter.normalize(inputOf({ order_id: 7, ...payload }, undefined, 'one', context))[0]?.genericType;
    };
    // doc.cryptomus.com/merchant-api/payouts/webhook: `type` is payout, `status` is that of the payout
    expect(read({ type: 'payment', status: 'paid' }, { type: '/status' })).toBe('payment_completed');
    expect(read({ type: 'payout', status: 'paid' }, { type: '/status' })).toBe('custom_event');
    // Wompi: the transaction is in `data`
    const ofWompi = (status: string) => ({ event: 'transaction.updated', data: { transaction: { status } } });
    expect(read(ofWompi('APPROVED'))).toBe('payment_completed');
    expect(read(ofWompi('DECLINED'))).toBe('payment_failed');
  });

  // docs.akurateco.com/docs/guides/checkout/callbacks: "status=success does not always mean the payment is final"
  it('success is that of an order by `order_status` too', () => {
    const read = (order_status: string) =>
      normalize({ status: 'success', order_number: '7', order_status }).genericType;
    expect(['pending', 'settled', 'processing'].map(read)).toEqual([
      'custom_event',
      'payment_completed',
      'payment_completed',
    ]);
  });

  // docs.midtrans.com/docs/transaction-status-cycle, `partial_refund`: `gross_amount` stays that of the payment
  it('of a refund has its `refund_amount`, not what is at the place of the amount', () => {
    const connection = {
      ...unsigned,
      paths: { type: '/transaction_status', amount: '/gross_amount' },
      types: { partial_refund: 'payment_refunded' },
    } as Connection;
    const payload = {
      transaction_status: 'partial_refund',
      order_id: '7',
      gross_amount: '49.00',
      refund_amount: '10.00',
    };
    const [event] = adapter.normalize(inputOf(payload, undefined, 'midtrans', { ...noContext, connection }));
    expect(event).toMatchObject({ genericType: 'payment_refunded', amount: '10.00' });
  });

  // KOMOJU sends the payment with a refund: its `amount`, and `amount_refunded`, the sum of its refunds (docs.komoju.com/ja/api/resources/payments)
  it('of a refund in a payment is the sum of its refunds so far', () => {
    const data = { id: 'pay_1', amount: 1000, currency: 'JPY', external_order_num: '7', amount_refunded: 300 };
    const read = (more: object, type = 'payment.refunded') => normalize({ type, data: { ...data, ...more } });
    expect(read({})).toMatchObject({ amount: '300', isRefundTotal: true, transactionID: 'pay_1' });
    expect(read({ amount_refunded: 1000 })).toMatchObject({ amount: '1000', isRefundTotal: true });
    // A refund that is named has an amount of its own.
    for (const [more, amount] of [
      [{ refund_id: 'R1' }, '1000'],
      [{ refund_amount: 200 }, '200'],
      [{ payment_id: 'pay_0' }, '1000'],
      [{ amount_refunded: 0 }, '1000'],
    ] as const) {
      expect(read(more).amount).toBe(amount);
      expect(read(more).isRefundTotal).toBeUndefined();
    }
    expect(read({}, 'payment_completed').amount).toBe('1000');
  });

  // developers.payu.com/europe/docs/payment-flows/refunds: `orderId` is the payment, and the refund an object beside it
  it('of a refund is that of the object `refund`', () => {
    const refund = { refundId: '912128', amount: '155.16', currencyCode: 'PLN', status: 'FINALIZED' };
    const payu = { orderId: 'ZXWZ53', extOrderId: '7', refund };
    const connection = { ...unsigned, paths: { type: '/refund/status' }, types: { FINALIZED: 'payment_refunded' } };
    const read = adapter.normalize(inputOf(payu, undefined, 'payu', { ...noContext, connection } as never))[0];
    expect(read).toMatchObject({ genericType: 'payment_refunded', amount: '155.16' });
    // The order has the same words for its states.
    const types = { COMPLETED: 'payment_completed', CANCELED: 'payment_cancelled' };
    const both = {
      ...connection,
      types,
      paths: { type: '/refund/status | /order/status', refund: '/refund/refundId' },
    };
    const ofBoth = (payload: object) =>
      adapter.normalize(inputOf({ ...payload }, undefined, 'payu', { ...noContext, connection: both } as never))[0];
    const ofRefund = (status: string) => ofBoth({ ...payu, refund: { ...refund, status } });
    const itself = { primaryObjectType: 'refund', primaryObjectID: '912128' };
    expect(ofRefund('CANCELED')).toMatchObject({ eventType: 'refund_failed', genericType: null, ...itself });
    expect(ofRefund('COMPLETED')).toMatchObject({ genericType: 'payment_refunded', ...itself });
    expect(ofBoth({ order: { status: 'CANCELED' } })?.genericType).toBe('payment_cancelled');
    expect(read?.isRefundTotal).toBeUndefined();
    const data = { id: 'pay_1', amount: '29.00', refund: { id: 'rf_1', amount: { value: '9.00', currency: 'EUR' } } };
    expect(normalize({ event: 'payment.refunded', data })).toMatchObject({ amount: '9.00', currency: 'EUR' });
    expect(normalize({ event: 'payment.completed', data }).amount).toBe('29.00');
    expect(normalize({ status: 'success', data })).toMatchObject({ genericType: 'payment_completed', amount: '29.00' });
    // docs.antom.com/ac/ams/notify_refund
    const antom = { refundId: 'R-1', refundAmount: { value: '9.00', currency: 'EUR' }, amount: '29.00' };
    expect(normalize({ event: 'refund', ...antom })).toMatchObject({ amount: '9.00', currency: 'EUR' });
  });

  // raw.githubusercontent.com/api-evangelist/nuvei/refs/heads/main/json-schema/nuvei-transaction-schema.json
  it.each([
    [{ transactionStatus: 'APPROVED', transactionType: 'Sale' }, 'payment_completed'],
    [{ transactionStatus: 'APPROVED', transactionType: 'Settle' }, 'payment_completed'],
    [{ transactionStatus: 'DECLINED', transactionType: 'Sale' }, 'payment_failed'],
    [{ transactionStatus: 'PENDING', transactionType: 'Sale' }, 'custom_event'],
    [{ transactionStatus: 'REDIRECT', transactionType: 'Sale' }, 'custom_event'],
    [{ transactionStatus: 'APPROVED', transactionType: 'Auth' }, 'custom_event'],
    [{ transactionStatus: 'APPROVED', transactionType: 'InitAuth3D' }, 'custom_event'],
    [{ transactionStatus: 'APPROVED', transactionType: 'Void' }, 'payment_cancelled'],
    [{ transactionStatus: 'APPROVED', transactionType: 'Credit' }, 'custom_event'],
    [{ transaction_type: 'refund' }, 'payment_refunded'],
    // PayPal's orders: `intent` CAPTURE or AUTHORIZE (developer.paypal.com/docs/api/orders/v2).
    [{ intent: 'AUTHORIZE' }, 'custom_event'],
    [{ intent: 'CAPTURE' }, 'payment_completed'],
    [{ intent: 'AUTHORIZE', payment_status: 'captured' }, 'payment_completed'],
    [{ result: 'DECLINED' }, 'payment_failed'],
    [{ result: 'OK' }, 'payment_completed'],
    [{ data: { payment_status: 'failed' } }, 'payment_failed'],
    // developers.mercadopago.com: `captured` of a payment
    [{ captured: false }, 'custom_event'],
    // developer.authorize.net/api/reference: `authCaptureTransaction` is a payment, `authOnlyTransaction` is not
    [{ transactionType: 'authCaptureTransaction' }, 'payment_completed'],
    [{ transaction_type: 'AUTH_CAPTURE' }, 'payment_completed'],
    [{ transactionType: 'authOnlyTransaction' }, 'custom_event'],
    // developers.maya.ph/changelog/added-notification-event-for-checkout_success-webhook: `paymentStatus`
    [{ paymentStatus: 'PAYMENT_SUCCESS' }, 'payment_completed'],
    [{ transaction_status: 'capture' }, 'payment_completed'],
    [{ transaction_status: '00' }, 'payment_completed'],
    [{ payment_status: 'S' }, 'payment_completed'],
    [{ captured: true }, 'payment_completed'],
  ])('of an answer that succeeded, about %j: %s', (about, genericType) => {
    expect(normalize({ status: 'SUCCESS', order_id: 7, amount: '49.00', ...about }).genericType).toBe(genericType);
    for (const event of ['payment_completed', 'paymentCompleted'])
      expect(normalize({ event, order_id: 7, ...about }).genericType).toBe('payment_completed');
  });

  it('of a refund has the amount of the refund where that of the payment stands beside it', () => {
    const refund = { txnid: '7', refund_id: 'R1', amount: '49.00', refund_amount: '10.00' };
    expect(normalize({ ...refund, status: 'success' }).amount).toBe('10.00');
    expect(normalize({ ...refund, event: 'refund' }).amount).toBe('10.00');
  });

  // developer.phonepe.com/category/v2/dynamic-qr-code-integration-1-v2/dynamic-qr-apis-dynamic-qr-code-integration-1-v2/server-to-server-callback-3 (`success`, `code`)
  it('is a failure that the sender says did not succeed', () => {
    const types = { PAYMENT_ERROR: 'payment_failed' } as const;
    const connection = { ...unsigned, paths: { type: '/code' }, types };
    const payload = { code: 'PAYMENT_ERROR', success: false, order_id: 7 };
    const [event] = adapter.normalize(inputOf(payload, undefined, 'erp', { ...noContext, connection }));
    expect(event).toMatchObject({ eventType: 'payment_failed', genericType: 'payment_failed' });
  });

  // "EventTypeId": 1796, developer.viva.com/webhooks-for-payments
  it('is a number where the connection says so', () => {
    const types = { '1796': 'payment_completed' } as const;
    const connection = { ...unsigned, paths: { type: '/EventTypeId' }, types };
    const payload = { EventTypeId: 1796, EventData: { Amount: 49 } };
    const [event] = adapter.normalize(inputOf(payload, undefined, 'erp', { ...noContext, connection }));
    expect(event).toMatchObject({ eventType: 'payment_completed', sentAs: '1796' });
    expect(normalize({ type: 1796 })).toMatchObject({ eventType: 'custom_event' });
  });

  // "paid": false, billplz.com/api (callback)
  it.each([true, false])('is %s where the connection says so', (paid) => {
    const types = { true: 'payment_completed', false: 'payment_failed' } as const;
    const connection = { ...unsigned, paths: { type: '/paid' }, types };
    const [event] = adapter.normalize(inputOf({ paid }, undefined, 'erp', { ...noContext, connection }));
    expect(event?.genericType).toBe(types[`${paid}`]);
  });

  it.each(['invoice.created', 'Ship It!', 'constructor', '__proto__', 'ビル'])('%s passes unchanged', (type) => {
    expect(normalize({ type })).toMatchObject({ eventType: type, genericType: 'custom_event' });
    expect(adapter.mapEventType(type)).toBe('custom_event');
  });

  it.each([{}, { type: '' }, { type: ' ' }, { type: 7 }, { type: { $ne: '' } }, { type: 'x'.repeat(300) }])(
    '%j is a custom event',
    (payload) => {
      expect(normalize(payload)).toMatchObject({ eventType: 'custom_event', genericType: 'custom_event' });
    },
  );

  it('has the 12 ids of the specification', () => {
    expect(adapter.getSupportedEventTypes()).toHaveLength(12);
    for (const id of adapter.getSupportedEventTypes()) expect(adapter.mapEventType(id)).toBe(id);
  });
});

describe('names', () => {
  it.each(['order_id', 'order_number', 'invoice_id', 'invoice_number', 'reference', 'external_reference'])(
    'the order is read from %s',
    (name) => {
      expect(normalize({ [name]: 1001 }).orderReference.order_id).toBe('1001');
    },
  );

  it.each(['transaction_id', 'txn_id', 'id', 'payment_id', 'charge_id', 'reference_id', 'external_id'])(
    'the transaction is read from %s',
    (name) => {
      expect(normalize({ [name]: 'tx-1' }).transactionID).toBe('tx-1');
      expect(adapter.extractTransactionId({ [name]: 'tx-1' })).toBe('tx-1');
    },
  );

  it('the id of an object `order` is that of the order, not of a transaction', () => {
    for (const payload of [{ order: { id: 31001 } }, { data: { order: { id: 31001, total: '29.00' } } }])
      expect(normalize({ event: 'payment_completed', ...payload })).toMatchObject({
        transactionID: null,
        orderReference: { order_id: '31001', transaction_id: null },
      });
    expect(normalize({ id: 'tx-1', order: { id: 31001 } })).toMatchObject({
      transactionID: 'tx-1',
      orderReference: { order_id: '31001' },
    });
  });

  it.each(['amount', 'total', 'value', 'price', 'sum', 'gross', 'net'])('the amount is read from %s', (name) => {
    expect(normalize({ [name]: '49.00', currency: 'eur' })).toMatchObject({ amount: '49.00', currency: 'EUR' });
  });

  it('takes the earlier name, and an empty one for none', () => {
    expect(normalize({ order_number: 'B', order_id: 'A' }).orderReference.order_id).toBe('A');
    expect(
      normalize({ order_id: '', order_number: null, reference: ' ', invoice_id: 'C' }).orderReference.order_id,
    ).toBe('C');
    expect(normalize({ order_id: { $gt: '' }, order_number: ['x'], invoice_id: 'C' }).orderReference.order_id).toBe(
      'C',
    );
    expect(normalize({ order_id: 0 }).orderReference.order_id).toBe('0');
  });

  it.each(['data', 'payload', 'object', 'resource', 'order'])('%s is looked into, after the top level', (container) => {
    const inner = { event: 'refund', order_id: 5, transaction_id: 't', amount: 3, currency: 'usd' };
    expect(normalize({ [container]: inner })).toMatchObject({
      eventType: 'payment_refunded',
      transactionID: 't',
      amount: '3.00',
      currency: 'USD',
      orderReference: { order_id: '5', gateway_ids: [] },
    });
    expect(normalize({ order_number: 9, [container]: inner }).orderReference.order_id).toBe('9');
  });

  it('looks into containers in order, then into containers of containers', () => {
    expect(normalize({ order: { order_id: 2 }, data: { order_id: 1 } }).orderReference.order_id).toBe('1');
    expect(normalize({ data: { object: { order_id: 3 } } }).orderReference.order_id).toBe('3');
    expect(normalize({ data: { object: { order_id: 3 } }, order: { order_id: 2 } }).orderReference.order_id).toBe('2');
  });

  it.each(['themes/publish', 'team_member.created', 'deposit.settled'])('the id of %s is not waited for', (type) => {
    expect(normalize({ type, id: 'x1' })).toMatchObject({
      transactionID: 'x1',
      orderReference: { gateway_ids: [], order_id: null, transaction_id: null, transactions: ['x1'] },
    });
    expect(normalize({ type, id: 'x1', order_id: 7 }).orderReference.order_id).toBe('7');
    expect(normalize({ type, id: 'x1', transaction_id: 't1' }).orderReference.transaction_id).toBe('t1');
  });

  it.each(['custom_event', 'shipped', 'charge.flagged', 'order.packed', 'transaction.settled', 'checkout.done'])(
    'the id of %s is waited for',
    (type) => {
      expect(normalize({ type, id: 'x1' }).orderReference.transaction_id).toBe('x1');
    },
  );

  it('takes an order that is only named by itself', () => {
    expect(normalize({ order: 1001 }).orderReference.order_id).toBe('1001');
    expect(normalize({ order: { id: 1002 } }).orderReference.order_id).toBe('1002');
  });
});

describe('amounts', () => {
  it.each([
    [49, 'EUR', '49.00'],
    [49.5, 'EUR', '49.50'],
    // The point may separate thousands: the order tells.
    ['49.990', 'EUR', '49.990'],
    ['150.000', 'CLP', '150.000'],
    ['150.000', undefined, '150.000'],
    ['1500.000', 'EUR', '1500.00'],
    ['49.999', 'EUR', '49.999'],
    [0.1, 'EUR', '0.10'],
    [1050, 'JPY', '1050'],
    ['1.5', 'KWD', '1.500'],
    ['12345678901234567890', 'EUR', '12345678901234567890.00'],
    [7, undefined, '7.00'],
    [undefined, 'EUR', null],
    ['', ' ', null],
    [null, null, null],
  ])('%j in %s is %s', (amount, currency, text) => {
    expect(normalize({ amount, currency })).toMatchObject({ amount: text, amountProblem: null });
  });

  it.each([
    ['1,00', 'EUR', 'The amount "1,00" is not a plain decimal number.'],
    ['$1.00', 'USD', 'The amount "$1.00" is not a plain decimal number.'],
    ['1e2', 'EUR', 'The amount "1e2" is not a plain decimal number.'],
    [1e21, 'EUR', 'The amount 1e+21 is not a plain decimal number.'],
    [{}, 'EUR', 'The amount that is an object is not a plain decimal number.'],
    [{ nothing: 1 }, 'EUR', 'The amount that is an object is not a plain decimal number.'],
    [{ value: '1,00', currency: 'EUR' }, undefined, 'The amount "1,00" is not a plain decimal number.'],
    [['49.00'], 'EUR', 'The amount that is a list is not a plain decimal number.'],
    ['4242424242424242.1.1', 'EUR', 'The amount of 22 characters is not a plain decimal number.'],
    ['49.00', 'u$d', 'The currency "u$d" is not the code of a currency.'],
    ['49.00', {}, 'The currency that is an object is not the code of a currency.'],
    [{ value: '49.00', currency: 'the euro' }, 'EUR', 'The currency "the euro" is not the code of a currency.'],
    [undefined, 'the euro', 'The currency "the euro" is not the code of a currency.'],
  ])('%j in %j cannot be read', (amount, currency, amountProblem) => {
    expect(normalize({ amount, currency })).toMatchObject({ amount: null, amountProblem });
  });

  it('are not taken from another field when the first one cannot be read', () => {
    expect(normalize({ amount: '1,00', total: '49.00' }).amountProblem).not.toBeNull();
    expect(normalize({ amount: '', total: '49.00' })).toMatchObject({ amount: '49.00', amountProblem: null });
  });

  // decisions.md section 12, "Money units": `amount_unit: major | minor` of a connection; a test is a payment of the whole order.
  it.each([
    ['40.00', 'EUR', 'major', {}],
    ['40.00', 'EUR', 'minor', {}],
    ['12800', 'JPY', 'minor', {}],
    ['17.375', 'KWD', 'minor', {}],
    // A sender that counts ISK in hundredths.
    ['1500', 'ISK', 'minor', { ISK: 2 }],
  ] as const)(
    'of a test are those of the order: %s %s for a sender that writes %s units',
    (total, currency, amount_unit, decimals) => {
      const context = { ...noContext, connection: { ...unsigned, amount_unit, decimals } };
      const order = { id: '42', total, currency, transaction: 'test1' };
      const sample = adapter.sample?.('payment_completed', order, 0, context);
      const text = String(sample?.body);
      const [event] = adapter.normalize(inputOf(JSON.parse(text), text, 'shop', context));
      expect(event).toMatchObject({ amount: total, currency, amountProblem: null });
    },
  );

  it('may be objects with a currency of their own', () => {
    expect(normalize({ amount: { value: '10.00', currency: 'usd' } })).toMatchObject({
      amount: '10.00',
      currency: 'USD',
    });
    expect(normalize({ amount: { total: 5, currency: 'JPY' }, currency: 'EUR' })).toMatchObject({
      amount: '5',
      currency: 'JPY',
    });
  });
});

describe('any JSON', () => {
  it.each(['[{"order_id": 1}]', '"text"', '17', 'null', 'true'])('%s is an event that names nothing', (text) => {
    const body = Buffer.from(text);
    const raw = { connection: null, headers: {}, body, now: 0 };
    const { payload, refusal } = adapter.parse?.(raw) ?? {};
    expect(refusal).toBeUndefined();
    const input = { ...raw, context: noContext, payload: payload as Payload };
    expect(adapter.normalize(input)).toMatchObject([
      { eventType: 'custom_event', orderReference: { gateway_ids: [], order_id: null, transaction_id: null } },
    ]);
    expect(adapter.computeIdempotencyKey(input)).toMatch(/^generic@/);
  });
});

// RFC 8259, section 8.1: JSON between systems is UTF-8. A sender that writes names in Latin-1 does not send it again after our 200.
describe('JSON in Latin-1', () => {
  const read = (body: Buffer) => adapter.parse?.({ connection: null, headers: {}, body, now: 0 });

  it('is read: its ids and amounts are ASCII', () => {
    const sent = { type: 'payment_completed', order_id: 17, amount: '29.00', name: 'Zoë Müller' };
    expect(read(Buffer.from(JSON.stringify(sent), 'latin1'))?.payload).toEqual(sent);
  });

  it('is refused where it is no JSON either', () => {
    expect(read(Buffer.from([0xc3, 0x28]))?.refusal?.code).toBe('invalid_utf8');
  });
});

describe('a form', () => {
  const form = { 'content-type': ['application/x-www-form-urlencoded; charset=utf-8'] };
  const read = (text: string, headers: AdapterInput['headers'] = form) =>
    adapter.parse?.({ connection: null, headers, body: Buffer.from(text), now: 0 });
  // https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks: "as a form parameter called payload"
  const packed = `payload=${encodeURIComponent('{"type":"payment_completed","order_id":17}')}`;

  it.each([
    ['event_type=payment_completed&order_id=17&amount=29.00&currency=eur&note=a+%26+b', '17', '29.00'],
    [packed, '17', null],
    // https://www.php.net/manual/function.http-build-query.php, docs.maxio.com (Advanced Billing, "Webhooks"): `payload[subscription][id]`
    ['type=payment_completed&data%5Border_id%5D=17&data[amount][value]=29&data[__proto__][order_id]=18', '17', '29.00'],
    // curl -d says that it sends a form
    ['{"type":"payment_completed","order_id":"17"}', '17', null],
  ])('%s is the payment of an order', (text, order_id, amount) => {
    const { payload = {} } = read(text) ?? {};
    expect(normalize(payload)).toMatchObject({
      genericType: 'payment_completed',
      amount,
      orderReference: { order_id },
    });
  });

  // https://www.php.net/manual/en/faq.html.php ("How do I create arrays in a HTML <form>?"): `items[]` comes once for each item.
  it('may have a list, whose field comes more than once, and objects, which a path finds', () => {
    const { payload = {} } = read('type=payment_completed&order_id=17&sku%5B%5D=a&sku%5B%5D=b&data%5Btx%5D=t1') ?? {};
    expect(normalize(payload).orderReference.order_id).toBe('17');
    const context = { ...noContext, connection: { ...unsigned, paths: { transaction: '/data[tx]' } } };
    expect(adapter.normalize(inputOf(payload, '', 'erp', context))[0]?.transactionID).toBe('t1');
  });

  it('with a field twice is refused; what has no field, or does not say that it is a form, must be JSON', () => {
    expect(read('nothing of the kind')?.refusal?.code).toBe('malformed_json');
    expect(read('order_id=17&order_id=18')?.refusal?.code).toBe('repeated_field');
    expect(read('order_id=17', {})?.refusal?.code).toBe('malformed_json');
  });
});

describe('time', () => {
  it.each([
    ['2026-01-15T10:00:00Z', '2026-01-15T10:00:00.000Z'],
    ['2026-01-15T12:00:00+02:00', '2026-01-15T10:00:00.000Z'],
    [1_760_000_000, '2025-10-09T08:53:20.000Z'],
    [1_760_000_000_000, '2025-10-09T08:53:20.000Z'],
    ['1760000000', '2025-10-09T08:53:20.000Z'],
    ['1760000000000', '2025-10-09T08:53:20.000Z'],
    // A blank for the `T`: rfc-editor.org/rfc/rfc3339#section-5.6; zones as PostgreSQL and Ruby write them
    ['2026-01-15 12:00:00.675645+02', '2026-01-15T10:00:00.675Z'],
    ['2026-01-15 18:00:00 +0800', '2026-01-15T10:00:00.000Z'],
    ['2026-01-15 10:00:00 UTC', '2026-01-15T10:00:00.000Z'],
    ['2026-01-15t10:00:00z', '2026-01-15T10:00:00.000Z'],
    ['2026-01-15 10:00:00', null],
    ['20251009', null],
    ['yesterday', null],
    ['2026-13-45T99:00:00Z', null],
    ['2026-01-15', null],
    [1e300, null],
  ])('%j is %s', (created_at, text) => {
    expect(normalize({ created_at }).occurredAt).toBe(text);
  });
});

describe('the idempotency key', () => {
  const keyOf = (payload: Record<string, unknown>, body?: string, connection?: string) =>
    adapter.computeIdempotencyKey(inputOf(payload, body, connection));

  it('tells two events apart that differ in their id alone', () => {
    const payload = { type: 'payment_completed', transaction_id: 't1', order_id: 1, amount: '5.00' };
    expect(keyOf({ ...payload, id: 'a' })).not.toBe(keyOf({ ...payload, id: 'b' }));
    expect(keyOf({ ...payload, id: 'a' })).toBe(keyOf({ ...payload, id: 'a', sent_at: 1 }));
  });

  it('is the same for a copy that only differs in what says nothing', () => {
    const payload = { type: 'payment_completed', transaction_id: 't1', order_id: 1, amount: '5.00' };
    expect(keyOf({ ...payload, sent_at: 1 })).toBe(keyOf({ sent_at: 2, ...payload, amount: 5 }));
  });

  it('tells apart stages and parts of one payment', () => {
    const payment = { transaction_id: 't1', order_id: 1, amount: 5 };
    const keys = [
      { ...payment, type: 'payment_pending' },
      { ...payment, type: 'payment_completed' },
      { ...payment, type: 'payment_refunded', amount: 2 },
      { ...payment, type: 'payment_refunded', amount: 3 },
      { ...payment, type: 'payment_refunded', amount: 3, order_id: 2 },
    ].map((payload) => keyOf(payload));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is the event's own id where it has one", () => {
    expect(keyOf({ event_id: 'e1', type: 'a', id: 1 })).toBe(keyOf({ event_id: 'e1', type: 'a', id: 2 }));
    expect(keyOf({ event_id: 'e1' })).not.toBe(keyOf({ event_id: 'e2' }));
  });

  // "how often it was sent" is of the delivery, wherever the id of the event stands
  it.each([{ data: { event_id: 'e1', order_id: '7' } }, { event_id: 'e1', order_id: '7', links: { self: 'e1' } }])(
    'is that of a redelivery: %j',
    (event) => {
      const [one, other] = [1, 2].map((attempt) => ({ type: 'order.updated', ...event, attempt }));
      expect(keyOf({ ...one })).toBe(keyOf({ ...other }));
    },
  );

  it.each([
    // dev.wix.com/docs/rest/business-solutions/events/orders/order-paid: "eventId: Event ID to which the order belongs", that of a concert
    [{ eventId: 'concert' }, { orderNumber: '1001' }, { orderNumber: '1002' }],
    [{ type: 'order_paid' }, { data: { eventId: 'concert', id: 1 } }, { data: { eventId: 'concert', id: 2 } }],
    // docs.finmo.net/reference/refund-created: `event_id` is the id of the refund
    [{ event_id: 'r1', event_type: 'REFUND' }, { detail: { id: 'r1', state: 'new' } }, { detail: { id: 'r1' } }],
    [{ event_id: 'p1' }, { type: 'payment_created' }, { type: 'payment_completed' }],
  ] as const)('is not that of something else: %j', (same, one, other) => {
    expect(keyOf({ ...same, ...one })).not.toBe(keyOf({ ...same, ...other }));
    expect(keyOf({ ...same, ...one }, 'body')).toBe(keyOf({ ...one, ...same }, 'body'));
  });

  it('is connection and body without any id', () => {
    expect(keyOf({ type: 'a' }, '{"type":"a"}')).toBe(keyOf({ type: 'a' }, '{"type":"a"}'));
    expect(keyOf({ type: 'a' }, '{"type":"a"}')).not.toBe(keyOf({ type: 'a' }, '{"type": "a"}'));
    expect(keyOf({ type: 'a' }, '{}', 'x')).not.toBe(keyOf({ type: 'a' }, '{}', 'y'));
  });
});

describe('authenticity', () => {
  const codeOf = (one: typeof adapter) => one.validateAuthenticity(inputOf({}), noContext);

  it('is not asked for while no connection exists, unless connections are required', () => {
    expect(codeOf(adapter)).toEqual({ kind: 'unauthenticated' });
    expect(adapter.status?.(0)).toMatchObject({
      warning: expect.stringMatching(/^Anybody .*sender is connected \(extended edition\)/),
    });
    const required = { kind: 'refused', refusal: { code: 'connection_required' } };
    for (const options of [
      { requireConnection: true, hasConnections: () => false },
      { requireConnection: false, hasConnections: () => true },
      { hasConnections: () => false, hadConnections: () => true },
    ]) {
      expect(codeOf(genericAdapter(options))).toMatchObject(required);
      expect(genericAdapter(options).status?.(0)).toEqual({ active: true });
    }
    for (const options of [
      { hasConnections: () => false },
      { requireConnection: false, hasConnections: () => false, hadConnections: () => true },
    ])
      expect(codeOf(genericAdapter(options))).toEqual({ kind: 'unauthenticated' });
  });
});

describe('the paths of a connection', () => {
  const connection = (paths: FieldPaths): Connection => ({ ...unsigned, paths });
  const read = (payload: Record<string, unknown>, paths: FieldPaths) =>
    adapter.normalize(inputOf(payload, '', 'erp', { ...noContext, connection: connection(paths) }))[0];

  it('come before the generic names', () => {
    const payload = {
      kind: 'success',
      id: 'x',
      deep: { 'a/b': [{ nr: 7 }], sum: { value: '1.50', currency: 'USD' }, tx: 'tx-9' },
      order_id: 1,
    };
    const paths = { type: '/kind', order: '/deep/a~1b/0/nr', transaction: '/deep/tx', amount: '/deep/sum' };
    expect(read(payload, paths)).toMatchObject({
      genericType: 'payment_completed',
      amount: '1.50',
      currency: 'USD',
      transactionID: 'tx-9',
      orderReference: { order_id: '7' },
    });
  });

  it.each([
    ['store/category/updated', null, null],
    ['store/order/updated', '7', '7'],
  ])('%s has the id of %s (docs.bigcommerce.com/docs/integrations/webhooks/events)', (scope, order_id, transaction) => {
    const paths = { type: '/scope', order: '/data/orderId | /data/id', transaction: '/data/id' };
    expect(read({ scope, data: { id: 7 } }, paths)).toMatchObject({
      transactionID: transaction,
      orderReference: { order_id },
    });
  });

  it('an order_id that is the payment is the number of no order (shopify.dev/docs/api/webhooks, fulfillments/create)', () => {
    const fields = { transaction: '/order_id | /id' };
    expect(read({ id: 1, order_id: 2 }, fields)?.orderReference).toMatchObject({ order_id: null, transaction_id: '2' });
    expect(read({ id: 1, order_id: 2 }, {})?.orderReference.order_id).toBe('2');
    expect(read({ id: 1, type: 'fulfillments/create', order_id: 2 }, fields)?.orderReference.transaction_id).toBe('2');
    expect(read({ id: 1, type: 'themes/publish' }, fields)?.orderReference.transaction_id).toBeNull();
  });

  it('that lead nowhere leave the generic names', () => {
    expect(read({ order_id: 1, __proto__: null }, { order: '/nope/0', type: '/constructor/name' })).toMatchObject({
      eventType: 'custom_event',
      orderReference: { order_id: '1' },
    });
  });
});
