import type { UniversalEvent } from '@order-automation/contracts';
import { event as eventOf } from '../../../shared/engine/test/fixtures';
import { type Classification, classify, type OrderOfPayment } from './classify';
import { type Payment, remembering } from './payments';

const awaiting = new Set(['pending', 'on-hold', 'failed', 'checkout-draft']);
const pending: OrderOfPayment = { id: 7, status: 'pending', total: '100.00', currency: 'EUR', transaction_id: '' };
const paid: OrderOfPayment = { ...pending, status: 'completed', transaction_id: 't1' };

/** A completed payment with a transaction of its own. */
const payment = (transaction: string | null, amount: string | null, more: Partial<UniversalEvent> = {}) =>
  eventOf({
    transactionID: transaction,
    idempotencyKey: `key ${transaction} ${amount}`,
    amount,
    currency: 'EUR',
    ...more,
  });
const ofSubscription = (transaction: string, amount: string, more: Partial<UniversalEvent> = {}) =>
  payment(transaction, amount, { genericType: 'renewal_payment_completed', subscriptionID: 'S', ...more });

/** What is made of events in the order in which they come. */
function classified(order: OrderOfPayment, events: readonly UniversalEvent[]): Classification[] {
  let seen: readonly Payment[] = [];
  return events.map((one) => {
    const found = classify(one, order, seen, awaiting);
    if (found.payment) seen = remembering(seen, found.payment, found.match ?? undefined);
    return found;
  });
}
const short = ({ paid: how, mismatch, match }: Classification): string =>
  mismatch ? mismatch.kind : match?.kind === 'repeated' ? 'repeated' : how;

type Law = readonly [
  law: string,
  order: OrderOfPayment,
  events: readonly UniversalEvent[],
  expected: readonly string[],
];

/** One row a law (decisions.md section 12, "Payment or renewal", "Amounts are compared where the order's own money comes"). */
const laws: readonly Law[] = [
  ['a payment of the whole order pays it', pending, [payment('t1', '100.00')], ['whole']],
  ['a payment without an amount pays it', pending, [payment('t1', null)], ['whole']],
  ['two events of one payment are one', pending, [payment('t1', '100.00'), payment('t1', '100')], ['whole', 'whole']],
  [
    'a payment that names no transaction is the one that was seen',
    pending,
    [payment('t1', '100.00'), payment(null, '100.00')],
    ['whole', 'repeated'],
  ],
  // developer.paypal.com/docs/api/payments/v2, "Capture authorized payment": several captures, the last with final_capture.
  ['captures add up', pending, [payment('c1', '40.00'), payment('c2', '60.00')], ['part', 'whole']],
  ['captures add up, the last one first', pending, [payment('c2', '60.00'), payment('c1', '40.00')], ['part', 'whole']],
  [
    'three deposits',
    pending,
    [payment('d1', '20.00'), payment('d2', '30.00'), payment('d3', '50.00')],
    ['part', 'part', 'whole'],
  ],
  [
    'a copy of a part counts once',
    pending,
    [payment('c1', '40.00'), payment('c1', '40.00'), payment('c2', '60.00')],
    ['part', 'part', 'whole'],
  ],
  [
    'more than the total is a mismatch',
    pending,
    [payment('c1', '60.00'), payment('c2', '60.00')],
    ['part', 'amount_mismatch'],
  ],
  [
    'a mismatch does not count towards the total',
    pending,
    [payment('c1', '160.00'), payment('c2', '100.00')],
    ['amount_mismatch', 'whole'],
  ],
  // docs.stripe.com/payments/multicapture: one charge, whose captured amount grows.
  [
    'one payment whose captured amount grows',
    pending,
    [payment('c1', '40.00'), payment('c1', '100.00', { idempotencyKey: 'later' })],
    ['part', 'whole'],
  ],
  ['nothing is no payment', pending, [payment('t1', '0.00')], ['amount_mismatch']],
  ['less than nothing is no payment', pending, [payment('t1', '-100.00')], ['amount_mismatch']],
  ['an order of nothing is paid by nothing', { ...pending, total: '0.00' }, [payment('t1', '0.00')], ['whole']],
  ['another currency', pending, [payment('t1', '100.00', { currency: 'USD' })], ['amount_mismatch']],
  [
    'an amount that cannot be read',
    pending,
    [payment('t1', null, { amountProblem: 'The amount "1,00" is not a plain decimal number.' })],
    ['amount_unreadable'],
  ],
  [
    'a currency that ISO 4217 does not know',
    { ...pending, currency: 'IRT', total: '490000' },
    [payment('t1', '490000.00', { currency: 'irt' })],
    ['whole'],
  ],
  ['more decimals than the currency has', { ...pending, total: '10.0049' }, [payment('t1', '10.00')], ['whole']],
  // docs.stripe.com/billing/invoices/subscription: billing_reason subscription_create, then subscription_cycle.
  [
    'the first invoice pays, the next renews',
    pending,
    [
      payment('i1', '100.00', { billing: 'first', subscriptionID: 'S' }),
      ofSubscription('i2', '80.00', { billing: 'renewal' }),
    ],
    ['whole', 'renewal'],
  ],
  [
    'a trial: nothing first, then a renewal',
    { ...pending, total: '0.00' },
    [
      payment('i1', '0.00', { billing: 'first', subscriptionID: 'S' }),
      ofSubscription('i2', '29.00', { billing: 'renewal' }),
    ],
    ['whole', 'renewal'],
  ],
  [
    'a second "first" with a transaction of its own renews',
    pending,
    [
      payment('i1', '100.00', { billing: 'first', subscriptionID: 'S' }),
      payment('i2', '100.00', { billing: 'first', subscriptionID: 'S' }),
    ],
    ['whole', 'renewal'],
  ],
  // developer.paypal.com/docs/subscriptions/integrate: PAYMENT.SALE.COMPLETED for every payment of an agreement, the first included.
  [
    'sales of an agreement',
    pending,
    [ofSubscription('s1', '100.00'), ofSubscription('s2', '100.00')],
    ['whole', 'renewal'],
  ],
  [
    'a copy of the first sale',
    pending,
    [ofSubscription('s1', '100.00'), ofSubscription('s2', '90.00'), ofSubscription('s1', '100.00')],
    ['whole', 'renewal', 'whole'],
  ],
  [
    'a copy of a renewal',
    pending,
    [ofSubscription('s1', '100.00'), ofSubscription('s2', '90.00'), ofSubscription('s2', '90.00')],
    ['whole', 'renewal', 'renewal'],
  ],
  ['a yearly payment of an order from before', paid, [ofSubscription('s9', '100.00')], ['renewal']],
  [
    'the first payment of an order that the shop has completed by it',
    { ...paid, transaction_id: 's1' },
    [ofSubscription('s1', '100.00')],
    ['whole'],
  ],
  [
    'a subscription beside an order that was paid otherwise',
    pending,
    [payment('t1', '100.00'), ofSubscription('s1', '10.00')],
    ['whole', 'renewal'],
  ],
  [
    'a renewal by the gateway’s own word, without a subscription',
    pending,
    [payment('r1', '5.00', { genericType: 'renewal_payment_completed' })],
    ['renewal'],
  ],
  [
    'what is neither payment nor renewal',
    pending,
    [payment('u1', '5.00', { genericType: null, billing: 'other', subscriptionID: 'S' })],
    ['none'],
  ],
];

