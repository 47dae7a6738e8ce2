import {
  addDecimals,
  compareDecimals,
  type Decimal,
  parseDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';
import { isRefundSoFar, refundIdOf } from '@order-automation/engine';

/** What one event of an order says about money given back. */
export type Refund = {
  /** The event, by its idempotency key: a replay is the same event. */
  readonly event_id: string;
  /** The occurrence that the event is by itself. */
  readonly key: string;
  /** The occurrence it counts as: that of the first event about the same refund. */
  readonly counts_as: string;
  readonly transaction: string | null;
  /** `one`: the amount of this refund; `so_far`: of everything that was refunded of the payment. */
  readonly kind: 'one' | 'so_far';
  readonly amount: string | null;
};

/** Null for an event that is about no refund, or that names neither the refund nor a sum. */
export function refundOf(event: UniversalEvent, key: string): Refund | null {
  const kind = isRefundSoFar(event) ? 'so_far' : refundIdOf(event) === null ? null : 'one';
  if (kind === null) return null;
  const { idempotencyKey, transactionID, amount } = event;
  return { event_id: idempotencyKey, key, counts_as: key, transaction: transactionID, kind, amount };
}

/**
 * The refund with the occurrence it counts as (decisions.md section 4): partial refunds are occurrences of their own, and the two events of one
 * refund, which names it and which has the sum so far, are one. A refund that is named belongs to the smallest sum that holds it and
 * those before it; each sum has one refund that led to it.
 */
export function countedRefund(seen: readonly Refund[], refund: Refund): Refund {
  const known = seen.find(({ event_id, key }) => event_id === refund.event_id || key === refund.key);
  if (known) return { ...refund, counts_as: known.counts_as };
  const ofPayment = seen.filter(({ transaction }) => transaction !== null && transaction === refund.transaction);
  const named = ofPayment.filter(({ kind }) => kind === 'one');
  const sums = ofPayment.filter(({ kind }) => kind === 'so_far');
  const other = refund.kind === 'one' ? sumOf(refund, named, sums) : namedOf(refund, named, sums);
  return other ? { ...refund, counts_as: other.counts_as } : refund;
}

function sumOf(refund: Refund, named: readonly Refund[], sums: readonly Refund[]): Refund | undefined {
  const total = [...named, refund].map(amountOf).reduce(addDecimals);
  const free = sums.filter((sum) => !named.some(({ counts_as }) => counts_as === sum.counts_as));
  return free
    .filter((sum) => compareDecimals(amountOf(sum), total) >= 0)
    .sort((a, b) => compareDecimals(amountOf(a), amountOf(b)))[0];
}

function namedOf(refund: Refund, named: readonly Refund[], sums: readonly Refund[]): Refund | undefined {
  let total = nothing;
  for (const one of named) {
    total = addDecimals(total, amountOf(one));
    const isFree = !sums.some(({ counts_as }) => counts_as === one.counts_as);
    if (isFree && compareDecimals(total, amountOf(refund)) >= 0) return one;
  }
  return undefined;
}

const nothing: Decimal = { units: 0n, scale: 0 };
const amountOf = ({ amount }: Refund): Decimal => parseDecimal(amount ?? '') ?? nothing;

/** Events about refunds remembered of one order. */
const mostRefunds = 200;

/** The list after the event; the same object when nothing is new. */
export function withRefund(seen: readonly Refund[], refund: Refund): readonly Refund[] {
  return seen.some(({ key }) => key === refund.key) ? seen : [...seen, refund].slice(-mostRefunds);
}
