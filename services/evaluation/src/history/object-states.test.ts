import type { GenericType } from '@order-automation/contracts';
import { buildEvent } from '@order-automation/testing';
import { isStale, type ObjectState, overtakenBy, reportedBefore, standing, stateOf, withState } from './object-states';
import { paymentOf } from './payments';

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
const state = (type: GenericType, second: number, id = `${type}${second}`): ObjectState => ({
  object: 'gateway_card:0:pi_1',
  type,
  at: at(second),
  event_id: id,
});

test.each([
  ['an earlier one', state('payment_failed', 1), true],
  ['a later one', state('payment_failed', 9), false],
  ['a lower rank in the same second', state('payment_failed', 5), true],
  ['the same state, earlier', state('payment_completed', 1), false],
  ['the same event', { ...state('payment_failed', 1), event_id: 'payment_completed5' }, false],
  ['another object', { ...state('payment_failed', 1), object: 'gateway_card:0:pi_2' }, false],
])('after a payment that completed in second 5: %s', (_what, next, stale) => {
  expect(isStale([state('payment_completed', 5)], next)).toBe(stale);
});

test('a notice that money was on its way is older than its payment, whatever the clocks say', () => {
  expect(isStale([state('payment_pending', 9)], state('payment_completed', 5))).toBe(false);
  expect(isStale([state('payment_completed', 5)], state('payment_pending', 9))).toBe(true);
  expect(isStale([state('payment_failed', 9)], state('payment_completed', 5))).toBe(true);
});

// "We don't guarantee that webhook events are delivered in the order in which they are generated", developer.revolut.com/docs/merchant/webhooks
test('a failure that has no time is not newer than money that came after it, which has one', () => {
  const failure = buildEvent({
    genericType: 'payment_failed',
    transactionID: 'pi_1',
    occurredAt: null,
    receivedAt: at(9),
  });
  const failed = { ...(stateOf(failure, 0) as ObjectState), object: 'gateway_card:0:pi_1' };
  expect(failed).toMatchObject({ at: at(9), is_arrival: true });
  expect(isStale([failed], state('payment_completed', 5))).toBe(false);
  expect(isStale([state('payment_completed', 5)], failed)).toBe(false);
  // What was let go is not paid, whenever that was.
  expect(isStale([{ ...failed, type: 'payment_cancelled' }], state('payment_completed', 5))).toBe(true);
});

test('all orders of a five-event life of a subscription end in the state that came last', () => {
  const types = ['created', 'approved', 'suspended', 'reactivated', 'cancelled'] as const;
  const life = types.map((type, second) => state(`subscription_${type}`, second));
  const orders = permutations(life);
  expect(orders).toHaveLength(120);
  for (const order of orders) {
    let seen: readonly ObjectState[] = [];
    for (const one of [...order, ...order]) if (!isStale(seen, one)) seen = withState(seen, one);
    expect(seen.map(({ type }) => type)).toEqual(['subscription_cancelled']);
  }
});

test('one end of a subscription by webhook and by IPN is the first report of it; twice by one of them, or days later, it is another end', () => {
  const reported = (event_type: string, second: number): ObjectState => ({
    ...state('subscription_cancelled', second, `${event_type}${second}`),
    event_type,
  });
  const first = reported('billing_subscription_cancelled', 100);
  const ipn = reported('recurring_payment_profile_cancel', 160);
  expect(reportedBefore([], first)).toBeNull();
  expect(reportedBefore([first], first)).toBeNull();
  expect(reportedBefore([first], ipn)).toBe(first);
  expect(reportedBefore(withState([first], ipn), reported('mp_cancel', 99))).toBe(first);
  expect(reportedBefore([first], reported('billing_subscription_cancelled', 160))).toBeNull();
  expect(reportedBefore([first], reported('recurring_payment_profile_cancel', 100 + 5 * 86_400))).toBeNull();
  expect(reportedBefore([state('subscription_reactivated', 130)], ipn)).toBeNull();
  // A renewal is recognised by its payment, whichever events report it.
  const renewal = buildEvent({ genericType: 'renewal_payment_completed', primaryObjectID: 'in_1' });
  expect(stateOf(renewal, 0)).not.toHaveProperty('event_type');
  // As states were kept before they had the kind of their event.
  expect(reportedBefore([state('subscription_cancelled', 100)], ipn)).toBeNull();
});

// docs.xendit.co/apidocs/subscription-webhook: each cycle has an id of its own, and the `reference_id` of its plan
test('a month that failed does not make the payment of another one stale, nor is what precedes that failure news', () => {
  const month = (
    genericType: 'renewal_payment_completed' | 'renewal_payment_failed',
    transactionID: string,
    second: number,
  ) =>
    stateOf(
      buildEvent({
        genericType,
        transactionID,
        primaryObjectID: '7',
        occurredAt: at(second),
        idempotencyKey: transactionID,
      }),
      0,
    ) as ObjectState;
  const failed = month('renewal_payment_failed', 'c3', 50);
  const paid = month('renewal_payment_completed', 'c2', 30);
  expect(isStale([failed], paid)).toBe(false);
  expect(withState([failed], paid)).toEqual([failed]);
  expect(isStale([failed], { ...month('renewal_payment_completed', 'c3', 30), event_id: 'other' })).toBe(true);
  expect(isStale([month('renewal_payment_completed', 'c4', 60)], failed)).toBe(true);
});

