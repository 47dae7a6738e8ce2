import {
  addDecimals,
  type Decimal,
  type MoneyFinding,
  type MoneyLaw,
  type Order,
  parseDecimal,
} from '@order-automation/contracts';
import { offline } from '../deciding/open';
import { withoutSummedUp } from '../history/invoice-parts';
import { standing, takenBack } from '../history/object-states';
import type { Known } from '../history/order-history';
import { agree, amountOf, exceeds, inDecimalsOf, isNothing, minus, nothing, totalOf } from '../history/order-money';
import { idsOf, isOfInvoice, type Payment, withoutCaptures } from '../history/payments';
import { keptOf, refundedOf } from '../history/refunds';

export type Life = {
  readonly order: Order;
  readonly known: Pick<Known, 'payments' | 'refunds' | 'states' | 'unfit'>;
  readonly awaiting: ReadonlySet<string>;
  /** What moved the order as if it were paid, without being a payment that was proven. */
  readonly unproven?: string;
};

/** `since` in milliseconds since the epoch: from when on it is so, as far as one can say. `by`: the payments, or the dispute, that show it. */
type Doubt = {
  readonly since: number;
  readonly text: string;
  readonly by: readonly { readonly transaction?: string | null }[];
};

/** With the payments of the order itself whose money is there, and what the shop still has of them. */
type Account = Life & { readonly payments: readonly Payment[]; readonly kept: Decimal };

type Law = {
  /** Milliseconds in which it may still come right by itself: a clerk refunds, a rule follows. */
  readonly grace: number;
  readonly doubt: (account: Account) => Doubt | null;
};

const hour = 60 * 60_000;
/** Parts are rounded: "5.124 KWD must be rounded to 5120 or 5130" (docs.stripe.com/currencies#three-decimal). */
const takenDecimals = 2;
const maxTransactions = 20;

/** What must never be, each with the sentence that says so where it is. */
export const laws: Readonly<Record<MoneyLaw, Law>> = {
  paid_not_moved: { grace: hour, doubt: paidNotMoved },
  paid_unfit: { grace: hour, doubt: paidUnfit },
  paid_and_cancelled: { grace: hour, doubt: paidAndCancelled },
  completed_short: { grace: hour, doubt: completedShort },
  completed_unproven: { grace: 0, doubt: completedUnproven },
  refunded_too_much: { grace: 0, doubt: refundedTooMuch },
  paid_twice: { grace: 0, doubt: paidTwice },
  disputed_and_shipping: { grace: 0, doubt: disputedAndShipping },
};

/** `transactions` lead to the entries of the log that show it. */
export type Finding = Pick<MoneyFinding, 'law' | 'text' | 'transactions'>;

/** What is wrong with an order at `now`, and when something will be that is not yet; both in milliseconds since the epoch. */
export function findingsOf(life: Life, now: number): { readonly found: readonly Finding[]; readonly next?: number } {
  const payments = paymentsOf(life);
  const account = { ...life, payments, kept: keptOfAll(life, payments) };
  const doubts = Object.entries(laws).flatMap(([law, { grace, doubt }]) => {
    const found = doubt(account);
    if (found === null) return [];
    const transactions = [...new Set(found.by.flatMap(({ transaction }) => transaction ?? []))].slice(
      0,
      maxTransactions,
    );
    return [{ law: law as MoneyLaw, text: found.text, transactions, due: found.since + grace }];
  });
  const later = doubts.filter(({ due }) => due > now).map(({ due }) => due);
  const found = doubts.filter(({ due }) => due <= now).map(({ due, ...finding }) => finding);
  return later.length === 0 ? { found } : { found, next: Math.min(...later) };
}

const money = (amount: Decimal, { order }: Life): string => `${inDecimalsOf(amount, order)} ${order.currency}`;
const sumOf = (amounts: readonly Decimal[]): Decimal => amounts.reduce(addDecimals, nothing);
const nameOf = ({ order }: Life): string => `Order ${order.number}`;

