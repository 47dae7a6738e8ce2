import type { Page, Query, WooCommerce } from './client';

export const pageSize = 100;
const maxPages = 100;

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

export function batchesOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / pageSize) }, (_, at) =>
    items.slice(at * pageSize, (at + 1) * pageSize),
  );
}
