import { buildEvent, buildOrder } from '@order-automation/testing';
import { type Known, ofOrder } from './order-history';
import { readEvent } from './read-event';

const order = buildOrder({ id: 7, total: '49.00', currency: 'EUR' });
const refund = { genericType: 'payment_refunded', transactionID: 'pi_1', amount: '9.00', currency: 'EUR' } as const;

test('the first refund of an order is remembered, also one that names no object of its own', () => {
  const event = buildEvent({ ...refund, primaryObjectID: null });
  const { after } = readEvent(event, order, new Set(['pending']), 0)({ payments: [], states: [] });
  expect(after.refunds).toMatchObject([{ transaction: 'pi_1', amount: '9.00' }]);
});

// "Whether refunds ... exceed the amount paid", shopify.dev/docs/api/admin-graphql/2027-01/input-objects/ReturnProcessRefundInput, `allowOverRefunding`
test.each<[string, string | null, boolean]>([
  ['pi_1', 'EUR', true],
  ['pi_1', null, true],
  ['pi_1', 'USD', false],
  ['pi_2', 'EUR', false],
])('a refund of more than its payment moves nothing and is remembered: %s in %s', (transactionID, currency, is) => {
  const read = (known: Known, change: Partial<Parameters<typeof buildEvent>[0]>) =>
    readEvent(buildEvent(change), order, new Set(['pending']), 0)(known);
  const paid = { genericType: 'payment_completed', transactionID: 'pi_1', amount: '49.00', currency: 'EUR' } as const;
  const part = read({ payments: [], states: [] }, { ...paid, amount: '40.00' }).after;
  const { result, after } = read(part, { ...refund, transactionID, currency, amount: '60.00' });
  expect(result.classification.mismatch).toMatchObject({ kind: 'amount_mismatch' });
  expect(after.refunds?.map(({ amount }) => amount)).toEqual(is ? ['60.00'] : undefined);
});

test('a completed payment that does not fit is remembered once, beside those that do', () => {
  const paid = { genericType: 'payment_completed', transactionID: 'pi_1', currency: 'EUR' } as const;
  const read = (known: Known, amount: string, key: string) =>
    readEvent(buildEvent({ ...paid, amount, idempotencyKey: key }), order, new Set(['pending']), 0)(known).after;
  const once = read({ payments: [], states: [] }, '55.00', 'one');
  expect(once).toMatchObject({ payments: [], unfit: [{ transaction: 'pi_1', amount: '55.00' }] });
  expect(read(once, '55.00', 'two').unfit).toHaveLength(1);
  expect(read(once, '49.00', 'three')).toMatchObject({ payments: [{ transaction: 'pi_1' }], unfit: [{}] });
});

// docs/guide/money.md, `paid_unfit`: "give the money back"; all of it is more than the order's total.
test.each(['pi_1', null])(
  'a payment that does not fit is forgotten with a refund of it that does not, either: %s',
  (transactionID) => {
    const read = (known: Known, change: Partial<Parameters<typeof buildEvent>[0]>) =>
      readEvent(buildEvent({ currency: 'EUR', amount: '55.00', ...change }), order, new Set(['pending']), 0)(known)
        .after;
    const paid = read({ payments: [], states: [] }, { genericType: 'payment_completed', transactionID: 'pi_1' });
    const failed = read(paid, { genericType: 'payment_failed', transactionID: 'pi_2', idempotencyKey: 'two' });
    expect(failed.unfit).toHaveLength(1);
    expect(
      read(failed, { genericType: 'payment_refunded', transactionID: 'pi_3', idempotencyKey: 'three' }).unfit,
    ).toHaveLength(1);
    const refunded = { genericType: 'payment_refunded', transactionID, idempotencyKey: 'four' } as const;
    expect(read(failed, refunded).unfit).toEqual([]);
    // No order of delivery is promised: docs.stripe.com/webhooks#event-ordering
    const before = read({ payments: [], states: [] }, { ...refunded, primaryObjectID: 're_1' });
    const unfit = read(before, { genericType: 'payment_completed', transactionID: 'pi_1' }).unfit;
    expect(unfit ?? []).toHaveLength(transactionID === null ? 1 : 0);
  },
);