test.each(laws)('%s', (_law, order, events, expected) => {
  expect(classified(order, events).map(short)).toEqual(expected);
});

test('a part says what is paid of what, and rules see a payment under way', () => {
  const [part, whole] = classified(pending, [payment('c1', '40'), payment('c2', '60.00')]);
  expect(part).toMatchObject({
    partial: { received: '40.00', total: '100.00', currency: 'EUR' },
    occurrence: { type: 'payment_processing' },
  });
  expect(whole).toMatchObject({ partial: null, occurrence: { type: 'payment_completed' } });
});

test('a mismatch names both sides, and what was paid before', () => {
  const [, second] = classified(pending, [payment('c1', '60.00'), payment('c2', '60.00')]);
  expect(second?.mismatch).toEqual({
    kind: 'amount_mismatch',
    expected: '100.00 EUR',
    actual: '60.00 EUR, 120.00 with what was paid before',
  });
});

/** Amounts are compared where the order's own money comes, and nowhere else. */
test.each([
  ['payment_pending', '40.00', true],
  ['payment_pending', '140.00', false],
  ['payment_refunded', '5.00', true],
  ['payment_refunded', '100.01', false],
  ['payment_failed', '140.00', true],
  ['payment_cancelled', '140.00', true],
  ['payment_reversed', '101.87', true],
  ['dispute_opened', '101.87', true],
  ['dispute_lost', '140.00', true],
  ['subscription_cancelled', '9.00', true],
  ['subscription_suspended', '9.00', true],
  ['trial_started', '0.00', true],
  ['renewal_payment_failed', '9.00', true],
  ['order_updated', '9.00', true],
  [null, '9.00', true],
] as const)('%s of %s agrees with an order of 100.00: %s', (genericType, amount, agrees) => {
  const { mismatch } = classify(payment('t1', amount, { genericType }), pending, [], awaiting);
  expect(mismatch === null).toBe(agrees);
});
