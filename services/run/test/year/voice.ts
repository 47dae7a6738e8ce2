import type { Dice } from './dice';
import type { Minor, PlannedOrder, Webhook } from './plan';

/** About whom a gateway speaks. */
export type About = {
  readonly order: PlannedOrder;
  readonly dice: Dice;
  /** A number for ids that is not used twice in the life of an order. */
  readonly next: () => number;
  /** What the payload says of the shop besides the reference; `silent`: not even that. */
  readonly claims: { readonly site_url?: string; readonly order_key?: string };
  /** Whether events about a payment name the order besides the transaction. */
  readonly isNamed: boolean;
};

export type Paid = { readonly transaction: string; readonly amount: Minor; readonly at: number };
export type Refunded = Paid & { readonly refund: string; readonly soFar: Minor };
export type Disputed = Paid & { readonly dispute: string };
export type Billed = Paid & { readonly subscription: string };

/** What one gateway sends when these things happen. Each list is in the order in which it happened. */
export type Voice = {
  newTransaction(about: About): string;
  paid(about: About, payment: Paid): Webhook[];
  /** Two captures of one order, or a deposit and its balance. */
  paidInPart(about: About, payment: Paid, isLast: boolean): Webhook[];
  failed(about: About, payment: Paid): Webhook[];
  refunded(about: About, refunds: readonly Refunded[]): Webhook[];
  /** Money that was set aside and never taken. */
  released?(about: About, payment: Paid): Webhook[];
  /** Taken after it had been set aside. */
  captured?(about: About, payment: Paid): Webhook[];
  refundFailed?(about: About, refund: Refunded): Webhook[];
  /** A delayed method: the checkout is done days before the money comes. */
  paidLater?(about: About, payment: Paid): Webhook[];
  disputed?(about: About, dispute: Disputed): Webhook[];
  disputeEnded?(about: About, dispute: Disputed, how: 'WON' | 'LOST' | 'RESOLVED'): Webhook[];
  subscribed(about: About, billed: Billed, trialDays: number): Webhook[];
  /** The payment of a period, the first included. */
  billed(about: About, billed: Billed, isFirst: boolean): Webhook[];
  billingFailed(about: About, billed: Billed): Webhook[];
  upgraded?(about: About, billed: Billed): Webhook[];
  unsubscribed(about: About, billed: Billed): Webhook[];
  /** Events that are about no order by their kind. */
  aside(about: About, at: number): Webhook[];
};

export const seconds = (at: number): number => Math.floor(at / 1000);
