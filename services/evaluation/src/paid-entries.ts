import type { Read } from './order-history';

/**
 * A completed payment and the entry of its order into `processing`. The shop's payment plugin hears of the payment too and moves the order, so that either
 * is evaluated first: the two are one occurrence, with the key of the first.
 */
export type PaidEntry = {
  readonly first: 'payment' | 'entry';
  readonly key: string;
  readonly other?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** What is further apart is not of one payment. An order that still awaits one has left again what it had entered, if it was not read just before. */
const longest = (isAwaiting: boolean): number => (isAwaiting ? 60_000 : 86_400_000);

/** The key that the occurrence counts as. */
export function readPaid(first: PaidEntry['first'], own: string, at: number, isAwaiting = false): Read<string> {
  return (known) => {
    const { entries: seen = [] } = known;
    const same = seen.find(({ key, other }) => key === own || other === own);
    if (same) return { result: same.key, after: known };
    const isOpen = (one: PaidEntry) => one.first !== first && !one.other && at - one.at <= longest(isAwaiting);
    const open = seen.findLast(isOpen);
    const entries = open ? seen.with(seen.indexOf(open), { ...open, other: own }) : [...seen, { first, key: own, at }];
    return { result: open?.key ?? own, after: { ...known, entries: entries.slice(-20) } };
  };
}
