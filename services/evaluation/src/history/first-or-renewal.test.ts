import type { GenericType, UniversalEvent } from '@order-automation/contracts';
import { event as eventOf } from '../../../../shared/engine/test/fixtures';
import { kindOf, type OrderOfPayment } from './first-or-renewal';
import { type Payment, paymentOf } from './payments';

const awaiting = new Set(['pending', 'on-hold', 'failed', 'checkout-draft']);
const pending: OrderOfPayment = { id: 7, status: 'pending', total: '100.00', currency: 'EUR', transaction_id: '' };
const completed: OrderOfPayment = { ...pending, status: 'completed' };

/** Of a subscription, in the gateway's own words. */
const said = (genericType: GenericType, transactionID: string | null, over: Partial<UniversalEvent> = {}) =>
  eventOf({ genericType, transactionID, subscriptionID: 'S', idempotencyKey: `key ${transactionID}`, ...over });
const seen = (transaction: string, paid: Payment['paid']): Payment => ({
  ...paymentOf(said('payment_completed', transaction)),
  ...(paid && { paid }),
});

/*
 * A payment that is denied, failed, pending or in process is that of the first period or of a renewal as one that completes is ("each later payment of it
 * with a transaction of its own is a renewal, whatever the gateway calls it", decisions.md section 12): PayPal sends PAYMENT.SALE.DENIED and .PENDING for
 * both (https://developer.paypal.com/api/rest/webhooks/event-names), and subscr_payment with any payment_status
 * (https://gist.github.com/thenbrent/3037967: the very first subscr_payment is `Pending` with `multi_currency`).
 */
test.each<[string, UniversalEvent, OrderOfPayment, readonly Payment[], GenericType | null]>([
  ['a first payment that fails', said('renewal_payment_failed', 's1'), pending, [], 'payment_failed'],
  ['a first payment that is pending', said('renewal_payment_pending', 's1'), pending, [], 'payment_pending'],
  ['a first payment in process', said('renewal_payment_processing', 's1'), pending, [], 'payment_processing'],
  ['a first payment that is denied', said('payment_denied', 's1'), pending, [], 'payment_denied'],
  [
    'a renewal that is denied',
    said('payment_denied', 's2'),
    completed,
    [seen('s1', 'whole')],
    'renewal_payment_failed',
  ],
  ['a renewal that fails', said('payment_failed', 's2'), pending, [seen('s1', 'whole')], 'renewal_payment_failed'],
  [
    'a renewal that is pending',
    said('payment_pending', 's2'),
    pending,
    [seen('s1', 'part')],
    'renewal_payment_pending',
  ],
  [
    'the rest of an order whose deposit was taken from the same agreement',
    said('payment_denied', 's2', { amount: '80.00' }),
    pending,
    [{ ...seen('s1', 'part'), amount: '20.00' }],
    'payment_denied',
  ],
  [
    'a renewal of an order from before',
    said('payment_denied', 's9'),
    { ...completed, transaction_id: 's1' },
    [],
    'renewal_payment_failed',
  ],
  [
    'a failure never fails an order that is being processed and says nothing of its payment',
    said('payment_denied', 's9'),
    { ...pending, status: 'processing' },
    [],
    'renewal_payment_failed',
  ],
  [
    'another attempt at the order’s own payment',
    said('payment_denied', 's1'),
    { ...completed, transaction_id: 's1' },
    [],
    'payment_denied',
  ],
  [
    'a payment that was a renewal',
    said('payment_pending', 's2'),
    pending,
    [seen('s2', 'renewal')],
    'renewal_payment_pending',
  ],
  [
    'a renewal that came before the first payment',
    said('renewal_payment_failed', 's1'),
    pending,
    [seen('s2', 'renewal')],
    'payment_failed',
  ],
  [
    'an order that had a payment without a subscription',
    said('renewal_payment_failed', null),
    pending,
    [{ ...seen('t1', 'whole') }],
    'renewal_payment_failed',
  ],
  [
    'an attempt that failed before the first payment, told after it (chargebee.com/docs/webhook_settings.html, "out-of-order")',
    said('renewal_payment_failed', 's0', { occurredAt: '2026-01-01T00:00:00Z' }),
    completed,
    [{ ...seen('s1', 'whole'), at: '2026-01-01T00:05:00Z' }],
    'payment_failed',
  ],
  [
    'what the gateway says decides',
    said('renewal_payment_failed', 's1', { billing: 'renewal' }),
    pending,
    [],
    'renewal_payment_failed',
  ],
  [
    'without a subscription it is what the gateway calls it',
    eventOf({ genericType: 'renewal_payment_failed', transactionID: 't' }),
    pending,
    [],
    'renewal_payment_failed',
  ],
  [
    'a subscription that ends is no payment',
    said('subscription_cancelled', null),
    pending,
    [],
    'subscription_cancelled',
  ],
])('%s', (_what, event, order, payments, expected) => {
  expect(kindOf({ event, order, payments, awaiting }).type).toBe(expected);
});
