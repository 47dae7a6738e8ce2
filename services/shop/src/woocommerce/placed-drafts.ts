import type { Order } from '@order-automation/contracts';
import { countsAsPaid, isDraft } from '../orders/order-status';
import { type AppliedMark, appliedKey, marksOf } from './applied-meta';
import type { WooCommerce } from './client';
import { ShopRefusal } from './failures';
import { orderFrom } from './order-mapping';
import type { SeenDocument } from './seen';

/** Milliseconds that a checkout may take from its payment to its last save. */
const checkoutTakes = 60 * 60 * 1000;

/**
 * By which command a payment completed the draft of a checkout that then saved it as `pending`: the status in which the order would wait for that
 * payment is no news (decisions.md section 12, "Drafts"). Null otherwise, and for whoever sets `pending` again.
 */
function paidAsDraft(before: SeenDocument | null, order: Order): AppliedMark | null {
  if (order.status !== 'pending') return null;
  const mark = marksOf(order).findLast(({ what }) => what === 'status');
  if (!mark || !isDraft(mark.from ?? '') || !countsAsPaid(mark.to)) return null;
  if (before && before.status !== mark.to && !isDraft(before.status)) return null;
  return Date.parse(order.date_modified) - Date.parse(mark.at) < checkoutTakes ? mark : null;
}

/** Gives such an order the status of its payment again, once: its mark says from then on that it was `pending` before. */
export async function keepPaid(before: SeenDocument | null, order: Order, shop: WooCommerce): Promise<Order> {
  const mark = paidAsDraft(before, order);
  if (!mark) return order;
  const marks = marksOf(order).map((one) => (one.key === mark.key ? { ...one, from: 'pending' } : one));
  const body = { status: mark.to, meta_data: [{ key: appliedKey, value: JSON.stringify(marks) }] };
  try {
    return orderFrom(await shop.write('PUT', `wc/v3/orders/${order.id}`, body));
  } catch (error) {
    if (error instanceof ShopRefusal) return order;
    throw error;
  }
}
