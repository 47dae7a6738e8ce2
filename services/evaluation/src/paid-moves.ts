import type { Read } from './order-history';

/**
 * A completed payment and the move of its order into `processing`. The shop's payment plugin hears of the payment too and moves the order, so that either
 * is evaluated first: the two are one occurrence, with the key of the first.
 */
export type PaidMove = {
  readonly first: 'payment' | 'move';
  readonly key: string;
  readonly other?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** What is further apart is not of one payment. An order that still awaits one has left again what it had entered, if it was not read just before. */
const longest = (isAwaiting: boolean): number => (isAwaiting ? 60_000 : 86_400_000);

const maxMoves = 20;

/** The key that the occurrence counts as. A payment from before the order was completed (`left`, as `at`) has no part in a later move. */
export function readPaidMove(
  first: PaidMove['first'],
  own: string,
  at: number,
  isAwaiting = false,
  left = Number.NaN,
): Read<string> {
  return (known) => {
    const { moves: seen = [] } = known;
    const same = seen.find(({ key, other }) => key === own || other === own);
    if (same) return { result: same.key, after: known };
    const isOpen = (one: PaidMove) => one.first !== first && !one.other && at - one.at <= longest(isAwaiting);
    const open = seen.findLast((one) => isOpen(one) && !(one.at < left));
    const moves = open ? seen.with(seen.indexOf(open), { ...open, other: own }) : [...seen, { first, key: own, at }];
    return { result: open?.key ?? own, after: { ...known, moves: moves.slice(-maxMoves) } };
  };
}
