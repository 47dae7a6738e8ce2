import type { Known } from './order-history';
import { readPaid } from './paid-entries';

type Seen = readonly [first: 'payment' | 'entry', key: string, at: number, isAwaiting?: boolean];

/** The keys that these count as, one after the other. */
function counted(...all: readonly Seen[]): string[] {
  let known: Known = { payments: [], states: [] };
  return all.map((seen) => {
    const { result, after } = readPaid(...seen)(known);
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
      ['entry', 'e', 5],
    ],
    ['p', 'p'],
  ],
  [
    'the entry first',
    [
      ['entry', 'e', 0],
      ['payment', 'p', hour],
    ],
    ['e', 'e'],
  ],
  [
    'the order was read before it entered',
    [
      ['entry', 'e', 0],
      ['payment', 'p', 900, true],
    ],
    ['e', 'e'],
  ],
  [
    'a second event of each',
    [
      ['payment', 'p', 0],
      ['entry', 'e', 5],
      ['payment', 'p', 9],
      ['entry', 'e', 9],
    ],
    ['p', 'p', 'p', 'p'],
  ],
  [
    'a person sets it to processing again',
    [
      ['payment', 'p', 0],
      ['entry', 'e', 5],
      ['entry', 'f', hour],
    ],
    ['p', 'p', 'f'],
  ],
  [
    'a payment for an order that has left processing',
    [
      ['entry', 'e', 0],
      ['payment', 'p', hour, true],
      ['entry', 'f', hour + 5],
    ],
    ['e', 'p', 'p'],
  ],
  [
    'a person moves the order days later',
    [
      ['payment', 'p', 0],
      ['entry', 'e', 48 * hour],
    ],
    ['p', 'e'],
  ],
  [
    'two payments, two entries',
    [
      ['payment', 'p', 0],
      ['entry', 'e', 5],
      ['payment', 'q', hour, true],
      ['entry', 'f', hour + 5],
    ],
    ['p', 'p', 'q', 'q'],
  ],
])('%s', (_what, seen, keys) => {
  expect(counted(...seen)).toEqual(keys);
});

test('nothing new is no write', () => {
  const first = readPaid('payment', 'p', 0)({ payments: [], states: [] }).after;
  expect(readPaid('payment', 'p', 9)(first).after).toBe(first);
});
