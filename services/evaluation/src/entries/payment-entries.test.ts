import type { GenericType } from '@order-automation/contracts';
import { event } from '../../../../shared/engine/test/fixtures';
import type { EvaluationDocument } from '../evaluation-document';
import { isFirstFailure, withFailed } from '../history/refunds';
import { paymentEntries } from './payment-entries';

const entriesOf = (eventType: string, status: string | null, genericType: GenericType | null): string[] => {
  const told = event({ eventType, status, genericType });
  const document = {
    order_id: 7,
    cause: { event_type: eventType },
    occurrence: null,
    late: null,
    overtaken_by: null,
    steps: [],
    refund_failed: isFirstFailure(withFailed([], told, 7), told),
  };
  return paymentEntries(document as unknown as EvaluationDocument, 0).map(({ event_type }) => event_type);
};

test('a payment is late unless a rule has moved its order', () => {
  const applied = (field: string) => [{ actions: [{ result: { changes: [{ field }] } }] }];
  const late = (steps: unknown) => {
    const document = {
      order_id: 7,
      cause: { event_type: 'x' },
      occurrence: null,
      late: 'cancelled',
      overtaken_by: null,
    };
    return paymentEntries({ ...document, steps, subject: undefined } as never, 0).length;
  };
  expect([late([]), late(applied('note')), late(applied('status'))]).toEqual([1, 1, 0]);
});

test.each([
  ['completed', 'paid twice'],
  ['cancelled', 'refunded or the order reopened'],
  ['trash', 'refunded or the order reopened'],
  ['partially-paid', 'ORDER_AWAITING_PAYMENT'],
])('a late payment of an order that is %s asks to check: %s', (late, advice) => {
  const document = { order_id: 7, cause: { event_type: 'x' }, occurrence: null, late, overtaken_by: null, steps: [] };
  const [entry] = paymentEntries({ ...document, subject: undefined } as never, 0);
  expect(entry?.summary).toContain(advice);
});

// A plugin of the shop decides what an order that is paid becomes: woocommerce_payment_complete_order_status, https://woocommerce.com/document/managing-orders/order-statuses/
test.each([
  ['awaiting-shipment', null, 'info'],
  ['partially-paid', { paid: '20.00' }, 'warning'],
  ['cancelled', null, 'warning'],
])('the payment that the order carries while it is %s, in part %j: %s', (late, partial, status) => {
  const document = { order_id: 7, cause: { event_type: 'x' }, occurrence: null, overtaken_by: null, steps: [] };
  const [entry] = paymentEntries({ ...document, late, own: true, partial } as never, 0);
  expect(entry).toMatchObject({ event_type: 'late_payment', status });
});

/*
 * A refund that fails or is cancelled after it was reported. "pending, requires_action, succeeded, failed, or canceled", refund `status`,
 * https://docs.stripe.com/api/refunds/object; https://docs.stripe.com/api/refunds/cancel; `cancelled`, refund `status`,
 * https://developer.paypal.com/docs/api/payments/v2; `failure`, https://shopify.dev/docs/api/admin-rest/latest/resources/transaction; REFUND_FAILED and REFUNDED_REVERSED, https://docs.adyen.com/online-payments/refund.
 */
test.each<[string, string | null, GenericType | null, boolean]>([
  ['payment.card.refund_failed', 'failed', null, true],
  ['payment.card.refund_updated', 'failed', null, true],
  ['payment.card.refund_updated', 'canceled', null, true],
  ['payment.card.refund_updated', 'succeeded', null, false],
  ['payment.card.refund_updated', 'pending', null, false],
  ['payment.card.charge_refund_updated', 'canceled', null, true],
  ['payment.card.refund_created', 'failed', null, true],
  ['payment.card.charge_refunded', 'succeeded', null, false],
  ['payment.wallet.payment_refunded', 'CANCELLED', null, true],
  ['payment.wallet.payment_refunded', 'COMPLETED', 'payment_refunded', false],
  ['payment.wallet.payment_refund_failed', null, null, true],
  ['payment.wallet.payment_refund_cancelled', null, null, true],
  ['payment.wallet.payment_refund_pending', 'PENDING', null, false],
  ['refund_failed', null, null, true],
  ['REFUND_FAILED', null, 'custom_event', true],
  ['REFUNDED_REVERSED', null, 'custom_event', true],
  ['refunds/create.refund.failure', null, 'custom_event', true],
  ['refund.requested', 'open', 'custom_event', false],
  ['order_updated', 'failed', 'order_updated', false],
])('%s in state %s as %s asks a person to look: %s', (eventType, status, genericType, isTold) => {
  expect(entriesOf(eventType, status, genericType)).toEqual(isTold ? ['refund_failed'] : []);
});
