import { presets } from '../presets';
import type { NormalizedEvent } from './adapter';
import { cardAdapter } from './card/adapter';
import type { Connection } from './connection';
import { genericAdapter } from './generic/adapter';
import type { Payload } from './payload';
import { notificationEvent } from './wallet/notification';
import { resourceEvent } from './wallet/resource';

/** What did not happen, and how much it was, as gateways say it (decisions.md section 12). */
const context = { connection: null, otherConnections: () => [], withinRate: true, testProof: null };
const card = cardAdapter({ secrets: () => [], mode: 'any' });
const generic = genericAdapter({ requireConnection: false, hasConnections: () => false });

const inputOf = (payload: Payload, connection: Partial<Connection> | null = null) => ({
  connection: connection && 'erp',
  headers: {},
  body: Buffer.from(JSON.stringify(payload)),
  now: 0,
  payload,
  context: { ...context, connection: connection as Connection | null },
});
const ofCard = (type: string, object: Payload) =>
  card.normalize(inputOf({ id: 'evt_1', type, created: 1, data: { object } }))[0] as NormalizedEvent;
const ofWallet = (event_type: string, resource: Payload, resource_type = 'refund') =>
  resourceEvent({ id: 'WH-1', event_type, resource_type, resource })[0] as NormalizedEvent;
const ofForm = (fields: Payload) =>
  notificationEvent({ payment_status: 'Completed', mc_currency: 'USD', custom: '7', ...fields })[0] as NormalizedEvent;
const ofGeneric = (payload: Payload, connection: Partial<Connection> | null = null) =>
  generic.normalize(inputOf({ order_id: 7, transaction_id: 't', ...payload }, connection))[0] as NormalizedEvent;

// "payment is returned by … alternative payment methods (APMs) that support failure-after-success", checkout.com/docs/workflows/webhook-event-types/payment_returned
test('checkout-com: a payment that the bank takes back days later is reversed', () => {
  const data = { id: 'pay_1', action_id: 'act_2', amount: 8130, currency: 'GBP', reference: '7' };
  const { types = {}, paths = {} } = presets.get('checkout-com')?.settings ?? {};
  const returned = { id: 'evt_1', type: 'payment_returned', created_on: '2018-04-10T08:12:14Z', data };
  const connection = { types, paths, amount_unit: 'minor' } as Partial<Connection>;
  expect(ofGeneric(returned, connection)).toMatchObject({
    genericType: 'payment_reversed',
    transactionID: 'pay_1',
    amount: '81.30',
  });
});

describe('card: a charge that was captured for less than was authorised', () => {
  const charge = { object: 'charge', id: 'ch_1', amount: 4900, captured: true, currency: 'usd' };
  // "Stripe treats a partial capture as a Charge object with a partial Refund inside it",
  // https://github.com/woocommerce/woocommerce-gateway-stripe/pull/861; amount 20675, amount_received 20300, amount_refunded 375 of one payment,
  // https://github.com/woocommerce/woocommerce-gateway-stripe/issues/1073
  test.each([
    ['the rest is released', { amount_captured: 4000, amount_refunded: 900 }, null, '0.00'],
    ['all of it is given back', { amount_captured: 4000, amount_refunded: 4900 }, 'payment_refunded', '40.00'],
    ['a part of it is given back', { amount_captured: 4000, amount_refunded: 1400 }, 'payment_refunded', '5.00'],
    ['captured whole', { amount_captured: 4900, amount_refunded: 900 }, 'payment_refunded', '9.00'],
    ['captured whole, as older versions say it', { amount_refunded: 900 }, 'payment_refunded', '9.00'],
    ['never captured', { captured: false, amount_captured: 0, amount_refunded: 4900 }, 'payment_cancelled', '49.00'],
  ])('%s', (_what, over, genericType, amount) => {
    expect(ofCard('charge.refunded', { ...charge, ...over })).toMatchObject({ genericType, amount });
  });

  // "The following flows no longer result in a Refund object created and linked to the payment: Partial capture",
  // docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow
  test.each([
    ['as much as was let go', '2025-03-31.basil', 1900, 1900, '19.00'],
    ['all that was captured', '2025-09-30.clover', 3000, 3000, '30.00'],
    ['all that was captured, as older versions say it', '2025-02-24.acacia', 4900, 3800, '30.00'],
  ])('what is given back is %s', (_what, api_version, amount_refunded, before, amount) => {
    const object = { ...charge, amount_captured: 3000, amount_refunded };
    const data = { object, previous_attributes: { amount_refunded: before } };
    const payload = { id: 'evt_1', api_version, type: 'charge.refunded', created: 1_764_000_000, data };
    const [event] = card.normalize({ payload } as never);
    expect(event).toMatchObject({ genericType: 'payment_refunded', amount });
  });
});

