import {
  auditEntry,
  derivedId,
  message,
  type NewAuditEntry,
  type Order,
  type OrderChange,
  type OrderRefunded,
} from '@order-automation/contracts';
import { namesOf } from './order-lookup';
import { isDraft, isInTrash } from './order-status';

export type ShopEvent = OrderChange | OrderRefunded;

export type ChangeSource = NewAuditEntry['source'];

/**
 * The shop alone records changes of orders, its own and those of others: a creation as `order_created`, every later change of status as
 * `order_status_changed`, a refund as `refund_created`.
 */
const isRecorded = (change: ShopEvent): boolean =>
  change.kind === 'created' || change.kind === 'refunded' || (change.kind === 'status_changed' && change.from !== null);

/** The message about it, the same however often it is published. `now` in milliseconds since the epoch. */
export function messageOf(change: ShopEvent, now: number) {
  const origin = { id: change.change_id, process_id: change.cause.process_id, now };
  return change.kind === 'refunded'
    ? message('shop.order-refunded.v1', change, origin)
    : message('shop.order-changed.v1', change, origin);
}

type Change = Pick<OrderChange, 'change_id' | 'at' | 'cause'>;

/**
 * A new order is created and enters its first status (decisions.md section 4): two occurrences. A draft is no order yet, and nobody has
 * made an order that is first seen in the trash, but events that wait for it may find it.
 */
export function changesOfCreation(order: Order, change: Change): OrderChange[] {
  if (isDraft(order.status) || isInTrash(order)) return [identified(order, order.status, namesOf(order), change)];
  const entered = { ...change, order_id: order.id, from: null, to: order.status, keys: [] };
  return [
    { ...entered, kind: 'created', keys: namesOf(order) },
    { ...entered, kind: 'status_changed', change_id: enteredId(change.change_id) },
  ];
}

/** What others want to know of an edit: another status, ids that the order did not have before, refunds. */
export function changesOfEdit(before: Order, after: Order, change: Change): ShopEvent[] {
  const known = before.refunds?.map(({ id }) => id);
  return [...newRefunds(known, after, change), ...orderChanges(before, after, change)];
}

/** A draft that becomes an order is created then; what becomes of drafts otherwise concerns no rule. */
export function orderChanges(before: Order, after: Order, change: Change): OrderChange[] {
  if (isDraft(before.status) && !isDraft(after.status)) return changesOfCreation(after, change);
  const known = new Set(namesOf(before));
  const keys = namesOf(after).filter((key) => !known.has(key));
  if (before.status === after.status || isDraft(after.status))
    return keys.length > 0 ? [identified(after, before.status, keys, change)] : [];
  return [{ ...identified(after, before.status, keys, change), kind: 'status_changed' }];
}

const identified = ({ id, status }: Order, from: string, keys: string[], change: Change): OrderChange => ({
  ...change,
  order_id: id,
  kind: 'identified',
  from,
  to: status,
  keys,
});

export const enteredId = (createdId: string): string => `${createdId}:entered`;

/** The refunds that the order did not have before, by their ids; one without an id cannot be told from another, and one of 0.00 puts products back into stock. */
export function newRefunds(
  known: readonly (number | undefined)[] | undefined,
  { id: order_id, currency, refunds = [] }: Order,
  { at, cause }: Omit<Change, 'change_id'>,
): OrderRefunded[] {
  return refunds.flatMap(({ id: refund_id, total }): OrderRefunded[] => {
    if (refund_id === undefined || known?.includes(refund_id) || !/[1-9]/.test(total)) return [];
    const change_id = refundChangeId(order_id, refund_id);
    const amount = total.replace(/^-/, '');
    return [{ change_id, kind: 'refunded', order_id, refund_id, amount, currency, at, cause }];
  });
}

/** Follows from the refund, however the shop learns of it: it is published once. */
export const refundChangeId = (orderId: number, refundId: number): string =>
  `chg_${derivedId('refund', orderId, refundId)}`;

/** Of the change of status that a full refund brings with it. */
export const statusChangeId = (refundId: string): string => `${refundId}:status`;

export const entriesOf = (changes: readonly ShopEvent[], order: Order, source: ChangeSource): NewAuditEntry[] =>
  changes.filter(isRecorded).map((change) => entryOf(change, order, source));

function entryOf(change: ShopEvent, order: Order, source: ChangeSource): NewAuditEntry {
  if (change.kind === 'refunded') return refundEntry(change, order, source);
  const { order_id, kind, from, to, cause } = change;
  const what = kind === 'created' ? `was created with status ${to}` : `changed from ${from} to ${to}`;
  // A rule makes no order but of a draft.
  const isPlaced = kind === 'created' && source === 'automation';
  return auditEntry({
    ...entryBase(change, order, source),
    event_type: kind === 'created' ? 'order_created' : 'order_status_changed',
    summary: isPlaced
      ? `${named(order)} is no longer a draft: automation set it to ${to}.`
      : `${named(order)} ${what} by ${cause.author.slice(0, 200)}.`,
    details: { author: cause.author, order: { id: order_id, before: { status: from }, after: { status: to } } },
  });
}

/** By its id, as in every other entry, and by the number that people know where a plugin made one. */
const named = ({ id, number }: Order): string =>
  number === String(id) ? `Order ${id}` : `Order ${id} (number ${number.slice(0, 100)})`;

/** An owner who sets the status "Refunded" makes a refund too, without that money moves (woocommerce.com/document/woocommerce-refunds). */
function refundEntry(change: OrderRefunded, order: Order, source: ChangeSource): NewAuditEntry {
  const { amount, currency, refund_id: id, cause } = change;
  const reason = order.refunds?.find((refund) => refund.id === id)?.reason ?? '';
  const of = `${amount} ${currency} of ${order.total} ${currency}`;
  return auditEntry({
    ...entryBase(change, order, source),
    event_type: 'refund_created',
    summary: `${named(order)}: ${of} was recorded as refunded by ${cause.author.slice(0, 200)} (refund ${id}).`,
    details: { author: cause.author, refund: { id, amount, currency, reason: reason.slice(0, 500) } },
  });
}

function entryBase({ change_id, order_id, at, cause }: ShopEvent, { billing }: Order, source: ChangeSource) {
  return {
    uid: derivedId('order', order_id, change_id),
    timestamp: at,
    source,
    order_id,
    process_id: cause.process_id,
    email: billing.email,
  };
}
