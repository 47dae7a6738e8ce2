import { ServiceError } from '@order-automation/contracts';
import type { Page, Query, WooCommerce } from './client';
import { UnreadableOrder } from './failures';

export const pageSize = 100;
const maxPages = 100;
/** Orders of one page that may be left out. */
const maxLost = 3;

/** Every item of a list that fits into 10,000. */
export async function allPages(shop: WooCommerce, path: string, query: Query = {}): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; page <= maxPages; page += 1) {
    const { items } = await shop.page(path, { ...query, per_page: pageSize, page });
    all.push(...items);
    if (items.length < pageSize) break;
  }
  return all;
}

/** How many items the list has; they are counted where a cache keeps that back, or a plugin by `no_found_rows` (WP_Query::set_found_posts, 0). */
export async function totalOf(shop: WooCommerce, path: string, query: Query, { total, items }: Page): Promise<number> {
  if (total !== null && total >= items.length) return total;
  return (await allPages(shop, path, { ...query, _fields: 'id' })).length;
}

export const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / pageSize) }, (_, at) =>
    items.slice(at * pageSize, (at + 1) * pageSize),
  );

type Part = Query & { readonly offset: number; readonly per_page: number };

/** A page of orders. One on which a plugin fails fails the list that it is in: smaller parts are asked for until it is alone, and why stands in its place. */
export async function ordersAround(shop: WooCommerce, query: Part, lost: UnreadableOrder[] = []): Promise<Page> {
  try {
    return await shop.page('wc/v3/orders', query);
  } catch (error) {
    const isOwn = error instanceof ServiceError && error.code === 'svc_shop_failed';
    if (!isOwn || error instanceof UnreadableOrder || lost.length >= maxLost) throw error;
    const { offset, per_page } = query;
    if (per_page === 1) {
      lost.push(new UnreadableOrder(error.message));
      return { items: lost.slice(-1), total: null };
    }
    const size = Math.ceil(per_page / 10);
    const pages: Page[] = [];
    for (let at = 0; at < per_page && pages.every(({ items }) => items.length === size); at += size) {
      const part = { ...query, offset: offset + at, per_page: Math.min(size, per_page - at) };
      pages.push(await ordersAround(shop, part, lost));
    }
    const total = pages.find((one) => one.total !== null)?.total ?? null;
    return { items: pages.flatMap(({ items }) => items), total, isTorn: true };
  }
}