// "The status of the payment is either succeeded, pending, or failed", docs.stripe.com/api/charges/object; "PENDING: The funds for this captured payment
// was not yet credited", "DECLINED: The funds could not be captured", developer.paypal.com/docs/api/payments/v2, capture `status`
test.each([
  ['charge.succeeded', 'succeeded', 'payment_completed'],
  ['charge.succeeded', 'pending', 'payment_pending'],
  ['charge.succeeded', 'failed', 'payment_failed'],
  ['PAYMENT.CAPTURE.COMPLETED', 'COMPLETED', 'payment_completed'],
  ['PAYMENT.CAPTURE.COMPLETED', 'PARTIALLY_REFUNDED', 'payment_completed'],
  ['PAYMENT.CAPTURE.COMPLETED', 'PENDING', 'payment_pending'],
  ['PAYMENT.CAPTURE.COMPLETED', 'DECLINED', 'payment_denied'],
  ['PAYMENT.SALE.COMPLETED', 'pending', 'payment_pending'],
])('%s whose object says that it is %s', (type, status, genericType) => {
  const object = { object: 'charge', id: 'x_1', amount: 4900, currency: 'usd', status };
  const read = type.startsWith('charge') ? ofCard(type, object) : ofWallet(type, { id: 'X1', status }, 'capture');
  expect(read).toMatchObject({ genericType });
});

// "the remaining amount is automatically released", docs.stripe.com/payments/place-a-hold-on-a-payment-method
test.each<[string, Payload, boolean | undefined]>([
  ['payment_intent.succeeded', { object: 'payment_intent', amount: 4900, amount_received: 2000 }, true],
  ['payment_intent.succeeded', { object: 'payment_intent', amount: 4900, amount_received: 4900 }, undefined],
  ['payment_intent.succeeded', { object: 'payment_intent', amount: 4900 }, undefined],
  ['charge.captured', { amount: 4900, amount_captured: 2000, amount_refunded: 2900, captured: true }, true],
  ['charge.captured', { amount: 4900, amount_captured: 2000, amount_refunded: 0, captured: true }, undefined],
])('card: whether %s of %j was the last capture', (type, object, isFinal) => {
  expect(ofCard(type, { id: 'x_1', currency: 'usd', ...object })).toMatchObject(
    isFinal ? { isFinalCapture: true, released: '29.00' } : {},
  );
  expect(ofCard(type, { id: 'x_1', currency: 'usd', ...object }).isFinalCapture).toBe(isFinal);
});

// "originalReference: The PSP reference of the disputed payment", docs.adyen.com/risk-management/disputes-api/dispute-notifications
test.each<[string, Payload, Partial<NormalizedEvent>]>([
  ['a refund', { type: 'refund' }, { transactionID: 'p', primaryObjectType: 'refund', primaryObjectID: 't' }],
  ['a dispute', { type: 'dispute_opened' }, { transactionID: 'p', primaryObjectType: 'dispute', primaryObjectID: 't' }],
  ['a cancellation', { type: 'voided' }, { transactionID: 'p', primaryObjectType: 'order' }],
  ['a capture', { type: 'captured' }, { transactionID: 't', primaryObjectType: 'order' }],
  [
    'a capture that failed',
    { type: 'captured', success: false },
    { transactionID: 'p', genericType: 'payment_failed' },
  ],
])('generic: %s and the payment that it belongs to', (_what, fields, expected) => {
  const event = ofGeneric({ ...fields, original_transaction_id: 'p' });
  expect(event).toMatchObject(expected);
  expect(event.orderReference.transactions).toContain('p');
});