test('events of one payment report one object, whatever they are about', () => {
  const intent = buildEvent({ genericType: 'payment_completed', transactionID: 'pi_1', primaryObjectID: 'pi_1' });
  const charge = buildEvent({ genericType: 'payment_failed', transactionID: 'pi_1', primaryObjectID: 'ch_1' });
  expect(stateOf(intent, 0)?.object).toBe(stateOf(charge, 0)?.object);
  expect(stateOf(buildEvent({ genericType: null }), 0)).toBeNull();
});

test.each(['payment_refunded', 'payment_reversed', 'dispute_opened'] as const)(
  '%s that was seen first does not make the payment stale',
  (type) => {
    const event = buildEvent({ genericType: type, transactionID: 'pi_1', primaryObjectID: 'other_1' });
    const followed = stateOf(event, Date.parse(at(9))) as ObjectState;
    expect(isStale([followed], state('payment_completed', 5))).toBe(false);
  },
);

test('that a payment failed before it was refunded is past; that it fails after is not', () => {
  const refund = { ...state('payment_refunded', 9), object: 'gateway_card:5:re_1', transaction: 'pi_1' };
  const failure = (second: number, transaction = 'pi_1') => ({ ...state('payment_failed', second), transaction });
  expect([failure(5), failure(12), failure(5, 'pi_2')].map((one) => isStale([refund], one))).toEqual([
    true,
    false,
    false,
  ]);
});

describe('a payment after what followed it', () => {
  const dispute = { ...state('dispute_opened', 9), transaction: 'pi_1', noted_at: at(20) };
  const order = (status: string, since: number) => ({ status, status_since: at(since) });
  const paid = ([id = '', ...others]: string[]) =>
    buildEvent({
      transactionID: id,
      orderReference: { gateway_ids: [], order_id: '7', transaction_id: id, transactions: [id, ...others] },
    });

  test.each([
    ['moved since the dispute was seen', 'pi_1', order('on-hold', 21), 'dispute_opened'],
    ['on hold before it', 'pi_1', order('on-hold', 19), 'dispute_opened'],
    ['failed before it', 'pi_1', order('failed', 19), null],
    ['not moved', 'pi_1', order('pending', 21), null],
    ['of another payment', 'pi_2', order('on-hold', 21), null],
    // checkout.com/docs/developer-resources/webhooks/webhook-event-types/payment_captured: `action_id` beside the `id` of the payment
    ['a capture of the payment', 'act_1 pi_1', order('on-hold', 21), 'dispute_opened'],
    ['a shop that does not say since when', 'pi_1', { status: 'on-hold' }, 'dispute_opened'],
  ])('%s', (_what, transaction, now, by) => {
    expect(overtakenBy([dispute], paid(transaction.split(' ')), now)).toBe(by);
  });

  test('a refund that left the order alone', () => {
    const refund = { ...dispute, type: 'payment_refunded' as const };
    expect(overtakenBy([refund], paid(['pi_1']), order('on-hold', 5))).toBeNull();
    expect(overtakenBy([refund], paid(['pi_1']), { status: 'on-hold' })).toBeNull();
    expect(overtakenBy([refund], paid(['pi_1']), order('failed', 25))).toBe('payment_refunded');
  });
});

/*
 * "Partial reversal": github.com/woocommerce/woocommerce-paypal-payments/issues/1614. "Disputed amount. Usually the amount of the charge, but it can differ (usually
 * because of currency fluctuation or because only part of the order is disputed)": docs.stripe.com/api/disputes/object.
 */
describe('what is left of a payment of 40.00', () => {
  const reported = (genericType: GenericType, object: string, amount: string | null, currency: string | null = 'EUR') =>
    stateOf(
      buildEvent({
        genericType,
        transactionID: 'c1',
        primaryObjectType: 'dispute',
        primaryObjectID: object,
        amount,
        currency,
      }),
      0,
    ) as ObjectState;
  const paid = paymentOf(buildEvent({ transactionID: 'c1', amount: '40.00', currency: 'EUR' }));

  test.each<readonly [string, readonly ObjectState[], readonly string[]]>([
    ['a part is reversed', [reported('payment_reversed', 'r1', '10.00')], ['30.00']],
    [
      'two parts are reversed',
      [reported('payment_reversed', 'r1', '10.00'), reported('payment_reversed', 'r2', '5.00')],
      ['25.00'],
    ],
    ['all of it is reversed', [reported('payment_reversed', 'r1', '40.00')], []],
    ['the amount has moved with the exchange rate', [reported('payment_reversed', 'd1', '38.70')], []],
    ['more than it is disputed', [reported('dispute_lost', 'd1', '41.20')], []],
    [
      'a dispute and its reversal are one',
      [reported('payment_reversed', 'd1', '10.00'), reported('dispute_lost', 'd1', '10.00')],
      ['30.00'],
    ],
    [
      'a dispute of all of it ends with a part',
      [reported('payment_reversed', 'r1', '10.00'), reported('dispute_lost', 'd1', '40.00')],
      ['30.00'],
    ],
    ['it names no amount', [reported('payment_reversed', 'r1', null)], []],
    ['the amount is in another currency', [reported('dispute_lost', 'd1', '10.00', 'USD')], []],
    ['it is disputed, and nothing is taken', [reported('dispute_opened', 'd1', '10.00')], ['40.00']],
  ])('%s', (_what, states, left) => {
    expect(standing([paid], states).map(({ amount }) => amount)).toEqual(left);
  });

  test('of a state that was noted without its amount all of it is taken', () => {
    const { amount: _amount, currency: _currency, ...earlier } = reported('payment_reversed', 'r1', '10.00');
    expect(standing([paid], [earlier])).toEqual([]);
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}