const isOwn = ({ paid = 'whole' }: Payment): boolean => paid === 'whole' || paid === 'part';
const paymentsOf = ({ known, order }: Pick<Life, 'known' | 'order'>): readonly Payment[] =>
  standing(withoutSummedUp(known.payments, order), known.states).filter(isOwn);

/** Less what gateways say was given back, of payments by another name too, and at least what the shop itself has refunded. */
function keptOfAll({ order, known }: Life, payments: readonly Payment[]): Decimal {
  const { refunds = [], states } = known;
  const named = withoutCaptures(known.payments);
  const isElsewhere = (id: string | null) => id === null || !named.some((one) => idsOf(one).includes(id));
  const isTaken = states.some(({ type, transaction = null }) => takenBack.has(type) && isElsewhere(transaction));
  // GoCardless tells of a refund neither its amount nor its payment: it may be all (developer.gocardless.com/api-reference/#events-refund-events).
  if (isTaken || refunds.some(({ amount, failed }) => amount === null && !failed)) return nothing;
  const elsewhere = [...new Set(refunds.map(({ transaction }) => transaction))].filter(isElsewhere);
  const kept = sumOf(payments.map((one) => keptOf(one, order, refunds)));
  const byGateway = minus(kept, sumOf(elsewhere.map((id) => refundedOf(refunds, [id]))));
  const paid = sumOf(payments.map((one) => amountOf(one, order) ?? totalOf(order)));
  const refunded = sumOf((order.refunds ?? []).map(({ total }) => parseDecimal(total.replace('-', '')) ?? nothing));
  const byShop = minus(paid, refunded);
  return exceeds(byGateway, byShop) ? byShop : byGateway;
}

/** When the order came into its present status, or the last of its payments was made if that was later. */
function sinceOf({ order, payments }: Account): number {
  const times = [order.status_since ?? order.date_modified, ...payments.map(({ at }) => at ?? '')].map(Date.parse);
  return Math.max(...times.filter(Number.isFinite));
}

/** An order on hold is somebody's decision. */
function paidNotMoved(life: Account): Doubt | null {
  const { order, awaiting, kept } = life;
  if (!awaiting.has(order.status) || order.status === 'on-hold') return null;
  if (isNothing(totalOf(order)) || exceeds(totalOf(order), kept)) return null;
  const text = `${nameOf(life)} was paid in full (${money(kept, life)}) and is still ${order.status}.`;
  return { since: sinceOf(life), text, by: life.payments };
}

/** Nothing of it was given back, as far as one can say of which payment that was, nor has it counted since. Another may have paid the order. */
function paidUnfit(life: Account): Doubt | null {
  const { order, awaiting, known, payments } = life;
  const isPaidOtherwise = payments.length > 0 && order.status !== 'refunded';
  if (!awaiting.has(order.status) && order.status !== 'cancelled' && !isPaidOtherwise) return null;
  const { unfit = [], refunds = [], states } = known;
  const returns = [...refunds.filter(({ failed }) => !failed), ...states.filter(({ type }) => takenBack.has(type))];
  const back = returns.map(({ transaction }) => transaction ?? '');
  const named = [...unfit, ...known.payments].flatMap(idsOf);
  const settled = [...payments.flatMap(idsOf), ...back];
  const isSettled = (one: Payment) =>
    idsOf(one).some((id) => settled.includes(id)) || payments.some((other) => isOfInvoice(other, one));
  const [one] = standing(unfit, states).filter((one) => !isSettled(one));
  if (!one || back.some((id) => !named.includes(id))) return null;
  const sum = one.amount === null ? 'a payment' : `a payment of ${one.amount} ${one.currency ?? ''}`.trimEnd();
  const text = `${nameOf(life)} is ${order.status}, and ${sum} came that did not fit its total, which is now ${money(totalOf(order), life)}.`;
  return { since: sinceOf({ ...life, payments: [one] }), text, by: [one] };
}

