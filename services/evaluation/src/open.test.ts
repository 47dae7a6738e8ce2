import { buildEvent, buildOrder } from '@order-automation/testing';
import { isOtherPayment, isRefundOfSecondPayment } from './open';
import { type Payment, paymentOf } from './payments';
import type { Refund } from './refunds';

const reference = { gateway_ids: ['pi_2'], order_id: '42', transaction_id: 'pi_2' };
const failed = buildEvent({ genericType: 'payment_failed', transactionID: 'pi_2', orderReference: reference });
const meta = (value: string) => ({ meta_data: [{ key: '_payment_intent_id', value }] });

test.each([
  ['an order that no payment is known of', buildOrder({ transaction_id: '' }), [], false],
  ['the payment of the order', buildOrder({ transaction_id: 'pi_2' }), [], false],
  ['another payment', buildOrder({ transaction_id: 'pi_1' }), [], true],
  ['another payment than the one seen', buildOrder({ transaction_id: '' }), ['pi_1'], true],
  ['one of two payments seen', buildOrder({ transaction_id: '' }), ['pi_1', 'pi_2'], false],
  ['a payment in the meta data of the order', buildOrder({ transaction_id: 'ch_9', ...meta('pi_2') }), [], false],
  // "the first Checkout Session … the second Checkout Session overwrite", https://github.com/Sylius/PayumStripePlugin/pull/31
  ['an order that waits for a newer intent', buildOrder({ transaction_id: '', ...meta('pi_3') }), [], true],
  ['an order that waits for this intent', buildOrder({ transaction_id: '', ...meta('pi_2') }), [], false],
  ['an order that keeps something else', buildOrder({ transaction_id: '', ...meta('cus_3') }), [], false],
  // https://github.com/woocommerce/woocommerce-gateway-stripe/pull/905
  ['an order to be paid in cash', buildOrder({ transaction_id: '', payment_method: 'cod' }), [], true],
  ['an order to be paid by transfer', buildOrder({ transaction_id: '', payment_method: 'bacs' }), ['pi_2'], false],
])('a failure: %s', (_what, order, paid, other) => {
  expect(isOtherPayment(failed, order, paid)).toBe(other);
});

test('a payment that completes is never held back as another one', () => {
  expect(
    isOtherPayment({ ...failed, genericType: 'payment_completed' }, buildOrder({ transaction_id: 'pi_1' }), []),
  ).toBe(false);
});

describe('the refund of a payment', () => {
  const paid = (transaction: string, how?: Payment['paid']): Payment => ({
    ...paymentOf(buildEvent({ transactionID: transaction, amount: '49.00', currency: 'EUR' })),
    ...(how && { paid: how }),
  });
  const given = (amount: string): Refund => {
    const ids = { event_id: 'e', key: 'k', counts_as: 'k' };
    return { ...ids, kind: 'one', transaction: 'pi_1', amount };
  };
  const refund = { ...failed, genericType: 'payment_refunded' } as const;
  const order = (transaction_id: string) => buildOrder({ transaction_id, total: '49.00', currency: 'EUR' });

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
  ])('%s', (_what, transaction_id, payments, refunds, isSecond) => {
    expect(isRefundOfSecondPayment(refund, order(transaction_id), { payments, refunds })).toBe(isSecond);
  });
});
