import type { Order } from '@order-automation/contracts';
import { gatewayKey } from '../orders/order-lookup';
import { countsAsPaid, isDraft } from '../orders/order-status';
import { type AppliedMark, appliedKey, marksOf, textOf } from './applied-meta';
import type { WooCommerce } from './client';
import { nullIf, ShopRefusal } from './failures';
import { orderFrom } from './order-mapping';
import type { SeenDocument } from './seen';

/** Milliseconds that a checkout may take from its payment to its last save. */
const checkoutTakes = 60 * 60 * 1000;

type Before = Pick<SeenDocument, 'status' | 'names' | 'marks'>;

/**
 * By which command a payment moved an order that its checkout has saved since, as it knew the order before: a draft as `pending` (decisions.md section 12,
 * "Drafts"), or a completed one as `processing`, with the payment (WC_Order::payment_complete of an object that was read before). That is no news. Null
 * otherwise, and for a person's change.
 */
function takenBack(before: Before | null, order: Order): AppliedMark | null {
  const mark = marksOf(order).findLast(({ what }) => what === 'status');
  if (!mark || !countsAsPaid(mark.to)) return null;
  if (Date.parse(order.date_modified) - Date.parse(mark.at) >= checkoutTakes) return null;
  // Somebody had taken it out of there already.
  if (before && before.status !== mark.to && before.marks.includes(mark.key)) return null;
  const from = mark.from ?? '';
  if (order.status === 'pending') return isDraft(from) ? mark : null;
  const isMovedOn = order.status === 'processing' && mark.to === 'completed' && !countsAsPaid(from);
  return isMovedOn && bringsPayment(before, order) ? mark : null;
}

/** By a transaction that it had not, or a date of payment after that of its completion. */
function bringsPayment(before: Before | null, { transaction_id, date_paid, date_completed }: Order): boolean {
  const id = transaction_id.trim();
  const isNew = id !== '' && before?.names.includes(gatewayKey(id)) === false;
  return isNew || Date.parse(date_paid ?? '') > Date.parse(date_completed ?? '');
}

/** Gives such an order the status of its payment again, once, and a note that says so: its mark says from then on that it had the other one before. */
export async function keepPaid(before: Before | null, order: Order, shop: WooCommerce): Promise<Order> {
  const mark = takenBack(before, order);
  if (!mark) return order;
  const marks = marksOf(order).map((one) => (one.key === mark.key ? { ...one, from: order.status } : one));
  const body = { status: mark.to, meta_data: [{ key: appliedKey, value: textOf(marks) }] };
  const refused = nullIf((error) => error instanceof ShopRefusal);
  const kept = await shop.write('PUT', `wc/v3/orders/${order.id}`, body).catch(refused);
  if (kept === null) return order;
  // People read there why it changed twice. What is lost with it is only the explanation.
  const note = `The checkout saved this order as ${order.status} after its payment, so it is ${mark.to} again.`;
  await shop.write('POST', `wc/v3/orders/${order.id}/notes`, { note }).catch(() => undefined);
  return orderFrom(kept);
}
