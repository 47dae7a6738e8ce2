import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';

/** A completed payment of an order, as the first event about it said. */
export type Payment = {
  /** The event that was evaluated for it, by its idempotency key: a replay is the same event. */
  readonly event_id: string;
  readonly event_type: string;
  readonly transaction: string | null;
  /** Of a capture that has an id of its own: the payment, which is what refunds and disputes name. */
  readonly parent?: string;
  /** A later event named the transaction; the occurrence is that of the event which did not. */
  readonly named_later: boolean;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly subscription?: string;
  /** The invoice of the card gateway that it pays, which may name no transaction (docs.stripe.com/changelog/basil). */
  readonly invoice?: string;
  /** What it was for the order; absent: all of it. */
  readonly paid?: 'whole' | 'part' | 'renewal' | 'none';
  /** ISO 8601: when the gateway says that it was paid. */
  readonly at?: string;
  /** The event, by its idempotency key, that gave back the money of this part, with which the order was paid. */
  readonly completed_by?: string;
  /** What was authorised besides, and let go with it. */
  readonly released?: string;
  /** Nobody has proven yet who reported it. */
  readonly unproven?: true;
};

/**
 * `known`: the same occurrence as before, `first` where it is the very event that reported it. `repeated`: another event about that payment was
 * evaluated before, and this one is no new occurrence.
 */
export type PaymentMatch =
  | { readonly kind: 'new' }
  | { readonly kind: 'known'; readonly first: true }
  | { readonly kind: 'known'; readonly first: false; readonly of: Payment }
  | { readonly kind: 'repeated'; readonly of: Payment };

export function paymentOf(event: UniversalEvent): Payment {
  const { idempotencyKey, eventType, transactionID, amount, currency, subscriptionID, primaryObjectID, released } =
    event;
  const named = event.sourceGateway === 'generic' ? event.orderReference.transactions : undefined;
  const parent = named?.find((id) => id !== transactionID && id !== subscriptionID);
  const invoice = event.primaryObjectType === 'invoice' ? primaryObjectID : event.invoiceID;
  return {
    event_id: idempotencyKey,
    event_type: eventType,
    transaction: transactionID,
    ...(parent !== undefined && transactionID !== null && { parent }),
    named_later: false,
    amount,
    currency,
    at: timeOf(event),
    ...(typeof subscriptionID === 'string' && { subscription: subscriptionID }),
    ...(typeof invoice === 'string' && { invoice }),
    ...(released !== undefined && { released }),
    ...(!event.authenticated && { unproven: true as const }),
  };
}

/** Each payment once, with the money of all its captures. */
export const withoutCaptures = (payments: readonly Payment[]): readonly Paid[] =>
  payments.flatMap((payment) => {
    const { parent } = payment;
    if (parent === undefined) return [payment];
    const captures = payments.filter((one) => one.parent === parent);
    if (captures[0] !== payment) return [];
    const whole = captures.find(({ paid }) => paid !== 'part') ?? payment;
    const sum = captures.map(({ amount }) => parseDecimal(amount ?? '')).reduce((a, b) => a && b && addDecimals(a, b));
    return [{ ...whole, captures, amount: sum ? formatDecimal(sum, sum.scale) : null }];
  });

export type Paid = Payment & { readonly captures?: readonly Payment[] };

/** The ids by which refunds and disputes may name it. */
export const idsOf = ({ captures, transaction, parent }: Paid): readonly string[] =>
  captures?.flatMap((one) => idsOf(one)) ?? [transaction ?? [], parent ?? []].flat();

/** ISO 8601: when what the event reports happened. */
export const timeOf = ({ occurredAt, receivedAt }: UniversalEvent): string => occurredAt ?? receivedAt;

/**
 * Whether a completed payment was seen for the order before (decisions.md section 4). Events that name the same transaction are one
 * payment and have the same occurrence; an event that names none is a payment that was seen, if the amounts agree, whichever came first.
 */
