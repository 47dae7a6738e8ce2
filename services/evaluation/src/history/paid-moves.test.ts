import type { Known } from './order-history';
import { apart, readPaidMove } from './paid-moves';

type Seen = readonly [first: 'payment' | 'move', key: string, at: number, from?: keyof typeof apart, since?: number];

/** The keys that these count as, one after the other. */
function counted(...all: readonly Seen[]): string[] {
  let known: Known = { payments: [], states: [] };
  return all.map(([first, key, at, from = 'paid', since]) => {
    const { result, after } = readPaidMove(first, key, at, apart[from], since)(known);
    known = after;
    return result;
  });
}

const hour = 3_600_000;

/** Both hear of the payment at the same time: https://github.com/woocommerce/woocommerce-gateway-stripe, class-wc-stripe-webhook-handler.php */
test.each<[string, readonly Seen[], string[]]>([
  [
    'the payment first',
    [
      ['payment', 'p', 0, 'awaiting'],
      ['move', 'e', 5],
    ],
    ['p', 'p'],
  ],
  [
    'the move first',
    [
      ['move', 'e', 0],
      ['payment', 'p', hour],
    ],
    ['e', 'e'],
  ],
  [
    'the order was read before its move',
    [
      ['move', 'e', 0],
      ['payment', 'p', 900, 'awaiting'],
    ],
    ['e', 'e'],
  ],
  [
    'a second event of each',
    [
      ['payment', 'p', 0],
      ['move', 'e', 5],
      ['payment', 'p', 9],
      ['move', 'e', 9],
    ],
    ['p', 'p', 'p', 'p'],
  ],
  [
    'a person sets it to processing again',
    [
      ['payment', 'p', 0],
      ['move', 'e', 5],
      ['move', 'f', hour],
    ],
    ['p', 'p', 'f'],
  ],
  [
    'a payment for an order that has left processing',
    [
      ['move', 'e', 0],
      ['payment', 'p', hour, 'awaiting'],
      ['move', 'f', hour + 5],
    ],
    ['e', 'p', 'p'],
  ],
  // https://github.com/Shahnuralam/woocommerce-deposits-magepeople: the last part moves the order from partially-paid
  [
    'the move from a status of a plugin first',
    [
      ['move', 'e', 0, 'other'],
      ['payment', 'p', hour],
    ],
    ['e', 'e'],
  ],
  [
    'a move from a status of a plugin is no earlier payment’s',
    [
      ['payment', 'p', 0],
      ['move', 'e', 5, 'other'],
    ],
    ['p', 'e'],
  ],
  [
    'a person opens an order again that the payment has completed',
    [
      ['payment', 'p', 0, 'awaiting'],
      ['move', 'f', hour, 'paid', 7],
    ],
    ['p', 'f'],
  ],
  [
    'the order was completed before it is paid once more',
    [
      ['payment', 'p', 0, 'awaiting'],
      ['payment', 'q', hour, 'awaiting'],
      ['move', 'f', hour + 5, 'paid', 7],
    ],
    ['p', 'q', 'q'],
  ],
  [
    'a person moves the order days later',
    [
      ['payment', 'p', 0],
      ['move', 'e', 48 * hour],
    ],
    ['p', 'e'],
  ],
  [
    'two payments, two moves',
    [
      ['payment', 'p', 0],
      ['move', 'e', 5],
      ['payment', 'q', hour, 'awaiting'],
      ['move', 'f', hour + 5],
    ],
    ['p', 'p', 'q', 'q'],
  ],
])('%s', (_what, seen, keys) => {
  expect(counted(...seen)).toEqual(keys);
});

test('nothing new is no write', () => {
  const first = readPaidMove('payment', 'p', 0, apart.paid)({ payments: [], states: [] }).after;
  expect(readPaidMove('payment', 'p', 9, apart.paid)(first).after).toBe(first);
});

test('an order that is paid awaits no payment, though it enters processing from a status of a plugin', () => {
  const payment = { key: 'p', event_id: 'evt', transaction: 'pi', amount: '49.00', at: null };
  const known = { payments: [payment], states: [] } as unknown as Known;
  expect(readPaidMove('move', 'e', 0, apart.other)(known)).toEqual({ result: 'e', after: known });
});
