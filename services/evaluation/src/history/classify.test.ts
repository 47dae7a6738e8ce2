import type { UniversalEvent } from '@order-automation/contracts';
import { event as eventOf } from '../../../../shared/engine/test/fixtures';
import { type Classification, classify } from './classify';
import type { OrderOfPayment } from './first-or-renewal';
import { type Payment, paymentOf, remembering } from './payments';
import type { Refund } from './refunds';

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
/** An invoice that names no payment. */
const ofInvoice = (invoice: string, amount: string, more: Partial<UniversalEvent> = {}) =>
  payment(null, amount, { primaryObjectType: 'invoice', primaryObjectID: invoice, idempotencyKey: invoice, ...more });
const renewalOf = (invoice: string, idempotencyKey: string) =>
  ofInvoice(invoice, '50.00', { genericType: 'renewal_payment_completed', billing: 'renewal', idempotencyKey });

/** What is made of events in the order in which they come. */
function classified(order: OrderOfPayment, events: readonly UniversalEvent[]): Classification[] {
  let seen: readonly Payment[] = [];
  return events.map((one) => {
    const found = classify({ event: one, order, payments: seen, awaiting });
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

// "Void authorized payment", developer.paypal.com/docs/api/payments/v2
test.each([
  ['an order that awaits the rest', pending, ['part'], '40.00'],
  ['an order that a person has completed', { ...pending, status: 'completed' }, ['part'], undefined],
  ['an order of which nothing was paid', pending, [], undefined],
  ['an order that is paid', pending, ['part', 'whole'], undefined],
] as const)('a payment that is cancelled: %s', (_what, order, paidBefore, received) => {
  const payments = paidBefore.map((how) => ({
    ...paymentOf(payment(how, how === 'part' ? '40.00' : '60.00')),
    paid: how,
  }));
  const event = payment('void', '100.00', { genericType: 'payment_cancelled' });
  expect(classify({ event, order, payments, awaiting }).partial?.received).toBe(received);
});

// A clerk adds a line between the payment and what a rule does about it (woocommerce.com/document/managing-orders, "Add item(s)").
test.each([
  ['waits for its payment', 'pending', '130.00', 'part'],
  ['is done', 'completed', '130.00', 'whole'],
  ['costs less', 'pending', '90.00', 'whole'],
])('a payment that paid an order which has changed since: it %s', (_what, status, total, expected) => {
  const first = classify({ event: payment('t1', '100.00'), order: pending, payments: [], awaiting });
  const payments = remembering([], first.payment as Payment, first.match ?? undefined);
  const again = { event: payment('t1', '100.00'), order: { ...pending, status, total }, payments, awaiting };
  const found = classify(again);
  expect([first.paid, short(found), found.partial?.received]).toEqual([
    'whole',
    expected,
    expected === 'part' ? '100.00' : undefined,
  ]);
  const rest = {
    ...again,
    event: payment('t2', '30.00'),
    payments: remembering(payments, found.payment as Payment, found.match ?? undefined),
  };
  if (expected === 'part') expect(classify(rest).paid).toBe('whole');
});

// docs.stripe.com/currencies#three-decimal: "5.124 KWD must be rounded to 5120 or 5130"
test('two events of a payment that was rounded are the whole payment, twice', () => {
  const event = payment('t1', '5.120', { currency: 'KWD' });
  const found = classified({ ...pending, currency: 'KWD', total: '5.124' }, [
    event,
    { ...event, idempotencyKey: 'two' },
  ]);
  expect(found.map(short)).toEqual(['whole', 'whole']);
});

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
  [
    'what was captured before arrives after what is captured by now',
    pending,
    [payment('c1', '100.00'), payment('c1', '40.00', { idempotencyKey: 'earlier' })],
    ['whole', 'whole'],
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
  // "invoice.paid": github.com/Shelf-nu/shelf.nu/pull/2310; "invoice.payment_succeeded": github.com/whisper-money/whisper-money/pull/540
  [
    'the invoice of a trial, which both of its events report',
    { ...pending, total: '0.00' },
    ['paid', 'payment_succeeded'].map((key) => ofInvoice('i1', '0.00', { billing: 'first', idempotencyKey: key })),
    ['whole', 'repeated'],
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
  // "Partial capture from Stripe dashboard", https://github.com/woocommerce/woocommerce-gateway-stripe/issues/2799: the rest never comes.
  [
    'a last capture of less than the total is a part',
    pending,
    [payment('c1', '40.00', { isFinalCapture: true })],
    ['part'],
  ],
  [
    'a copy of a part without its transaction',
    pending,
    [payment('c1', '40.00'), payment(null, '40.00'), payment('c2', '60.00')],
    ['part', 'repeated', 'whole'],
  ],
  [
    'a copy of the last part',
    pending,
    [payment('c1', '40.00'), payment('c2', '60.00'), payment('c2', '60.00', { idempotencyKey: 'charge' })],
    ['part', 'whole', 'whole'],
  ],
  [
    'one more after all parts is too much',
    pending,
    [payment('c1', '40.00'), payment('c2', '60.00'), payment('c3', '60.00')],
    ['part', 'whole', 'amount_mismatch'],
  ],
  [
    'parts in the smallest unit of the currency',
    { ...pending, total: '10.0049' },
    [payment('c1', '5.004'), payment('c2', '5.00')],
    ['part', 'whole'],
  ],
  [
    'an amount that is written as the order is',
    { ...pending, total: '10.0051' },
    [payment('t1', '10.0051')],
    ['whole'],
  ],
  [
    'decimals of a currency that ISO 4217 does not know are those of the order',
    { ...pending, currency: 'USDT', total: '10.123456' },
    [payment('t1', '10.123455', { currency: 'USDT' }), payment('t2', '0.000001', { currency: 'USDT' })],
    ['part', 'whole'],
  ],
  // docs.stripe.com/currencies#three-decimal; developer.paypal.com/api/rest/reference/currency-codes
  [
    'dinars in two parts, of which the gateway takes no single fils',
    { ...pending, currency: 'KWD', total: '10.255' },
    [payment('t1', '4.120', { currency: 'KWD' }), payment('t2', '6.140', { currency: 'KWD' })],
    ['part', 'whole'],
  ],
  [
    'two parts of a forint order, each without its half',
    { ...pending, currency: 'HUF', total: '4900.50' },
    ['2450', '2450'].map((amount, at) =>
      payment(`t${at}`, amount, { currency: 'HUF', sourceGateway: 'gateway_wallet' }),
    ),
    ['part', 'whole'],
  ],
  [
    'two parts of which one is a forint too much',
    { ...pending, currency: 'HUF', total: '4900.50' },
    ['2450', '2452'].map((amount, at) =>
      payment(`t${at}`, amount, { currency: 'HUF', sourceGateway: 'gateway_wallet' }),
    ),
    ['part', 'amount_mismatch'],
  ],
  ['yen', { ...pending, currency: 'JPY', total: '4900' }, [payment('t1', '4900.00', { currency: 'JPY' })], ['whole']],
  // "PayPal Standard & Express Checkout Subscription Related IPN Messages", https://gist.github.com/thenbrent/3037967: mc_amount1, then mc_amount3.
  [
    'a first period at a price of its own, then the usual one',
    { ...pending, total: '11.00' },
    [ofSubscription('s1', '11.00'), ofSubscription('s2', '5.50'), ofSubscription('s3', '5.50')],
    ['whole', 'renewal', 'renewal'],
  ],
  // "The billing_reason of the first invoice of a subscription is now subscription_create",
  // https://docs.stripe.com/changelog/2018-10-31/first-invoice-subscription-billing-reason-subscription-create: older ones say subscription_update.
  [
    'an upgrade between the first and the second month',
    pending,
    [
      payment('i1', '100.00', { billing: 'first', subscriptionID: 'S' }),
      payment('i2', '30.00', { genericType: null, billing: 'other', subscriptionID: 'S' }),
      ofSubscription('i3', '130.00', { billing: 'renewal' }),
    ],
    ['whole', 'none', 'renewal'],
  ],
  [
    'the second month arrives before the first',
    pending,
    [
      ofSubscription('i2', '100.00', { billing: 'renewal' }),
      payment('i1', '100.00', { billing: 'first', subscriptionID: 'S' }),
    ],
    ['renewal', 'whole'],
  ],
  [
    'a cheaper second month arrives before the first, and only times tell',
    pending,
    [
      ofSubscription('s2', '90.00', { occurredAt: '2026-02-13T10:00:00.000Z' }),
      ofSubscription('s1', '100.00', { occurredAt: '2026-01-13T10:00:00.000Z' }),
      ofSubscription('s3', '90.00', { occurredAt: '2026-03-13T10:00:00.000Z' }),
    ],
    ['part', 'whole', 'renewal'],
  ],
  [
    'the first charge after a trial of an order of nothing',
    { ...pending, status: 'processing', total: '0.00' },
    [ofSubscription('s1', '29.00'), ofSubscription('s2', '29.00')],
    ['renewal', 'renewal'],
  ],
  [
    'the payment of a renewal by another event, which names no subscription',
    paid,
    [ofSubscription('r1', '61.00', { billing: 'renewal' }), payment('r1', '61.00', { idempotencyKey: 'intent' })],
    ['renewal', 'renewal'],
  ],
  [
    'the first payment under another id of the order’s own payment',
    { ...paid, transaction_id: 'ch_1' },
    [
      ofSubscription('pi_1', '100.00', {
        orderReference: {
          gateway_ids: ['pi_1', 'ch_1'],
          order_id: '7',
          transaction_id: 'pi_1',
          transactions: ['pi_1', 'ch_1'],
        },
      }),
    ],
    ['whole'],
  ],
  [
    'two subscriptions of one order: the second is no payment of it',
    pending,
    [ofSubscription('s1', '100.00'), ofSubscription('u1', '9.00', { subscriptionID: 'T' })],
    ['whole', 'amount_mismatch'],
  ],
  // mc_amount3 of the shop and of the subscription may differ by tax; https://gist.github.com/thenbrent/3037967: one order, then subscr_payment a period.
  [
    'a first payment of another amount was the first all the same',
    pending,
    [ofSubscription('s1', '120.00'), ofSubscription('s1', '120.00'), ofSubscription('s2', '120.00')],
    ['amount_mismatch', 'amount_mismatch', 'renewal'],
  ],
  [
    'a payment of another amount that is later than the first and comes before it',
    pending,
    [
      ofSubscription('s2', '120.00', { occurredAt: '2026-02-13T10:00:00.000Z' }),
      ofSubscription('s1', '100.00', { occurredAt: '2026-01-13T10:00:00.000Z' }),
    ],
    ['amount_mismatch', 'whole'],
  ],
  [
    'a first payment of another amount does not count towards the total',
    pending,
    [ofSubscription('s1', '120.00'), payment('t1', '40.00'), payment('t2', '60.00')],
    ['amount_mismatch', 'part', 'whole'],
  ],
  // "Invoice: … removes `payment_intent`, `charge`", docs.stripe.com/changelog/basil; "Handle duplicate events", docs.stripe.com/webhooks
  ['two invoices of one price', pending, [ofInvoice('i1', '50.00'), ofInvoice('i2', '50.00')], ['part', 'whole']],
  // docs.stripe.com/invoicing/partial-payments: an invoice of several payments, which it does not name
  [
    'an invoice is the sum of its payments',
    pending,
    [payment('p1', '40.00'), payment('p2', '60.00'), ofInvoice('i1', '100.00')],
    ['part', 'whole', 'repeated'],
  ],
  [
    'an invoice between its payments',
    pending,
    [payment('p1', '40.00'), ofInvoice('i1', '100.00'), payment('p2', '60.00'), payment('p2', '60.00')],
    ['part', 'whole', 'repeated', 'repeated'],
  ],
  [
    'an invoice before its payments, and one more',
    pending,
    [ofInvoice('i1', '100.00'), payment('p1', '40.00'), payment('p2', '60.00'), payment('p3', '60.00')],
    ['whole', 'repeated', 'repeated', 'amount_mismatch'],
  ],
  [
    'all of an order again after its invoice and both payments of that',
    pending,
    [ofInvoice('i1', '100.00'), payment('p1', '40.00'), payment('p2', '60.00'), payment('p3', '100.00')],
    ['whole', 'repeated', 'repeated', 'amount_mismatch'],
  ],
  [
    'an invoice for the rest of an order',
    pending,
    [payment('p1', '40.00'), ofInvoice('i1', '60.00'), payment('p2', '60.00')],
    ['part', 'whole', 'repeated'],
  ],
  // "Reference transaction payment" (`merch_pmt`), developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables
  [
    'a deposit and the rest from one agreement, and then a renewal',
    pending,
    [ofSubscription('s1', '20.00'), ofSubscription('s2', '80.00'), ofSubscription('s3', '80.00')],
    ['part', 'whole', 'renewal'],
  ],
  [
    'a cheaper first payment, and a renewal with which it is not the total',
    pending,
    [ofSubscription('s1', '20.00'), ofSubscription('s2', '90.00')],
    ['part', 'renewal'],
  ],
  [
    'a renewal told twice, and another of the same price',
    paid,
    [renewalOf('i1', 'a'), renewalOf('i1', 'b'), renewalOf('i2', 'c'), renewalOf('i1', 'a')],
    ['renewal', 'repeated', 'renewal', 'renewal'],
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

test('a part says what is paid of what, and rules see a payment in flight', () => {
  const [part, whole] = classified(pending, [payment('c1', '40'), payment('c2', '60.00')]);
  expect(part).toMatchObject({
    partial: { received: '40.00', total: '100.00', currency: 'EUR' },
    occurrence: { type: 'payment_processing' },
  });
  expect(whole).toMatchObject({ partial: null, occurrence: { type: 'payment_completed' } });
});

test('a copy of a part tells it again, and the last capture of a payment is called so', () => {
  const final = { isFinalCapture: true };
  const [part, copy] = classified(pending, [
    payment('c1', '40'),
    payment('c1', '40', { idempotencyKey: 'copy', ...final }),
  ]);
  expect(part?.partial).toEqual({ received: '40.00', total: '100.00', currency: 'EUR' });
  expect(copy?.partial).toEqual({ received: '40.00', total: '100.00', currency: 'EUR', is_final: true });
});

test.each([
  ['a part', [payment('c1', '40.00')], 'c1', '40.01', false],
  ['a part', [payment('c1', '40.00')], 'c1', '40.00', true],
  [
    'a renewal that costs more than the order',
    [ofSubscription('r1', '161.00', { billing: 'renewal' })],
    'r1',
    '161.00',
    true,
  ],
  ['a payment nobody has seen', [], 'x', '100.00', true],
])('a refund of %s is never larger than what was paid', (_what, before, transaction, amount, agrees) => {
  let seen: readonly Payment[] = [];
  for (const one of before) {
    const { payment: found } = classify({ event: one, order: pending, payments: seen, awaiting });
    if (found) seen = remembering(seen, found);
  }
  const refund = payment(transaction, amount, { genericType: 'payment_refunded', idempotencyKey: 'refund' });
  expect(classify({ event: refund, order: pending, payments: seen, awaiting }).mismatch === null).toBe(agrees);
});

/* What was given back of a part is missing again: a deposit that was refunded, then all of it paid at once. */
test.each<[string, readonly Partial<Refund>[], string, string]>([
  ['nothing was given back', [], '100.00', 'amount_mismatch'],
  ['nothing was given back, the rest', [], '60.00', 'whole'],
  ['all of it was', [{ kind: 'one', amount: '40.00' }], '100.00', 'whole'],
  ['all of it was, the rest', [{ kind: 'one', amount: '40.00' }], '60.00', 'part'],
  ['all of it by a sum', [{ kind: 'so_far', amount: '40.00' }], '100.00', 'whole'],
  [
    'by both, which are one',
    [
      { kind: 'one', amount: '40.00' },
      { kind: 'so_far', amount: '40.00' },
    ],
    '60.00',
    'part',
  ],
  [
    'by two refunds',
    [
      { kind: 'one', amount: '15.00' },
      { kind: 'one', amount: '25.00', key: 'b' },
    ],
    '100.00',
    'whole',
  ],
  ['a part of it was', [{ kind: 'one', amount: '10.00' }], '70.00', 'whole'],
  ['of another payment', [{ kind: 'one', amount: '40.00', transaction: 'x' }], '100.00', 'amount_mismatch'],
  // "payment_id" and "action_id" (checkout.com/docs/developer-resources/webhooks/webhook-event-types, "Payment refunded").
  ['of the payment that it is a capture of', [{ kind: 'one', amount: '40.00', transaction: 'p1' }], '100.00', 'whole'],
  ['nothing was, but of itself', [{ kind: 'one', amount: '60.00', transaction: 'c2' }], '60.00', 'part'],
])('a payment after a part, of which %s', (_what, refunds, amount, expected) => {
  const orderReference = { order_id: '7', transaction_id: 'c1', gateway_ids: [], transactions: ['c1', 'p1'] };
  const [part] = classified(pending, [payment('c1', '40.00', { sourceGateway: 'generic', orderReference })]);
  const seen = remembering([], part?.payment as Payment);
  const given = refunds.map(
    (one): Refund => ({
      event_id: 'e',
      key: 'a',
      counts_as: one.key ?? 'a',
      transaction: 'c1',
      kind: 'one',
      amount: null,
      ...one,
    }),
  );
  const event = payment('c2', amount);
  expect(short(classify({ event, order: pending, payments: seen, awaiting, refunds: given }))).toBe(expected);
});

/*
 * "Automatically resends the undelivered events … for up to three days" (docs.stripe.com/webhooks/process-undelivered-events): what was given back of a part may
 * be reported before the last part, or before any.
 * The order had been paid by then, unless it was given back before the last part was paid.
 */
test.each([
  ['after the last part, is reported before that', '2026-11-01T12:00:00Z', '2026-11-01T11:00:00Z', 'whole'],
  ['after the last part, is reported before both', '2026-11-01T12:00:00Z', '2026-11-01T09:00:00Z', 'whole'],
  ['between them', '2026-11-01T10:30:00Z', '2026-11-01T11:00:00Z', 'part'],
  ['between them, the later one first', '2026-11-01T10:00:00Z', '2026-11-01T09:00:00Z', 'part'],
])('a part of which some was given back %s', (_what, at, occurredAt, expected) => {
  const [first] = classified(pending, [payment('c1', '40.00', { occurredAt: '2026-11-01T10:00:00Z' })]);
  const refund = { event_id: 'e', key: 'a', counts_as: 'a', transaction: 'c1', kind: 'one', amount: '10.00' } as const;
  const event = payment('c2', '60.00', { occurredAt });
  const payments = remembering([], first?.payment as Payment);
  expect(short(classify({ event, order: pending, payments, awaiting, refunds: [{ ...refund, at }] }))).toBe(expected);
  const state = { object: 'o', type: 'payment_reversed', at, event_id: 'e', transaction: 'c1' } as const;
  const states = [{ ...state, amount: '10.00', currency: 'EUR' }];
  expect(short(classify({ event, order: pending, payments, awaiting, states }))).toBe(expected);
});

// The buyer pays all of it in another way, and the shop gives the part back, which is reported first.
test('what was given back after more than all of it was paid is that', () => {
  const [first] = classified(pending, [payment('c1', '40.00', { occurredAt: '2026-11-01T10:00:00Z' })]);
  const event = payment('c2', '100.00', { occurredAt: '2026-11-01T11:00:00Z' });
  const payments = remembering([], first?.payment as Payment);
  const refund = { event_id: 'e', key: 'a', counts_as: 'a', transaction: 'c1', kind: 'one', amount: '40.00' } as const;
  const given = { event, order: pending, payments, awaiting, refunds: [{ ...refund, at: '2026-11-01T12:00:00Z' }] };
  expect(short(classify(given))).toBe('whole');
  expect(short(classify({ ...given, refunds: [] }))).toBe('amount_mismatch');
});

test('payments that were remembered before they had parts are whole', () => {
  const earlier: Payment = {
    event_id: 'e',
    event_type: 'x',
    transaction: 't1',
    named_later: false,
    amount: '100.00',
    currency: 'EUR',
  };
  const before = { order: pending, payments: [earlier], awaiting };
  expect(classify({ ...before, event: payment('t1', '100.00') })).toMatchObject({
    paid: 'whole',
    match: { kind: 'known' },
  });
  expect(classify({ ...before, event: ofSubscription('s1', '20.00') }).paid).toBe('renewal');
});

test('a mismatch names both sides, and what was paid before', () => {
  const [, second] = classified(pending, [payment('c1', '60.00'), payment('c2', '60.00')]);
  expect(second?.mismatch).toEqual({
    kind: 'amount_mismatch',
    expected: '100.00 EUR',
    actual: '60.00 EUR, 120.00 with what was paid before',
  });
});

// Field case 12; "amount in minor units", docs.adyen.com/development-resources/currency-codes
test.each([
  ['10000.00', 'EUR', 'generic', true],
  ['10000.00', null, 'generic', true],
  ['10000.00', 'USD', 'generic', false],
  ['10000.01', 'EUR', 'generic', false],
  ['10000.00', 'EUR', 'gateway_card', false],
])('a mismatch of %s %s from %s says whether amount_unit is its cause: %s', (amount, currency, sourceGateway, says) => {
  const event = { ...payment('c1', amount), currency, sourceGateway };
  const { mismatch } = classify({ order: pending, payments: [], awaiting, event });
  expect(mismatch?.actual.includes(', the same if its amounts are in cents: ')).toBe(says);
});

// Decimal text of es-CL, id and de has a point between thousands: unicode.org/reports/tr35/tr35-numbers.html#Number_Symbols
test.each([
  ['150.000', '150000', 'CLP', 'none'],
  ['150.000', '150000.00', 'IDR', 'none'],
  ['1.234', '1234.00', 'EUR', 'none'],
  ['150.000', '150', 'JPY', 'whole'],
  ['49.990', '49.99', 'EUR', 'whole'],
  ['50.000', '150000', 'CLP', 'part'],
  ['150', '150000', 'CLP', 'part'],
  ['29.500', '29500.000', 'KWD', 'part'],
] as const)('%s of an order of %s %s: %s', (amount, total, currency, paid) => {
  const event = { ...payment('c1', amount), currency, sourceGateway: 'generic' };
  const order = { ...pending, total, currency };
  const found = classify({ order, payments: [], awaiting, event });
  expect(found.paid).toBe(paid);
  expect(found.mismatch?.actual.includes('its point separates thousands') === true).toBe(paid === 'none');
});

// docs/guide/connect-a-gateway.md, `amount_unit`: thousands have no separator, and a mismatch says so; of a refund as of a payment.
test.each([
  ['150.000', '150000', true],
  ['150.000', '90000', false],
  ['90.000', '90000', true],
] as const)('a refund of %s of a payment of %s', (amount, paid, isOdd) => {
  const order = { ...pending, total: '150000', currency: 'CLP' };
  const before = { ...paymentOf(payment('c1', paid)), currency: 'CLP' };
  const refund = { ...payment('c1', amount, { genericType: 'payment_refunded' }), currency: 'CLP' };
  const { mismatch } = classify({
    order,
    payments: [before],
    awaiting,
    event: { ...refund, sourceGateway: 'generic' },
  });
  expect(mismatch?.actual.includes('its point separates thousands') === true).toBe(isOdd);
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
  const event = payment('t1', amount, { genericType });
  const { mismatch } = classify({ event, order: pending, payments: [], awaiting });
  expect(mismatch === null).toBe(agrees);
});