export function classifyPayment(seen: readonly Payment[], payment: Payment): PaymentMatch {
  if (seen.some(({ event_id }) => event_id === payment.event_id)) return { kind: 'known', first: true };
  const { transaction } = payment;
  const same = transaction === null ? undefined : seen.find((one) => one.transaction === transaction);
  if (same) return same.named_later ? { kind: 'repeated', of: same } : { kind: 'known', first: false, of: same };
  const of = seen.find(
    (one) =>
      (one.transaction === null && isOfInvoice(one, payment)) ||
      ((transaction === null || one.transaction === null) && !areTwoInvoices(one, payment) && agree(one, payment)),
  );
  return of ? { kind: 'repeated', of } : { kind: 'new' };
}

const areTwoInvoices = (one: Payment, other: Payment): boolean =>
  one.invoice !== undefined && other.invoice !== undefined && one.invoice !== other.invoice;

/** The payment and its invoice, of which one names the other (docs.stripe.com/api/invoice-payment/object), or two events about that invoice. */
export const isOfInvoice = (one: Payment, { invoice, transaction }: Payment): boolean =>
  invoice !== undefined && one.invoice === invoice && (one.transaction === null || transaction === null);

/** The renewal that another event about its invoice has reported; a gateway may make two events of one change (docs.stripe.com/webhooks, "Handle duplicate events"). */
export function sameRenewal(seen: readonly Payment[], payment: Payment): Payment | undefined {
  if (seen.some(({ event_id }) => event_id === payment.event_id)) return undefined;
  const isNamedLater = (one: Payment) => one.named_later && one.transaction === payment.transaction;
  return seen.find((one) => one.paid === 'renewal' && (isOfInvoice(one, payment) || isNamedLater(one)));
}

/** An amount or currency that is missing agrees with any. */
function agree(one: Payment, other: Payment): boolean {
  if (one.currency !== null && other.currency !== null && one.currency !== other.currency) return false;
  if (one.amount === null || other.amount === null || one.amount === other.amount) return true;
  const [a, b] = [parseDecimal(one.amount), parseDecimal(other.amount)];
  return a !== undefined && b !== undefined && compareDecimals(a, b) === 0;
}

/** One of several payments of the order's invoice, which has named none. */
function isPartOf({ paid, invoice, amount }: Payment, part: Payment): boolean {
  const [whole, some] = [parseDecimal(amount ?? ''), parseDecimal(part.amount ?? '')];
  return paid !== 'renewal' && invoice !== undefined && !!whole && !!some && compareDecimals(some, whole) < 0;
}

const isRenewal = ({ paid }: Payment): boolean => paid === 'renewal';

/** Payments remembered of one order: more than anybody pays for it. */
const maxPayments = 200;

/** The list after the payment; the same object when nothing is new. */
export function remembering(
  seen: readonly Payment[],
  payment: Payment,
  match: PaymentMatch = classifyPayment(
    seen.filter((one) => isRenewal(one) === isRenewal(payment)),
    payment,
  ),
): readonly Payment[] {
  if (match.kind === 'new') return [...seen, payment].slice(-maxPayments);
  if ('of' in match && match.of.unproven && !payment.unproven) {
    const { unproven: _, ...of } = match.of;
    const proven = seen.map((one) => (one === match.of ? of : one));
    return remembering(proven, payment, { ...match, of });
  }
  const { transaction, amount, paid, completed_by, released, at } = payment;
  if (match.kind === 'known') {
    // The same payment with more of its money: several captures of one authorisation.
    const same = seen.find((one) => one.transaction !== null && one.transaction === transaction);
    if (!same || paid === undefined || (same.amount === amount && same.paid === paid)) return seen;
    const completed = completed_by === undefined ? {} : { completed_by };
    const last = released !== undefined && at !== undefined && { released, at };
    const more = { amount: amount ?? same.amount, paid, ...completed, ...last };
    return seen.map((one) => (one === same ? { ...one, ...more } : one));
  }
  if (transaction === null || match.of.transaction !== null) return seen;
  if (isPartOf(match.of, payment))
    return [...seen, { ...match.of, transaction, amount, paid: 'part' as const, named_later: true }].slice(
      -maxPayments,
    );
  return seen.map((one) => (one === match.of ? { ...one, transaction, named_later: true } : one));
}
