import { buildEvent, buildOrder } from '@order-automation/testing';
import { type Payment, paymentOf } from '../history/payments';
import type { Refund } from '../history/refunds';
import { isOtherPayment, isRefundOfSecondPayment, openDocument } from './open';

const reference = { gateway_ids: ['pi_2'], order_id: '42', transaction_id: 'pi_2' };
const failed = buildEvent({ genericType: 'payment_failed', transactionID: 'pi_2', orderReference: reference });
const meta = (value: string) => ({ meta_data: [{ key: '_payment_intent_id', value }] });

const awaiting = new Set(['pending', 'on-hold', 'failed']);
const date_paid = '2026-11-25T12:00:00Z';
const order = (fields: object = {}) =>
  buildOrder({ status: 'pending', transaction_id: '', total: '49.00', currency: 'EUR', ...fields });
const paid = (transaction: string, how?: Payment['paid'], amount = '49.00'): Payment => ({
  ...paymentOf(buildEvent({ transactionID: transaction, amount, currency: 'EUR' })),
  ...(how && { paid: how }),
});
const captured = (transaction: string, parent: string): Payment => ({ ...paid(transaction), parent });
const given = (amount: string): Refund => {
  const ids = { event_id: 'e', key: 'k', counts_as: 'k' };
  return { ...ids, kind: 'one', transaction: 'pi_1', amount };
};

test.each<[string, ReturnType<typeof order>, readonly Payment[], boolean]>([
  ['an order that no payment is known of', order(), [], false],
  ['the payment of the order', order({ transaction_id: 'pi_2' }), [], false],
  ['another payment', order({ transaction_id: 'pi_1' }), [], true],
  ['another payment than the one seen', order(), [paid('pi_1')], true],
  ['one of two payments seen', order(), [paid('pi_1'), paid('pi_2')], false],
  ['a payment in the meta data of the order', order({ transaction_id: 'ch_9', ...meta('pi_2') }), [], false],
  // "the first Checkout Session … the second Checkout Session overwrite", https://github.com/Sylius/PayumStripePlugin/pull/31
  ['an order that waits for a newer intent', order(meta('pi_3')), [], true],
  ['an order that waits for this intent', order(meta('pi_2')), [], false],
  ['an order that keeps something else', order(meta('cus_3')), [], false],
  // https://github.com/woocommerce/woocommerce-gateway-stripe/pull/905
  ['an order to be paid in cash', order({ payment_method: 'cod' }), [], true],
  ['an order to be paid by transfer', order({ payment_method: 'bacs' }), [paid('pi_2')], false],
  // https://github.com/woocommerce/woocommerce-gateway-stripe/issues/902
  ['an order that is paid by something unknown', order({ status: 'processing' }), [], true],
  ['an order that was given back', order({ status: 'refunded' }), [], true],
  ['an order that is cancelled', order({ status: 'cancelled' }), [], true],
  ['an order in a status of the shop', order({ status: 'quote' }), [], false],
  // https://github.com/woocommerce/woocommerce-gateway-stripe/issues/5812: "a paid order sitting in picking is treated as unsettled and failed"
  ['a paid order in a status of the shop', order({ status: 'picking', date_paid }), [], true],
  [
    'a paid order in a status of the shop that keeps this intent',
    order({ status: 'picking', date_paid, transaction_id: 'PAYPAL-1', ...meta('pi_2') }),
    [],
    true,
  ],
  // payment_complete() dates a deposit, too: github.com/woocommerce/woocommerce/blob/trunk/plugins/woocommerce/includes/class-wc-order.php
  [
    'the rest of an order in a status of the shop, whose deposit is dated',
    order({ status: 'partially-paid', date_paid, transaction_id: 'pi_1', ...meta('pi_2') }),
    [paid('pi_1', 'part', '20.00')],
    false,
  ],
  [
    'an order to be paid by transfer that keeps this intent',
    order({ payment_method: 'bacs', ...meta('pi_2') }),
    [],
    true,
  ],
  ['a paid order that keeps this intent alone', order({ status: 'completed', ...meta('pi_2') }), [], false],
  [
    'an earlier charge of the intent that paid',
    order({ status: 'completed', transaction_id: 'ch_9', ...meta('pi_2') }),
    [],
    true,
  ],
  ['the second part of an order', order(), [paid('pi_1', 'part', '20.00')], false],
  ['the second part of an order that keeps the first', order({ transaction_id: 'pi_1' }), [paid('pi_1', 'part')], true],
  [
    'the rest of an order with the first part as its transaction',
    order({ transaction_id: 'pi_1' }),
    [paid('pi_1', 'part', '20.00')],
    false,
  ],
  ['an order that costs more since', order({ total: '59.00', transaction_id: 'pi_1' }), [paid('pi_1')], false],
])('a failure: %s', (_what, order, payments, other) => {
  expect(isOtherPayment(failed, order, { payments }, awaiting)).toBe(other);
});