// "Previously, currency was the customer's choice of currency and the currency of your Stripe integration was described under currency_conversion",
// https://docs.stripe.com/changelog/basil/2025-03-31/add_presentment_details
test.each<[string, Payload, string, string]>([
  [
    'before',
    { amount_total: 4512, currency: 'eur', currency_conversion: { amount_total: 4900, source_currency: 'usd' } },
    '49.00',
    'USD',
  ],
  ['today', { presentment_details: { presentment_amount: 4512, presentment_currency: 'eur' } }, '49.00', 'USD'],
  ['without', { currency_conversion: null }, '49.00', 'USD'],
])('card: a session in the customer’s currency, %s', (_when, over, amount, currency) => {
  const session = {
    object: 'checkout.session',
    id: 'cs_1',
    payment_status: 'paid',
    amount_total: 4900,
    currency: 'usd',
  };
  expect(ofCard('checkout.session.completed', { ...session, ...over })).toMatchObject({ amount, currency });
});

// "The refund was cancelled", refund `status`, https://developer.paypal.com/docs/api/payments/v2
test.each([
  ['PAYMENT.CAPTURE.REFUNDED', { status: 'COMPLETED' }, 'payment_refunded'],
  ['PAYMENT.CAPTURE.REFUNDED', { status: 'PENDING' }, 'payment_refunded'],
  ['PAYMENT.CAPTURE.REFUNDED', { status: 'CANCELLED' }, null],
  ['PAYMENT.CAPTURE.REFUNDED', { status: 'FAILED' }, null],
  ['PAYMENT.SALE.REFUNDED', { state: 'failed' }, null],
  ['PAYMENT.SALE.REFUNDED', { state: 'completed' }, 'payment_refunded'],
  ['PAYMENT.REFUND.FAILED', { status: 'FAILED' }, null],
])('wallet: %s in %j', (type, state, genericType) => {
  expect(ofWallet(type, { id: 'R1', sale_id: 'S1', ...state }).genericType).toBe(genericType);
});

test.each([
  ['RESOLVED_SELLER_FAVOR', 'dispute_won'],
  ['RESOLVED_BUYER_FAVOR', 'dispute_lost'],
])('wallet: %s is spelt in either English', (outcome_code, genericType) => {
  const resource = { dispute_id: 'PP-D-1', dispute_outcome: { outcome_code } };
  expect(ofWallet('CUSTOMER.DISPUTE.RESOLVED', resource, 'dispute').genericType).toBe(genericType);
});

// "One Authorization, Multiple Captures", and `auth_id` sent with captures, PayPal Authorization & Capture Integration Guide (June 2006), appendix C; "In
// the case of a refund, reversal, or canceled reversal, this variable contains the txn_id of the original transaction", `parent_txn_id`, PayPal
// Instant Payment Notification Manual.
describe('form: which payment it is about', () => {
  const capture = { txn_type: 'web_accept', txn_id: 'C1', parent_txn_id: 'A1', auth_id: 'A1', mc_gross: '20.00' };
  test.each<[string, Payload, string]>([
    ['a capture is a payment of its own', capture, 'C1'],
    ['so is the next', { ...capture, txn_id: 'C2' }, 'C2'],
    ['one that waits', { ...capture, payment_status: 'Pending', pending_reason: 'paymentreview' }, 'C1'],
    ['an authorisation', { ...capture, txn_id: 'A1', parent_txn_id: undefined, payment_status: 'Pending' }, 'A1'],
    ['a refund is about the capture', { txn_id: 'R1', parent_txn_id: 'C1', payment_status: 'Refunded' }, 'C1'],
    ['a reversal too', { txn_id: 'R1', parent_txn_id: 'C1', payment_status: 'Reversed' }, 'C1'],
    ['and its end', { txn_id: 'R2', parent_txn_id: 'C1', payment_status: 'Canceled_Reversal' }, 'C1'],
    ['a void is about the authorisation', { txn_id: 'V1', parent_txn_id: 'A1', payment_status: 'Voided' }, 'A1'],
    ['a case is about the payment', { txn_type: 'new_case', txn_id: 'C1', payment_status: undefined }, 'C1'],
  ])('%s', (_what, fields, transaction) => expect(ofForm(fields).transactionID).toBe(transaction));

  test('an order may carry the authorisation or the capture', () => {
    expect(new Set(ofForm(capture).orderReference.transactions)).toEqual(new Set(['C1', 'A1']));
    const refund = ofForm({ txn_id: 'R1', parent_txn_id: 'C1', payment_status: 'Refunded' });
    expect(refund.orderReference.transactions).toEqual(['C1']);
  });
});

