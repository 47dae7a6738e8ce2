import type { Life, Minor, Said } from './plan';

/**
 * What becomes of an order, from what its gateways say and nothing else. It shares no code with the product. The rules of the year: a payment completes
 * the order and notes PAID, a dispute puts it on hold and notes DISPUTE, everything else is a note.
 */
export type End = { readonly status: string; readonly notes: Readonly<Record<string, number>> };

type Of<K extends Said['kind']> = Extract<Said, { kind: K }>;

type World = {
  status: string;
  readonly total: Minor;
  readonly currency: string;
  readonly notes: Map<string, number>;
  /** Payments of the order itself, by transaction. */
  readonly payments: Map<string, { amount: Minor; at: number }>;
  /** The first payment of each subscription, and its renewals. */
  readonly firsts: Map<string, string>;
  readonly renewals: Set<string>;
  readonly failures: Set<string>;
  readonly refunds: Set<string>;
  readonly disputes: Map<string, 'open' | 'ended'>;
  /** When something that only happens to completed payments was said of one, by transaction. */
  readonly followed: Map<string, number>;
  hasPaid: boolean;
  isDisputed: boolean;
};

/** `docs.woocommerce.com/document/managing-orders`: these wait for money. */
const awaiting = new Set(['pending', 'on-hold', 'failed', 'processing', 'checkout-draft']);

const note = ({ notes }: World, text: string): void => void notes.set(text, (notes.get(text) ?? 0) + 1);

/**
 * Money. Two events of one payment are one payment; several payments of an order add up to its total, and more than the total is nobody's
 * (docs.stripe.com/payments/multicapture, "Capture a payment multiple times"; developer.paypal.com/docs/api/payments/v2, `final_capture`).
 */
function payment(world: World, said: Of<'payment'>, at: number): void {
  if (said.subscription !== undefined && !isFirst(world, said, said.subscription)) return;
  if (world.payments.has(said.transaction) || said.currency !== world.currency) return;
  const before = [...world.payments.values()].reduce((sum, { amount }) => sum + amount, 0);
  if (before + said.amount > world.total) return;
  world.payments.set(said.transaction, { amount: said.amount, at });
  if (before + said.amount < world.total || !awaiting.has(world.status)) return;
  if (world.status === 'on-hold' && world.isDisputed) return;
  world.status = 'completed';
  world.hasPaid = true;
  note(world, 'PAID');
}

/**
 * Subscriptions. The first payment pays the order, each later one renews (docs.stripe.com/api/invoices/object, `billing_reason`: `subscription_create`,
 * `subscription_cycle`, others; developer.paypal.com/docs/subscriptions/webhooks: `PAYMENT.SALE.COMPLETED`, "A payment is made on a subscription";
 * the wallet's IPN reference: `subscr_payment` is every payment of a subscription). Resolves whether it is the first.
 */
function isFirst(world: World, { transaction, billing }: Of<'payment'>, subscription: string): boolean {
  const first = world.firsts.get(subscription) ?? transaction;
  const means = billing ?? (first === transaction ? 'first' : 'renewal');
  if (means === 'first') world.firsts.set(subscription, transaction);
  if (means !== 'renewal' || world.renewals.has(transaction)) return means === 'first';
  world.renewals.add(transaction);
  note(world, 'RENEWAL');
  return false;
}

/**
 * Failures. One that the gateway says after the payment went through happened before it (docs.stripe.com/webhooks, "Event ordering"), and one of another
 * payment than the order's own is nobody's.
 */
function failure(world: World, { transaction }: Of<'failure'>, at: number): void {
  const paid = world.payments.get(transaction);
  const followed = world.followed.get(transaction);
  if ((paid && paid.at >= at) || (followed !== undefined && followed >= at)) return;
  if ((world.payments.size > 0 && !paid) || world.failures.has(transaction)) return;
  world.failures.add(transaction);
  note(world, 'FAILED');
}

/** Refunds. Each is one, however many events tell of it, and never changes the payment (docs.stripe.com/refunds; docs.stripe.com/api/events/types, `charge.refunded`, "including partial refunds"). */
function refund(world: World, said: Of<'refund'>, at: number): void {
  follow(world, said.transaction, at);
  if (world.refunds.has(said.refund)) return;
  world.refunds.add(said.refund);
  note(world, 'REFUND');
}

/** Disputes. An open one holds the order; that it was opened is no news any more when it has ended (developer.paypal.com/api/customer-disputes/v1). */
function dispute(world: World, said: Of<'dispute'>, at: number): void {
  follow(world, said.transaction, at);
  if (world.disputes.has(said.dispute)) return;
  world.disputes.set(said.dispute, 'open');
  world.isDisputed = true;
  world.status = 'on-hold';
  note(world, 'DISPUTE');
}

/** `dispute_outcome`: developer.paypal.com/api/customer-disputes/v1/definitions/dispute_outcome; docs.stripe.com/api/disputes/object, `status`. */
function disputeEnd(world: World, { dispute: id, how }: Of<'dispute_end'>): void {
  world.disputes.set(id, 'ended');
  note(world, how);
}

function follow(world: World, transaction: string, at: number): void {
  world.followed.set(transaction, Math.max(at, world.followed.get(transaction) ?? 0));
}

const laws: { readonly [K in Said['kind']]: (world: World, said: Of<K>, at: number) => void } = {
  payment,
  failure,
  refund,
  dispute,
  dispute_end: disputeEnd,
  cancellation: (world) => note(world, 'CANCELLED'),
  named: (world) => note(world, 'NAMED'),
};

function hear(world: World, said: Said, at: number): void {
  (laws[said.kind] as (world: World, said: Said, at: number) => void)(world, said, at);
}

/** A shop that saves an order which is paid with the status in which it waited does not undo the payment. */
function save(world: World, status: unknown): void {
  if (typeof status === 'string' && !world.hasPaid) world.status = status;
}

export function endOf({ order, steps }: Life): End {
  const world: World = {
    status: order.status,
    total: order.total,
    currency: order.currency,
    notes: new Map(),
    payments: new Map(),
    firsts: new Map(),
    renewals: new Set(),
    failures: new Set(),
    refunds: new Set(),
    disputes: new Map(),
    followed: new Map(),
    hasPaid: false,
    isDisputed: false,
  };
  for (const step of steps) {
    if (step.kind === 'save') save(world, step.fields.status);
    else if (!step.isCopy) for (const said of step.webhook.says) hear(world, said, step.webhook.at);
  }
  return { status: world.status, notes: Object.fromEntries([...world.notes].sort()) };
}
