import type { OrderRefunded } from '@order-automation/contracts';
import { buildEvent } from '@order-automation/testing';
import { occurrenceOfEvent, occurrenceOfRefund } from './occurrence';
import { paymentOf } from './payments';
import {
  countedRefund,
  isFailedRefund,
  isFirstFailure,
  keptOf,
  type Refund,
  refundedOf,
  refundOf,
  shopRefundOf,
  withFailed,
  withRefund,
} from './refunds';

const payment = { genericType: 'payment_refunded', transactionID: 'pi_1', currency: 'EUR' } as const;
const ofRefund = (id: string, amount: string) =>
  buildEvent({
    ...payment,
    eventType: 'payment.card.refund_created',
    primaryObjectType: 'refund',
    primaryObjectID: id,
    amount,
  });
const ofCharge = (amount: string) =>
  buildEvent({
    ...payment,
    eventType: 'payment.card.charge_refunded',
    primaryObjectType: 'charge',
    primaryObjectID: 'ch_1',
    amount,
  });

/** The occurrence that each event counts as, numbered in order of appearance. */
function occurrences(events: readonly (ReturnType<typeof buildEvent> | OrderRefunded)[]): number[] {
  let seen: readonly Refund[] = [];
  const keys: string[] = [];
  return events.map((event) => {
    const refund =
      'refund_id' in event
        ? shopRefundOf(event, occurrenceOfRefund(event).key)
        : refundOf(event, occurrenceOfEvent(event, 42)?.key ?? '');
    if (!refund) throw new Error('no refund');
    const counted = countedRefund(seen, refund);
    seen = withRefund(seen, counted);
    if (!keys.includes(counted.counts_as)) keys.push(counted.counts_as);
    return keys.indexOf(counted.counts_as) + 1;
  });
}

const [a, b] = [ofRefund('re_a', '15.00'), ofRefund('re_b', '10.00')];
const [sumA, sumAB] = [ofCharge('15.00'), ofCharge('25.00')];

test.each([
  ['two partial refunds of one payment', [a, b], [1, 2]],
  ['two of the same amount', [a, ofRefund('re_c', '15.00')], [1, 2]],
  ['the refund, then the charge', [a, sumA, b, sumAB], [1, 1, 2, 2]],
  ['the charge, then the refund', [sumA, a, sumAB, b], [1, 1, 2, 2]],
  ['both charges first', [sumA, sumAB, a, b], [1, 2, 1, 2]],
  ['both refunds first, the charges out of order', [a, b, sumAB, sumA], [1, 2, 2, 1]],
  ['the sum of both alone', [sumAB, a, b, sumA], [1, 1, 2, 2]],
  ['charges alone', [sumA, sumAB], [1, 2]],
  ['a sum, the refund after it, its sum, and the refund before', [ofCharge('10.00'), a, sumAB, b], [1, 2, 2, 1]],
  ['the later of two equal refunds first', [ofCharge('30.00'), ofRefund('re_c', '15.00'), sumA, a], [1, 1, 2, 2]],
  ['every event again', [a, sumA, a, sumA, b, b], [1, 1, 1, 1, 2, 2]],
  [
    'another event about the same refund',
    [a, { ...ofRefund('re_a', '15.00'), eventType: 'payment.card.refund' }],
    [1, 1],
  ],
])('%s', (_what, events, expected) => {
  expect(occurrences(events)).toEqual(expected);
});

/** In every order of arrival. */
function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((one, at) => permutations(list.toSpliced(at, 1)).map((rest) => [one, ...rest]));
}

// The event says what the sum was before: `data.previous_attributes`, https://docs.stripe.com/api/events/object
test.each([
  [
    ['15.00', '25.00'],
    ['15.00', '10.00'],
  ],
  [
    ['5.00', '15.00', '20.00'],
    ['5.00', '10.00', '5.00'],
  ],
])('sums %j of refunds %j, with what they were before, arrive in any order', (sums, amounts) => {
  const grown = sums.map((sum, at) => ({ ...ofCharge(sum), refundedBefore: sums[at - 1] ?? '0.00' }));
  const reports = [...grown, ...amounts.map((amount, at) => ofRefund(`re_${at}`, amount))];
  const wrong = permutations(reports).filter((events) => Math.max(...occurrences(events)) !== amounts.length);
  expect(wrong).toEqual([]);
});

