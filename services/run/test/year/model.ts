import type { Life, Minor, Said } from './plan';

/**
 * What becomes of an order, from what its gateways say and what people do in the shop, and nothing else. It shares no code with the product. The rules of
 * the year: a payment completes the order and notes PAID, a dispute puts it on hold and notes DISPUTE, everything else is a note: CREATED of a new order,
 * NOWPENDING and the like of each status that it enters.
 */
export type End = {
  readonly status: string;
  readonly notes: Readonly<Record<string, number>>;
  /** Entries of the log: that the order was created, and changes of its status. */
  readonly logged: { readonly created: number; readonly changed: number };
  /** Each status that the shop gave the order after its first one, which makes it send mails; null where it does not say. */
  readonly moves: readonly string[] | null;
};

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
  /** The order was a draft when it was paid, and has not been saved since. */
  isPaidDraft: boolean;
  isDisputed: boolean;
  readonly logged: { created: number; changed: number };
  readonly moves: string[];
};

/** `docs.woocommerce.com/document/managing-orders`: these wait for money. */
const awaiting = new Set(['pending', 'on-hold', 'failed', 'processing', 'checkout-draft']);

const draft = 'checkout-draft';

const note = ({ notes }: World, text: string): void => void notes.set(text, (notes.get(text) ?? 0) + 1);

/** A rule that listens to a status fires for an order that enters it, being created in it included. The year has none for the trash. */
const noteStatus = (world: World): void => {
  if (world.status !== 'trash') note(world, `NOW${world.status.replace('-', '').toUpperCase()}`);
};

/** A draft is no order yet: it is created when it is placed, or paid before (woocommerce.com/document/managing-orders, "Draft"). */
function create(world: World): void {
  if (world.status === draft) return;
  world.logged.created += 1;
  note(world, 'CREATED');
  noteStatus(world);
}

function enter(world: World, status: string): void {
  const before = world.status;
  if (before === status) return;
  world.status = status;
  // The shop sends no mail about what goes into the trash.
  if (status !== 'trash') world.moves.push(status);
  if (before === draft) create(world);
  else {
    world.logged.changed += 1;
    noteStatus(world);
  }
}

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
  complete(world);
}

function complete(world: World): void {
  world.isPaidDraft = world.status === draft;
  enter(world, 'completed');
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
  enter(world, 'on-hold');
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

/**
 * A checkout that saves its draft after the payment, with the status in which it would wait for it, does not undo the payment. An order that a payment
 * plugin moves to `processing` is paid.
 */
function save(world: World, status: unknown): void {
  if (typeof status !== 'string') return;
  if (world.isPaidDraft && status === 'pending') world.moves.push('pending', 'completed');
  else enter(world, status);
  world.isPaidDraft = false;
  if (status === 'processing') complete(world);
}

/** The only lives of the year of which the watchdog has to raise an alarm, and which. */
const alarms = [
  [/^(?:an order that was cancelled before|cancelled by a clerk after)/, 'paid_and_cancelled'],
  [/^(?:more than the total|another currency)/, 'paid_unfit'],
] as const;
export const alarmOf = ({ law }: Life): string | undefined => alarms.find(([lives]) => lives.test(law))?.[1];

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
    isPaidDraft: false,
    isDisputed: false,
    logged: { created: 0, changed: 0 },
    moves: [],
  };
  create(world);
  for (const step of steps) {
    if (step.kind === 'save') save(world, step.fields.status);
    else if (!step.isCopy) for (const said of step.webhook.says) hear(world, said, step.webhook.at);
  }
  const { status, notes, logged, moves } = world;
  return { status, notes: Object.fromEntries([...notes].sort()), logged, moves };
}