// "_ppcp_paypal_order_id", github.com/woocommerce/woocommerce-paypal-payments: an order keeps it when the customer chooses a transfer instead
test('a failure: an order to be paid by transfer that keeps the order of the wallet', () => {
  const orderReference = { gateway_ids: ['CAP1', '5O190127TN364715T'], order_id: null, transaction_id: 'CAP1' };
  const denied = { ...failed, transactionID: 'CAP1', orderReference };
  const kept = { transaction_id: '', ...meta('5O190127TN364715T') };
  expect(isOtherPayment(denied, order(kept), { payments: [] }, awaiting)).toBe(false);
  expect(isOtherPayment(denied, order({ ...kept, payment_method: 'bacs' }), { payments: [] }, awaiting)).toBe(true);
});

test('a failure: an order that was given back in whole, and is to be paid again', () => {
  const [payments, refunds] = [[paid('pi_1')], [given('49.00')]];
  const again = order({ transaction_id: 'pi_1' });
  expect(isOtherPayment(failed, again, { payments, refunds }, awaiting)).toBe(false);
  expect(isOtherPayment(failed, again, { payments, refunds: [given('9.00')] }, awaiting)).toBe(true);
  expect(isOtherPayment(failed, again, { payments }, awaiting)).toBe(true);
});

test('a payment that completes is never held back as another one', () => {
  const completed = { ...failed, genericType: 'payment_completed' } as const;
  expect(isOtherPayment(completed, order({ transaction_id: 'pi_1' }), { payments: [] }, awaiting)).toBe(false);
});

describe('the refund of a payment', () => {
  const refund = { ...failed, genericType: 'payment_refunded' } as const;

  // https://github.com/woocommerce/woocommerce/issues/9297: "when I refund the duplicate PayPal payment … WooCommerce then marks the order as refunded".
  test.each<[string, string, readonly Payment[], readonly Refund[], boolean]>([
    ['that was made twice, the second time', '', [paid('pi_1'), paid('pi_2')], [], true],
    ['that was made twice, as the order says', 'pi_1', [paid('pi_2'), paid('pi_1')], [], true],
    ['that the order has as its own', 'pi_2', [paid('pi_1'), paid('pi_2')], [], false],
    ['that is alone', '', [paid('pi_2')], [], false],
    ['that nobody has seen', '', [paid('pi_1')], [], false],
    ['that completed the parts', '', [paid('pi_1', 'part'), paid('pi_2', 'whole')], [], false],
    ['that is a part', '', [paid('pi_1', 'whole'), paid('pi_2', 'part')], [], false],
    ['that is a renewal', '', [paid('pi_1', 'whole'), paid('pi_2', 'renewal')], [], false],
    ['after the first was given back', '', [paid('pi_1'), paid('pi_2')], [given('49.00')], false],
    ['after a part of the first was given back', '', [paid('pi_1'), paid('pi_2')], [given('9.00')], true],
    // "Payment captured: action_id … The unique identifier of the capture action" (checkout.com/docs/developer-resources/webhooks/webhook-event-types).
    ['by its capture', '', [captured('act_1', 'pi_1'), captured('act_2', 'pi_2')], [], true],
    ['by its capture, the first', '', [captured('act_1', 'pi_2'), captured('act_2', 'pi_3')], [], false],
    ['as the order says by its capture', 'act_1', [captured('act_2', 'pi_2'), captured('act_1', 'pi_1')], [], true],
  ])('%s', (_what, transaction_id, payments, refunds, isSecond) => {
    expect(isRefundOfSecondPayment(refund, order({ transaction_id }), { payments, refunds })).toBe(isSecond);
  });
});

test('an order whose payment has failed after it was completed waits for another, whose refund is that of the order', () => {
  const states = [
    {
      object: 'generic:0:pi_1',
      type: 'payment_failed',
      at: '2026-11-20T10:00:00Z',
      event_id: 'f',
      transaction: 'pi_1',
    },
  ] as const;
  const first = paid('pi_1');
  const waiting = order({ status: 'failed' });
  expect(isOtherPayment(failed, waiting, { payments: [first], states: [] }, awaiting)).toBe(true);
  expect(isOtherPayment(failed, waiting, { payments: [first], states }, awaiting)).toBe(false);
  const refund = buildEvent({ genericType: 'payment_refunded', transactionID: 'pi_2', orderReference: reference });
  const known = { payments: [first, paid('pi_2')], refunds: [] };
  expect(isRefundOfSecondPayment(refund, order(), { ...known, states: [] })).toBe(true);
  expect(isRefundOfSecondPayment(refund, order(), { ...known, states })).toBe(false);
});

test.each([
  [null, { received: '20.00', total: '49.00' }],
  ['49.00', null],
])('a partial payment whose event has the amount %s', async (amount, partial) => {
  const document = { cause: { depth: 0 }, order_id: null, partial: null };
  const event = buildEvent({ genericType: 'payment_completed', transactionID: 'pi_2', amount, currency: null });
  const history = {
    note: async (_id: number, read: (known: object) => object) => ({
      ...read({ payments: [], states: [] }),
      isNew: true,
    }),
  };
  const found = { context: { order: order(), revision: 'r' }, by: 'order_id', part: '20.00' };
  const task = { subject: { kind: 'event', event } };
  await openDocument(document as never, task as never, found as never, { history: history as never, awaiting, now: 0 });
  expect(document.partial).toEqual(partial === null ? null : expect.objectContaining(partial));
});