// "Previously, currency was the customer's choice of currency and the currency of your Stripe integration was described under currency_conversion",
// docs.stripe.com/changelog/basil/2025-03-31/add_presentment_details
test('a payment that the order has in its own currency is the same in that of its customer, and so are its refunds', () => {
  const read = (known: Known, change: Partial<Parameters<typeof buildEvent>[0]>) =>
    readEvent(buildEvent({ transactionID: 'pi_1', ...change }), order, new Set(['pending']), 0)(known);
  const paid = { genericType: 'payment_completed', amount: '49.00', currency: 'EUR', idempotencyKey: 'one' } as const;
  const known = read({ payments: [], states: [] }, paid).after;
  const seen = { currency: 'USD', amount: '53.12' };
  const again = read(known, { ...paid, ...seen, idempotencyKey: 'two' });
  expect(again.result.classification).toMatchObject({ paid: 'whole', mismatch: null, match: { kind: 'known' } });
  expect(again.after.payments).toMatchObject([{ amount: '49.00', currency: 'EUR' }]);
  const refund = {
    genericType: 'payment_refunded',
    primaryObjectID: 're_1',
    idempotencyKey: 'three',
    ...seen,
  } as const;
  const { classification } = read(again.after, refund).result;
  expect(classification).toMatchObject({ mismatch: null, occurrence: { type: 'payment_refunded' } });
  const other = read(again.after, { ...refund, transactionID: 'pi_2' }).result.classification;
  expect(other.mismatch).toMatchObject({ kind: 'amount_mismatch' });
});

test('what says nothing new leaves what is known as it is', () => {
  const event = buildEvent({ genericType: 'custom_event', primaryObjectID: null, amount: null });
  const known = { payments: [], states: [] };
  expect(readEvent(event, order, new Set(['pending']), 0)(known).after).toBe(known);
});

// "A Refund object representing the cancellation or capture reversal will no longer be created",
// docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow: up to that version it is.
describe('a refund object of the card', () => {
  const at = '2026-11-20T10:00:00.000Z';
  const paid = {
    event_id: 'k',
    event_type: 'x',
    transaction: 'pi_1',
    named_later: false,
    amount: '40.00',
    currency: 'EUR',
  };
  const captured = { payments: [{ ...paid, paid: 'part', at, released: '9.00' }], states: [] } as const;
  const stateOf = (type: 'payment_cancelled' | 'payment_pending', transaction = 'pi_1'): Known => ({
    payments: [],
    states: [{ object: `gateway_card:0:${transaction}`, type, at, event_id: 's', transaction }],
  });
  const nothing: Known = { payments: [], states: [] };

  test.each<
    [string, string | null, Known, { status?: string; occurredAt?: string; amount?: string; released?: string }]
  >([
    ['what a capture let go', null, captured, {}],
    ['of the same amount a day later', 'payment_refunded', captured, { occurredAt: '2026-11-21T10:00:00.000Z' }],
    ['of another amount', 'payment_refunded', captured, { amount: '8.00' }],
    ['of a payment that was cancelled', null, stateOf('payment_cancelled'), { status: 'cancelled' }],
    ['of one that is authorised, of an order that awaits it', null, stateOf('payment_pending'), {}],
    [
      'of one whose capture the shop alone knows',
      'payment_refunded',
      stateOf('payment_pending'),
      { status: 'completed' },
    ],
    ['beside another payment that was cancelled', 'payment_refunded', stateOf('payment_cancelled', 'pi_2'), {}],
    ['of a payment that nothing is known of', 'payment_refunded', nothing, {}],
    [
      'of one that is authorised, in a version that makes none of it',
      'payment_refunded',
      stateOf('payment_pending'),
      { released: '0' },
    ],
    // The version of an event is that of its endpoint, and a request may have been of an earlier one: "passing the `disable_refund_on_auth_release` preview header
    // with your API requests", support.stripe.com/questions/changes-to-balance-transaction-behavior-for-partial-capture-and-payment-cancellation-flows
    ['what a capture let go, reported in such a version', null, captured, { released: '0' }],
    [
      'of a payment that was cancelled, reported in such a version',
      null,
      stateOf('payment_cancelled'),
      { released: '0' },
    ],
  ])('%s', (_what, type, known, { status = 'pending', ...over }) => {
    const event = buildEvent({
      ...{ ...refund, eventType: 'payment.card.refund_created', primaryObjectType: 'refund', primaryObjectID: 're_1' },
      ...{ occurredAt: at, ...over },
    });
    const { result, after } = readEvent(event, { ...order, status }, new Set(['pending']), 0)(known);
    expect(result.classification.occurrence?.type ?? null).toBe(type);
    expect(after.refunds?.length ?? 0).toBe(type === null ? 0 : 1);
  });
});

// "For an inquiry that's already INQUIRY_CLOSED, a later chargeback on the same payment may update the existing dispute", developer.squareup.com/forums/t/28718
test('a dispute that is opened again after its end is an occurrence of its own, once', () => {
  const about = { primaryObjectType: 'dispute', primaryObjectID: 'dp_1', transactionID: 'pi_1', amount: '49.00' };
  const dispute = (genericType: 'dispute_opened' | 'dispute_resolved', eventType: string, minute: number) =>
    buildEvent({
      ...{ ...about, genericType, eventType, currency: 'EUR', idempotencyKey: `${eventType} ${minute}` },
      occurredAt: new Date(Date.UTC(2026, 10, 23, 10, minute)).toISOString(),
    });
  const opened = dispute('dispute_opened', 'created', 1);
  const evidence = dispute('dispute_opened', 'updated.EVIDENCE_REQUIRED', 3);
  const processing = dispute('dispute_opened', 'updated.PROCESSING', 4);
  let known: Known = { payments: [], states: [] };
  const keyOf = (event: typeof opened) => {
    const { result, after } = readEvent(event, order, new Set(['pending']), 0)(known);
    known = after;
    return result.stale ? 'stale' : result.classification.occurrence?.key;
  };
  const first = keyOf(opened);
  expect(keyOf(dispute('dispute_opened', 'updated', 1))).toBe(first);
  keyOf(dispute('dispute_resolved', 'updated.INQUIRY_CLOSED', 2));
  expect(keyOf(opened)).toBe('stale');
  const again = keyOf(evidence);
  expect(again).not.toBe(first);
  expect([keyOf(evidence), keyOf(processing), keyOf(evidence)]).toEqual([again, again, again]);
});

