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

/**
 * Milliseconds within which payment and move are of one payment. An order that still awaits one has left again what it had entered, if it was not read just
 * before. A move from another status, as `partially-paid` of a plugin, is that of a payment to come, where the order is not paid.
 */
export const apart = { paid: 86_400_000, awaiting: 60_000, other: Number.NEGATIVE_INFINITY } as const;

const maxMoves = 20;

/** The key that the occurrence counts as; `longest` is one of those above. A payment from before `since`, when the order was completed, has no part in a later move. */
export function readPaidMove(
  first: PaidMove['first'],
  own: string,
  at: number,
  longest: number,
  since = Number.NaN,
): Read<string> {
  return (known) => {
    const { moves: seen = [] } = known;
    const same = seen.find(({ key, other }) => key === own || other === own);
    if (same) return { result: same.key, after: known };
    if (longest === apart.other && known.payments.some(({ paid = 'whole' }) => paid === 'whole'))
      return { result: own, after: known };
    const isOpen = (one: PaidMove) => one.first !== first && !one.other && at - one.at <= longest && !(one.at < since);
    const open = seen.findLast(isOpen);
    const moves = open ? seen.with(seen.indexOf(open), { ...open, other: own }) : [...seen, { first, key: own, at }];
    return { result: open?.key ?? own, after: { ...known, moves: moves.slice(-maxMoves) } };
  };
}