const ofShop = (id: number, amount: string): OrderRefunded => ({
  change_id: `chg_${id}`,
  kind: 'refunded',
  order_id: 42,
  refund_id: id,
  amount,
  currency: 'EUR',
  at: '2026-01-15T10:00:00.000Z',
  cause: { process_id: 'proc_1', depth: 0, author: 'ada' },
});
const ofPayment = (amount: string | null) =>
  buildEvent({ ...payment, eventType: 'payment_refunded', primaryObjectType: 'order', primaryObjectID: '42', amount });
// docs.lemonsqueezy.com/api/orders/the-order-object, "refunded_amount": all of it so far, and no refund has an id.
const told = (amount: string) =>
  buildEvent({
    ...payment,
    eventType: 'order_refunded',
    primaryObjectType: 'refund',
    primaryObjectID: amount,
    amount,
    isRefundTotal: true,
  });
const [s15, s10] = [ofShop(1, '15.00'), ofShop(2, '10.0')];

test.each<[string, Parameters<typeof occurrences>[0], number[]]>([
  ['the shop, the refund, the charge', [s15, a, sumA, s10, sumAB, b], [1, 1, 1, 2, 2, 2]],
  ['the refund, then the shop', [a, s15, b, s10], [1, 1, 2, 2]],
  ['the charge alone, then the shop', [sumA, s15, s10, sumAB], [1, 1, 2, 2]],
  ['two of one amount, each with its own', [s15, ofShop(3, '15'), a, ofRefund('re_c', '15.00')], [1, 2, 1, 2]],
  // "5.124 KWD must be rounded to 5120 or 5130", docs.stripe.com/currencies#three-decimal; a shop may calculate with three decimals in any currency
  ['decimals that the gateway cannot give back', [ofShop(4, '5.124'), ofRefund('re_k', '5.120')], [1, 1]],
  ['the same, as a sum', [ofShop(4, '5.124'), ofCharge('5.130'), ofRefund('re_k', '5.130')], [1, 1, 1]],
  ['the same, the gateway first', [ofRefund('re_k', '5.00'), ofCharge('5.00'), ofShop(4, '5.005')], [1, 1, 1]],
  ['the equal one of two', [ofShop(4, '5.124'), ofShop(5, '5.120'), ofRefund('re_k', '5.120')], [1, 2, 2]],
  ['a cent is another refund', [ofShop(4, '5.12'), ofRefund('re_k', '5.13')], [1, 2]],
  ['the gateway has refunded what the shop has not', [s15, b, a], [1, 2, 1]],
  ['a sender that tells the sum alone', [s15, told('15.00'), s10, told('25.00'), told('15.00')], [1, 1, 2, 2, 1]],
  ['such a sum before the shop', [told('25.00'), s15, s10, told('15.00')], [1, 1, 2, 2]],
  ['a gateway that names the payment alone', [s15, ofPayment('15.00'), s15, ofPayment('15.00')], [1, 1, 1, 1]],
  ['an event without an amount is not told to be the one of the shop', [s15, ofPayment(null)], [1, 2]],
])('shop and gateway: %s', (_what, reports, expected) => {
  expect(occurrences(reports)).toEqual(expected);
});

test('the refund of another payment has nothing to do with it', () => {
  const other = { ...ofCharge('15.00'), transactionID: 'pi_2' };
  expect(occurrences([a, other])).toEqual([1, 2]);
});

test('an event that is about no refund is none', () => {
  expect(refundOf(buildEvent({ genericType: 'payment_completed' }), 'key')).toBeNull();
});