// `adjustment`: "A case has been resolved and closed", PayPal Order Management Integration Guide (October 2006), table A.10;
// recurring_payment_outstanding_payment_failed: https://www.bahjeez.com/recurring-payments-ipns/
describe('form: completed is not always paid', () => {
  test.each<[string, Payload, string | null]>([
    ['a payment', { txn_type: 'web_accept', txn_id: 'T1', mc_gross: '49.00' }, 'payment_completed'],
    ['money that leaves the account', { txn_type: 'send_money', txn_id: 'T2', mc_gross: '-49.00' }, null],
    ['without a kind', { txn_id: 'T2', mc_gross: '-49.00' }, null],
    [
      'the end of a case',
      { txn_type: 'adjustment', txn_id: 'T3', parent_txn_id: 'T1', mc_gross: '-49.00' },
      'dispute_resolved',
    ],
    [
      'what was outstanding',
      {
        txn_type: 'recurring_payment_outstanding_payment',
        txn_id: 'T4',
        recurring_payment_id: 'I-1',
        mc_gross: '98.00',
      },
      'renewal_payment_completed',
    ],
    [
      'what was outstanding and is not paid',
      {
        txn_type: 'recurring_payment_outstanding_payment_failed',
        recurring_payment_id: 'I-1',
        payment_status: undefined,
      },
      'renewal_payment_failed',
    ],
    [
      'a reversal that was taken back',
      { txn_id: 'T5', parent_txn_id: 'T1', payment_status: 'Canceled_Reversal' },
      null,
    ],
    ['an eCheck that waits', { txn_id: 'T6', payment_status: 'Pending', pending_reason: 'echeck' }, 'payment_pending'],
    ['an eCheck that bounced', { txn_id: 'T6', payment_status: 'Failed' }, 'payment_failed'],
  ])('%s', (_what, fields, genericType) => expect(ofForm(fields).genericType).toBe(genericType));
});

describe('generic: what failed by its own word', () => {
  test.each<[string, Payload, string, string | null]>([
    ['a refund', { event: 'refund', status: 'failed' }, 'refund_failed', null],
    ['a payment', { event: 'payment_completed', status: 'declined' }, 'payment_failed', 'payment_failed'],
    // docs.adyen.com/online-payments/build-your-integration/payment-result-codes: "Refused", "Cancelled"
    ['a payment that the bank refused', { event: 'captured', status: 'Refused' }, 'payment_failed', 'payment_failed'],
    ['in its data', { event: 'refund', data: { state: 'Rejected' } }, 'refund_failed', null],
    ['success in a word', { event: 'payment_completed', success: 'failed' }, 'payment_failed', 'payment_failed'],
    ['a refund that did happen', { event: 'refund', status: 'completed' }, 'payment_refunded', 'payment_refunded'],
    ['a refund that is on its way', { event: 'refund', status: 'pending' }, 'payment_refunded', 'payment_refunded'],
    [
      'the state of the order is not that of its payment',
      { event: 'payment_completed', order: { id: 7, status: 'failed' } },
      'payment_completed',
      'payment_completed',
    ],
    ['an order may have failed', { event: 'order_updated', status: 'failed' }, 'order_updated', 'order_updated'],
    [
      'a type outside the list stays',
      { event: 'payment.updated', status: 'failed' },
      'payment.updated',
      'custom_event',
    ],
    ['a state alone is the type', { status: 'failed' }, 'failed', 'custom_event'],
  ])('%s', (_what, payload, eventType, genericType) =>
    expect(ofGeneric(payload)).toMatchObject({ eventType, genericType }),
  );

  test.each(['Declined', 'Refused', 'Cancelled', 'CANCELED', 'expired', 'aborted'])(
    'at the path of success: %s',
    (word) => {
      const paths = { success: '/result/word' };
      const ofWord = (event: string) => ofGeneric({ event, result: { word } }, { paths });
      expect(ofWord('payment_completed').genericType).toBe('payment_failed');
      expect(ofWord('refund').eventType).toBe('refund_failed');
      expect(ofWord('payment_cancelled').genericType).toBe('payment_cancelled');
    },
  );
});

// Some senders write what goes out with a minus, as the wallet does (`mc_gross` of a refund, PayPal Instant Payment Notification Guide).
test.each([
  ['-5.00', 'refund', '5.00'],
  [-5, 'payment_refunded', '5.00'],
  ['5.00', 'refund', '5.00'],
  ['-5.00', 'payment_completed', '-5.00'],
])('generic: %j of a %s is %s', (amount, event, expected) => {
  expect(ofGeneric({ event, amount, currency: 'USD' }).amount).toBe(expected);
});