// No order of delivery is promised (docs.stripe.com/webhooks#event-ordering); `charge.dispute.funds_withdrawn`, docs.stripe.com/api/events/types
test('what a dispute took is back where it was won, whichever of the two is reported first; what another takes later is not', () => {
  const of = { transactionID: 'pi_1', primaryObjectType: 'dispute', currency: 'EUR', amount: '49.00' } as const;
  const won = {
    ...of,
    genericType: 'dispute_won',
    primaryObjectID: 'dp_1',
    occurredAt: '2026-11-20T10:00:00.000Z',
  } as const;
  const taken = (occurredAt: string, primaryObjectID: string) =>
    ({ ...of, genericType: 'payment_reversed', primaryObjectID, occurredAt }) as const;
  const reversals = (...events: readonly Partial<Parameters<typeof buildEvent>[0]>[]) =>
    events
      .reduce<Known>(
        (known, one, at) =>
          readEvent(buildEvent({ ...one, idempotencyKey: String(at) }), order, new Set(['pending']), 0)(known).after,
        { payments: [], states: [] },
      )
      .states.filter(({ type }) => type === 'payment_reversed');
  const first = taken('2026-11-01T10:00:00.000Z', 'dp_1');
  expect(reversals(first, won)).toEqual([]);
  expect(reversals(won, first)).toEqual([]);
  expect(reversals(won, taken('2026-11-25T10:00:00.000Z', 'dp_2'))).toHaveLength(1);
  // Of two disputes of one payment that run at once the end of one is not that of the other.
  const second = taken('2026-11-02T10:00:00.000Z', 'dp_2');
  const opened = { ...second, genericType: 'dispute_opened' } as const;
  expect(reversals(opened, first, second, won)).toMatchObject([{ at: second.occurredAt }]);
  expect(reversals(opened, won, first, second)).toMatchObject([{ at: second.occurredAt }]);
  const reinstated = { ...of, eventType: 'payment.card.charge_dispute_funds_reinstated', genericType: null } as const;
  expect(reversals(first, second, { ...reinstated, primaryObjectID: 'dp_1' })).toMatchObject([
    { at: second.occurredAt },
  ]);
  expect(reversals(first, second, { ...reinstated, primaryObjectID: 'capture' })).toEqual([]);
  // A reversal that is reported after its return is past; one that is later than that, or of another dispute, is not.
  const back = { ...reinstated, primaryObjectID: 'dp_1', occurredAt: '2026-11-20T10:00:00.000Z' };
  expect(reversals(back, first, first)).toEqual([]);
  expect(reversals(back, second, taken('2026-11-25T10:00:00.000Z', 'dp_1'))).toHaveLength(2);
  const ofWallet = { sourceGateway: 'gateway_wallet', primaryObjectType: 'payment' } as const;
  const cancelled = { ...back, ...ofWallet, eventType: 'payment.wallet.canceled_reversal', primaryObjectID: 'CR1' };
  expect(reversals(cancelled, { ...first, ...ofWallet, primaryObjectID: 'RV1' })).toEqual([]);
  expect(reversals(cancelled, { ...taken('2026-11-25T10:00:00.000Z', 'RV2'), ...ofWallet })).toHaveLength(1);
});

// WC_Order::get_order_key(): made at random for each order; the ids of MySQL count on from where a restored database was.
test('what is known of an order that a restored shop has lost is nothing of the one that has its id now', () => {
  const read = (known: Known, order_key: string, transactionID: string) => {
    const paid = { genericType: 'payment_completed', amount: '49.00', currency: 'EUR', transactionID } as const;
    const event = buildEvent({ ...paid, idempotencyKey: transactionID });
    return ofOrder({ ...order, order_key }, readEvent(event, order, new Set(['pending']), 0))(known);
  };
  const lost = read({ payments: [], states: [] }, 'wc_order_lost', 'pi_1').after;
  const { result, after } = read(lost, 'wc_order_new', 'pi_2');
  expect([result.before.payments, after.payments.length, after.moves?.length]).toEqual([[], 1, 1]);
  expect(read(after, 'wc_order_new', 'pi_3').after.payments).toHaveLength(2);
});