// "refund.failed", https://docs.stripe.com/refunds#failed-refunds: the amount returns to the balance.
test('the money of a refund that failed is kept, and of a further one it is not', () => {
  const order = { total: '49.00', currency: 'EUR' };
  const remember = (seen: readonly Refund[], event: ReturnType<typeof buildEvent>) => {
    const refund = refundOf(event, occurrenceOfEvent(event, 42)?.key ?? '');
    return refund ? withRefund(seen, countedRefund(seen, refund)) : seen;
  };
  const payment = paymentOf(buildEvent({ transactionID: 'pi_1', amount: '20.00' }));
  const kept = (seen: readonly Refund[]) => Number(keptOf(payment, order, seen).units);
  const seen = [sumA, a].reduce(remember, []);
  const told = { genericType: null, eventType: 'payment.card.refund_failed', status: 'failed' } as const;
  const failed = { ...a, ...told, idempotencyKey: 'gateway_card:evt_failed' };
  expect(kept(seen)).toBe(500);
  const after = withFailed(seen, failed, 42);
  expect(kept(after)).toBe(2000);
  expect(withFailed(after, failed, 42)).toBe(after);
  expect(isFirstFailure(after, failed)).toBe(true);
  expect(isFirstFailure(after, { ...failed, idempotencyKey: 'gateway_card:evt_again' })).toBe(false);
  // Of a refund that nobody has reported the failure is remembered, and no money of it.
  const unknown = { ...failed, primaryObjectID: 're_x' };
  expect(kept(withFailed(seen, unknown, 42))).toBe(500);
  expect(isFirstFailure(withFailed(seen, unknown, 42), unknown)).toBe(true);
  expect(kept(remember(after, ofRefund('re_c', '15.00')))).toBe(500);
});

// An endpoint that hears of the sums and of failures alone ("charge.refunded", "charge.refund.updated": github.com/woocommerce/woocommerce-gateway-stripe/pull/2031).
test('a sum whose refund failed is reached again by a refund that is made again', () => {
  const told = { genericType: null, eventType: 'payment.card.charge_refund_updated', status: 'failed' } as const;
  const failed = { ...a, ...told, idempotencyKey: 'gateway_card:evt_failed' };
  const counts = (seen: readonly Refund[], event: ReturnType<typeof buildEvent>) => {
    const refund = refundOf(event, occurrenceOfEvent(event, 42)?.key ?? '');
    if (!refund) throw new Error('no refund');
    return countedRefund(seen, refund);
  };
  const first = counts([], sumA);
  const seen = withFailed([first], failed, 42);
  expect(refundedOf(seen, ['pi_1']).units).toBe(0n);
  const again = { ...sumA, idempotencyKey: 'gateway_card:evt_made_again' };
  const second = counts(seen, again);
  expect(second.counts_as).not.toBe(first.counts_as);
  const after = withRefund(seen, second);
  expect(refundedOf(after, ['pi_1']).units).toBe(1500n);
  // A replay of either event, and the refund itself, are what they were.
  expect(counts(after, sumA).counts_as).toBe(first.counts_as);
  expect(counts(after, again).counts_as).toBe(second.counts_as);
  expect(counts(after, ofRefund('re_c', '15.00')).counts_as).toBe(second.counts_as);
  expect(counts(after, a).counts_as).toBe(first.counts_as);
});

// "The funds for the refund have been returned to you", details of `funds_returned`: developer.gocardless.com/api-reference, events of refunds; "bounced" is a state there.
test.each([
  ['refunds.funds_returned', null, true],
  ['refund_returned', null, true],
  ['refund.updated', 'bounced', true],
  // What was returned are the goods.
  ['order_refund_noted', 'returned', false],
  ['refunds.refund_settled', null, false],
])('%s (%s) says that a refund has failed: %s', (eventType, status, hasFailed) => {
  const told = { genericType: null, eventType, status, idempotencyKey: 'generic@x:evt_1' } as const;
  expect(isFailedRefund({ ...ofRefund('RF1', '9.00'), ...told })).toBe(hasFailed);
});
