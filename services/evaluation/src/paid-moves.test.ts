import type { Known } from './order-history';
import { readPaidMove } from './paid-moves';

type Seen = readonly [first: 'payment' | 'move', key: string, at: number, isAwaiting?: boolean, left?: number];

/** The keys that these count as, one after the other. */
function counted(...all: readonly Seen[]): string[] {
  let known: Known = { payments: [], states: [] };
  return all.map((seen) => {
    const { result, after } = readPaidMove(...seen)(known);
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
      ['payment', 'p', 0, true],
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
      ['payment', 'p', 900, true],
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
      ['payment', 'p', hour, true],
      ['move', 'f', hour + 5],
    ],
    ['e', 'p', 'p'],
  ],
  [
    'a person opens an order again that the payment has completed',
    [
      ['payment', 'p', 0, true],
      ['move', 'f', hour, false, 7],
    ],
    ['p', 'f'],
  ],
  [
    'the order was completed before it is paid once more',
    [
      ['payment', 'p', 0, true],
      ['payment', 'q', hour, true],
      ['move', 'f', hour + 5, false, 7],
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
      ['payment', 'q', hour, true],
      ['move', 'f', hour + 5],
    ],
    ['p', 'p', 'q', 'q'],
  ],
])('%s', (_what, seen, keys) => {
  expect(counted(...seen)).toEqual(keys);
});

test('nothing new is no write', () => {
  const first = readPaidMove('payment', 'p', 0)({ payments: [], states: [] }).after;
  expect(readPaidMove('payment', 'p', 9)(first).after).toBe(first);
});
