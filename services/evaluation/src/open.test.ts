import { buildEvent, buildOrder } from '@order-automation/testing';
import { isOtherPayment } from './open';

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
])('a failure: %s', (_what, order, paid, other) => {
  expect(isOtherPayment(failed, order, paid)).toBe(other);
});

test('a payment that completes is never held back as another one', () => {
  expect(
    isOtherPayment({ ...failed, genericType: 'payment_completed' }, buildOrder({ transaction_id: 'pi_1' }), []),
  ).toBe(false);
});