function paidAndCancelled(life: Account): Doubt | null {
  const { order, kept } = life;
  if (order.status !== 'cancelled' || isNothing(kept) || agree(kept, nothing, takenDecimals)) return null;
  const text = `${nameOf(life)} is cancelled, and ${money(kept, life)} that the customer paid was not given back.`;
  return { since: sinceOf(life), text, by: life.payments };
}

/**
 * Nothing is left of a debit that fails late, unless the order is paid without a gateway by now. What was disputed had been paid, and a failure without a time of
 * its own may be that of an earlier attempt.
 */
function completedShort(life: Account): Doubt | null {
  const { order, known } = life;
  const states = known.states.filter(({ type, is_arrival }) => !takenBack.has(type) && !is_arrival);
  const payments = paymentsOf({ order, known: { ...known, states } });
  const isDone = order.status === 'completed' || (order.status === 'processing' && payments.length === 0);
  if (!isDone || !known.payments.some(isOwn)) return null;
  if (payments.length === 0 && offline.has(order.payment_method)) return null;
  const paid = sumOf(payments.map((one) => amountOf(one, order) ?? totalOf(order)));
  if (payments.some(({ paid: part }) => part !== 'part') || !exceeds(totalOf(order), paid)) return null;
  const total = money(totalOf(order), life);
  const text = `${nameOf(life)} is ${order.status}, and only ${money(paid, life)} of ${total} was paid.`;
  return { since: sinceOf(life), text, by: known.payments.filter(isOwn) };
}

function completedUnproven(life: Account): Doubt | null {
  const { order, payments, unproven } = life;
  const isDone = order.status === 'processing' || order.status === 'completed';
  if (unproven === undefined || !isDone || order.transaction_id !== '') return null;
  if (payments.some((one) => !one.unproven)) return null;
  const text = `${nameOf(life)} is ${order.status} because of ${unproven}, and no payment of it is proven.`;
  return { since: 0, text, by: payments };
}

function refundedTooMuch(life: Account): Doubt | null {
  const { order, known } = life;
  for (const payment of withoutCaptures(known.payments).filter(({ transaction }) => transaction !== null)) {
    const paid = amountOf(payment, order);
    const refunded = refundedOf(known.refunds ?? [], idsOf(payment));
    if (paid === undefined || !exceeds(refunded, paid) || agree(refunded, paid, takenDecimals)) continue;
    const sums = `${money(refunded, life)} of a payment of ${money(paid, life)}`;
    return { since: 0, text: `${nameOf(life)}: more was given back than was paid, ${sums}.`, by: [payment] };
  }
  return null;
}

function paidTwice(life: Account): Doubt | null {
  const { order, known, payments, kept } = life;
  const whole = payments
    .filter(({ paid = 'whole', transaction }) => paid === 'whole' && transaction !== null)
    .filter((one) => !exceeds(totalOf(order), keptOf(one, order, known.refunds ?? [])));
  if (whole.length < 2 || isNothing(totalOf(order)) || exceeds(sumOf(whole.map(() => totalOf(order))), kept))
    return null;
  const ids = whole.map(({ transaction }) => transaction).join(' and ');
  const often = whole.length === 2 ? 'twice' : `${whole.length} times`;
  const was = whole.some(({ amount }) => amount === null) ? 'may have been' : 'was';
  return { since: 0, text: `${nameOf(life)} ${was} paid in full ${often}: ${ids}.`, by: whole };
}

function disputedAndShipping(life: Account): Doubt | null {
  const dispute = life.known.states.find(({ type }) => type === 'dispute_opened');
  if (!dispute || life.order.status !== 'processing') return null;
  return {
    since: 0,
    text: `${nameOf(life)} is disputed and still ${life.order.status}: it may be shipped.`,
    by: [dispute],
  };
}
