import type { OrderRejection } from '@order-automation/contracts';
import { insertNew, type Store } from '@order-automation/store';
import { findInBatches, inBatches } from '../attempts/in-batches';
import { awaitedKeys } from '../attempts/waiting';
import type { Found, Rejected, Shop } from '../ports/shop';
import type { Task } from '../task';
import { followsPayment } from './occurrence';

/**
 * `_id` is the gateway, its connection, and the id of a payment, a charge, a capture, a subscription or an invoice. What is another shop's is kept apart, and
 * counts last: an event that names an order of this one, when the address of the shop was corrected perhaps, refutes it.
 */
export type PaymentOrderDocument = {
  readonly _id: string;
  readonly order_id?: number;
  /** In place of the order, where it is the payment of another shop's. */
  readonly rejection?: OrderRejection;
  /** What was paid is said by the event of its invoice: what follows the payment finds the order by it, the payment itself does not. */
  readonly of_invoice?: true;
  /** The invoice that it paid, where that is known from another event than its own. */
  readonly invoice?: string;
  readonly subscription?: string;
};

const completed = /^(?:renewal_)?payment_completed$/;
/** Not yet paid: what follows may name the payment alone, as a capture or a void does (developer.authorize.net/api/reference/features/webhooks.html). */
const attempted = /^(?:renewal_)?payment_(?:created|pending|processing|failed)$/;

/**
 * Finds orders by payments and subscriptions that the shop does not keep on them. A refund or a dispute names the payment alone, without the metadata of the
 * charge (docs.stripe.com/api/disputes/object), and the second month of a subscription names no more than that: the order is the one that an earlier event
 * named together with it, or it is another shop's as that was. What an invoice was paid by stands in an event of its own
 * (docs.stripe.com/api/invoice-payment/object). What `keeps` nothing is for dry runs.
 */
export async function openPaymentOrders(
  store: Store,
  shop: Pick<Shop, 'find' | 'get'>,
): Promise<(keeps: boolean) => Shop['find']> {
  const documents = await store.collection<PaymentOrderDocument>('payment_orders');
  const remember = inBatches<PaymentOrderDocument, void>(async (added) => void (await insertNew(documents, added)));
  const knownAs = findInBatches(documents);
  const remembered = async ({ ids, pays, isOfInvoice, follows }: Links): Promise<Found | Rejected | null> => {
    const known = await Promise.all(ids.map(knownAs));
    const row = known.find((one) => one && (!one.of_invoice || one.invoice || isOfInvoice || follows));
    if (row?.rejection) return { rejection: row.rejection };
    const context = row?.order_id === undefined ? null : await shop.get(row.order_id);
    if (!row || !context) return null;
    const invoice = row.invoice ?? (row._id === pays?.key ? pays.invoice : undefined);
    return {
      context,
      by: 'transaction_id',
      ...(row.subscription && { subscription: row.subscription }),
      ...(pays && invoice && { invoice }),
    };
  };
  return (keeps) => async (task) => {
    const named = await shop.find(task);
    const links = linksOf(task);
    if (!links) return named;
    const found = named ?? (links.isNamed ? null : await remembered(links));
    if (keeps && found) await Promise.all(taughtBy(found, named !== null, links).map(remember));
    return found;
  };
}

/** What is kept of it for what follows and names nothing else. `isNamed`: the event itself says so. */
function taughtBy(found: Found | Rejected, isNamed: boolean, links: Links): PaymentOrderDocument[] {
  if ('rejection' in found) {
    if (!isNamed || found.rejection.kind !== 'foreign') return [];
    const because = `Another event about its payment says so: ${found.rejection.because}`;
    const rejection = { ...found.rejection, orders: [], reference: '', because };
    return links.taught.map((id) => ({ _id: foreign(id), rejection }));
  }
  if (isNamed && found.by !== 'order_id') return [];
  const { id: order_id, transaction_id } = found.context.order;
  const { invoice } = found;
  const others = (invoice ? links.payments : links.taught).filter((id) => !id.endsWith(`|${transaction_id}`));
  return others.map((_id) => ({ _id, order_id, ...links.kept, ...(invoice && { of_invoice: true, invoice }) }));
}

/** What events wait for that name nothing but the payment or the subscription, when this one has named the order with it. */
export function namedWith(task: Task): readonly string[] {
  const { subject } = task;
  const isNaming = (linksOf(task)?.taught.length ?? 0) > 0;
  return subject.kind === 'event' && isNaming ? awaitedKeys(subject.event.orderReference) : [];
}

type Links = NonNullable<ReturnType<typeof linksOf>>;

const foreign = (id: string): string => `foreign|${id}`;

/** What an event names besides its order, and which of it belongs to that; undefined for what is no event of a gateway. */
function linksOf({ subject }: Task) {
  if (subject.kind !== 'event') return undefined;
  const { event, webhook } = subject;
  const { orderReference, sourceGateway, genericType, subscriptionID, billing, primaryObjectType: kind } = event;
  const keyOf = (id: string): string => `${sourceGateway}|${webhook?.connection ?? ''}|${id}`;
  const keysOf = (ids: readonly (string | null | undefined)[]) =>
    ids.flatMap((id) => (typeof id === 'string' ? keyOf(id) : []));
  const { transactions = [], gateway_ids } = orderReference;
  // An attempt may move to another order before it is paid, so that the payment counts first.
  const attempts = keysOf(transactions).map((key) => `attempt|${key}`);
  // Paid or not yet, a checkout is that of its order, and so is all that it names. So is an invoice: its payment may be tried and let go without it.
  const isCheckout = kind === 'checkout.session' || event.eventType === 'payment.wallet.payments_payment_created';
  const isOfInvoice = kind === 'invoice_payment' || billing === 'other';
  const invoice = kind === 'invoice' ? event.primaryObjectID : (event.invoiceID ?? null);
  const payments = keysOf(isCheckout ? gateway_ids : transactions);
  const own = keysOf([invoice]);
  const ofSubscription = keysOf([subscriptionID]);
  const type = genericType ?? '';
  const isOfOrder = isCheckout || kind === 'invoice' || kind === 'invoice_payment' || ofSubscription.length > 0;
  const isProven = event.authenticated && !event.isTest;
  // A refund that failed is of no generic type.
  const isFollowing = followsPayment.has(genericType) || kind === 'refund';
  const follows = type === '' || isFollowing;
  const named = [...payments, ...own, ...(billing === 'other' ? [] : ofSubscription)];
  // An invoice of a subscription goes where that does, whether or not its payment, which may name an order of its own, came first.
  const ids = [...keysOf(transactions), ...ofSubscription, ...own, ...attempts];
  return {
    ids: [...ids, ...ids.map(foreign)],
    payments: isProven ? payments : [],
    taught: isProven ? (isOfOrder || completed.test(type) ? named : attempted.test(type) ? attempts : []) : [],
    isOfInvoice,
    /** A payment, and the invoice that it names. */
    pays: kind !== 'invoice' && !isOfInvoice && !follows ? { invoice, key: keyOf(invoice ?? '') } : undefined,
    kept: {
      ...(isOfInvoice && { of_invoice: true as const, ...(invoice && { invoice }) }),
      ...(subscriptionID && { subscription: subscriptionID }),
    },
    follows,
    // What a refund or a dispute names beside its payment is often the sender's own order, or its own reference.
    isNamed: orderReference.order_id !== null && !isFollowing,
  };
}
