import { derivedId, type OrderChange } from '@order-automation/contracts';
import { event } from '../../../../shared/engine/test/fixtures';
import { occurrenceOfChange, occurrenceOfEvent } from './occurrence';

const keyOf = (overrides: Parameters<typeof event>[0], orderId = 7) =>
  occurrenceOfEvent(event(overrides), orderId)?.key;

test('two events of one payment are one occurrence', () => {
  const first = occurrenceOfEvent(event(), 7);
  const second = occurrenceOfEvent(
    event({ id: 'evt_2', eventType: 'payment.card.charge_succeeded', idempotencyKey: 'gateway_card:evt_2' }),
    7,
  );
  expect(first?.key).toBe(second?.key);
  expect(first?.key).toBe(derivedId('occurrence', 'payment_completed', 7, 'pi_1'));
});

test('another order, type or transaction is another occurrence', () => {
  const keys = [
    keyOf({}),
    keyOf({}, 8),
    keyOf({ genericType: 'payment_failed' }),
    keyOf({ transactionID: 'pi_2' }),
    keyOf({ transactionID: null }),
    keyOf({ transactionID: null, idempotencyKey: 'other' }),
    keyOf({ genericType: null }),
    keyOf({ genericType: null, idempotencyKey: 'other' }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test('each partial refund of a payment is an occurrence, whichever events name it', () => {
  const refund = (primaryObjectType: string, primaryObjectID: string, eventType = 'payment.card.refund_created') =>
    keyOf({ genericType: 'payment_refunded', eventType, primaryObjectType, primaryObjectID, amount: '5.00' });
  expect(refund('refund', 're_1')).not.toBe(refund('refund', 're_2'));
  expect(refund('refund', 're_1')).toBe(refund('refund', 're_1', 'payment.card.refund.created'));
  // A wallet's notification: the refund is a transaction whose parent is the payment.
  expect(refund('payment', 'R1')).not.toBe(refund('payment', 'R2'));
  expect(refund('order', '7')).toBe(refund('transaction', 'pi_1'));
  const charge = (amount: string) =>
    keyOf({
      genericType: 'payment_refunded',
      eventType: 'payment.card.charge_refunded',
      primaryObjectType: 'charge',
      primaryObjectID: 'ch_1',
      amount,
    });
  expect(charge('5.00')).not.toBe(charge('9.00'));
  const nameless = (amount: string | null) =>
    keyOf({ genericType: 'payment_refunded', primaryObjectType: 'order', primaryObjectID: '7', amount });
  expect(new Set(['5.00', '9.00', '5.00', null].map(nameless)).size).toBe(3);
});

test('each dispute of a payment is an occurrence, whichever channel names it; one that has no id is that of its payment', () => {
  const dispute = (primaryObjectType: string, primaryObjectID: string, sourceGateway = 'gateway_card') =>
    keyOf({ genericType: 'dispute_opened', primaryObjectType, primaryObjectID, sourceGateway });
  expect(dispute('dispute', 'dp_1')).not.toBe(dispute('dispute', 'dp_2'));
  expect(dispute('dispute', 'PP-R-1', 'gateway_wallet')).toBe(dispute('dispute', 'PP-R-1', 'generic'));
  expect(dispute('order', '7')).toBe(dispute('transaction', 'pi_1'));
});

// "disputed_transactions: An array of transactions", developer.paypal.com/docs/api/customer-disputes/v1
test('a webhook that tells of two payments is one to a rule on the webhook, for each of their orders', () => {
  const keyFor = (eventType: string, idempotencyKey: string, order: number) =>
    occurrenceOfEvent(event({ eventType, idempotencyKey, genericType: null }), order)?.event_key;
  for (const type of ['dispute_won', 'customer_dispute_updated', 'express_checkout_completed']) {
    const of = (key: string, order: number) => keyFor(`payment.wallet.${type}`, key, order);
    expect(of('gateway_wallet:WH-1 1', 7)).toBe(of('gateway_wallet:WH-1', 7));
    expect(of('gateway_wallet:WH-1 1', 8)).not.toBe(of('gateway_wallet:WH-1', 7));
    expect(of('gateway_wallet:WH-2', 7)).not.toBe(of('gateway_wallet:WH-1', 7));
  }
  expect(keyFor('payment.card.charge_refunded', 'gateway_card:evt_1', 7)).toBe('gateway_card:evt_1');
});

test('without an order there is no occurrence', () => {
  expect(occurrenceOfEvent(event(), null)).toBeNull();
});

test('a change of the shop carries its transition', () => {
  const change: OrderChange = {
    change_id: 'chg_1',
    order_id: 7,
    kind: 'status_changed',
    from: 'pending',
    to: 'processing',
    at: '2026-01-15T10:00:00.000Z',
    cause: { process_id: 'proc_1', depth: 0, author: 'admin' },
    keys: [],
  };
  expect(occurrenceOfChange(change)).toMatchObject({
    key: derivedId('order', 7, 'chg_1'),
    type: 'order_status_changed',
    from_status: 'pending',
    to_status: 'processing',
  });
  expect(occurrenceOfChange({ ...change, kind: 'created', from: null }).type).toBe('order_created');
});
