import type { Order } from '@order-automation/contracts';
import type { WooCommerce } from './client';
import { asFields, utcOf } from './order-mapping';
import { allPages } from './paging';
import type { SeenDocument } from './seen';

/** Milliseconds after which the plugin of a payment gateway has given up. */
const gatewayTakes = 120_000;

/**
 * Ids of refunds that a payment gateway is still asked for: WooCommerce stores a refund first, deletes it again when the gateway declines, and touches the
 * order when it is done (wc_create_refund).
 */
export async function unfinishedRefunds(
  before: SeenDocument | null,
  order: Order,
  { shop, now }: { readonly shop: WooCommerce; readonly now: number },
): Promise<ReadonlySet<unknown>> {
  const isTouched = Date.parse(order.date_modified) !== Date.parse(before?.modified ?? '');
  if (isTouched || !order.refunds?.some(({ id }) => id && !before?.refunds.includes(id))) return new Set();
  const rows = (await allPages(shop, `wc/v3/orders/${order.id}/refunds`)).map(asFields);
  const since = Math.max(Date.parse(order.date_modified), now - gatewayTakes);
  return new Set(rows.filter((row) => Date.parse(utcOf(row.date_created_gmt) ?? '') > since).map(({ id }) => id));
}

export const withoutRefunds = (order: Order, ids: ReadonlySet<unknown> = new Set()): Order =>
  ids.size === 0 ? order : { ...order, refunds: order.refunds?.filter(({ id }) => !ids.has(id)) };
