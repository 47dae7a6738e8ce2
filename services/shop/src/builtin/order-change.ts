import { derivedId, type NewAuditEntry, type Order, type OrderChange } from '@order-automation/contracts';
import { namesOf } from './order-lookup';
import type { OrderDocument } from './orders';

export type ChangeSource = NewAuditEntry['source'];

/**
 * The document as it owes these changes to evaluation and their entries to the log. The shop alone records changes of orders, whoever
 * caused them: a creation as `order_created`, every later change of status as `order_status_changed`.
 */
export function owing(document: OrderDocument, changes: readonly OrderChange[], source: ChangeSource): OrderDocument {
  const entries = changes.flatMap((change) => (isRecorded(change) ? [entryOf(change, document.order, source)] : []));
  return {
    ...document,
    outbox: [...document.outbox, ...changes],
    entries: [...document.entries, ...entries],
    attempt: 0,
  };
}

const isRecorded = ({ kind, from }: OrderChange): boolean =>
  kind === 'created' || (kind === 'status_changed' && from !== null);

type Change = Pick<OrderChange, 'change_id' | 'at' | 'cause'>;

/** A new order is created and enters its first status (decisions.md section 4): two occurrences. */
export function changesOfCreation(order: Order, change: Change): OrderChange[] {
  const entered = { ...change, order_id: order.id, from: null, to: order.status, keys: [] };
  return [
    { ...entered, kind: 'created', keys: namesOf(order) },
    { ...entered, kind: 'status_changed', change_id: enteredId(change.change_id) },
  ];
}

/** What others want to know of an edit: another status, or ids that the order did not have before. */
export function changesOfEdit(before: Order, after: Order, change: Change): OrderChange[] {
  const edited = { ...change, order_id: after.id, from: before.status, to: after.status };
  const known = new Set(namesOf(before));
  const keys = namesOf(after).filter((key) => !known.has(key));
  if (before.status !== after.status) return [{ ...edited, kind: 'status_changed', keys }];
  return keys.length > 0 ? [{ ...edited, kind: 'identified', keys }] : [];
}

export const enteredId = (createdId: string): string => `${createdId}:entered`;

/** The entry of the log about one change. */
export function entryOf(change: OrderChange, order: Order, source: ChangeSource): NewAuditEntry {
  const { change_id, order_id, kind, from, to, at, cause } = change;
  const what = kind === 'created' ? `was created with status ${to}` : `changed from ${from} to ${to}`;
  return {
    uid: derivedId('order', order_id, change_id),
    timestamp: at,
    status: 'success',
    event_type: kind === 'created' ? 'order_created' : 'order_status_changed',
    source,
    summary: `Order ${order.number.slice(0, 100)} ${what} by ${cause.author.slice(0, 200)}.`,
    order_id,
    process_id: cause.process_id,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: { author: cause.author, order: { id: order_id, before: { status: from }, after: { status: to } } },
  };
}
