import { type Order, paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { OrderKeys } from './order-keys';
import { keysOf, searchText, wordKey } from './order-lookup';
import { plainStatus } from './order-status';
import type { Orders } from './orders';

/** Keys that a search looks at: far more than anybody pages through. */
const mostHits = 10_000;

type Input = RequestInput<'shop.order.list.v1'>;
type Output = RequestOutput<'shop.order.list.v1'>;

/**
 * Orders, newest first. A search finds orders whose id, number, name, company or e-mail begins with the text; case and accents do not
 * count, and an exact id or number comes first.
 */
export async function listOrders(input: Input, orders: Orders, keys: OrderKeys): Promise<Output> {
  const { page, per_page } = input;
  const skip = (page - 1) * per_page;
  const text = searchText(input.search ?? '').replace(/^#/, '');
  const wanted = (input.status ?? '').trim();
  const status = wanted === '' || wanted === 'any' ? undefined : plainStatus(wanted);
  if (text === '') {
    const [found, total] = await Promise.all([orders.page(status, skip, per_page), orders.count(status)]);
    return { orders: found.map(({ order }) => order), pagination: paginate(total, page, per_page) };
  }
  const matches = await search(text, status, orders, keys);
  return { orders: matches.slice(skip, skip + per_page), pagination: paginate(matches.length, page, per_page) };
}

async function search(text: string, status: string | undefined, orders: Orders, keys: OrderKeys): Promise<Order[]> {
  const hits = await keys.startingWith(wordKey(text), mostHits);
  const found = await orders.byIds([...new Set(hits.map(({ order_id }) => order_id))]);
  return found
    .map(({ order }) => order)
    .filter((order) => status === undefined || order.status === status)
    .filter((order) => keysOf(order).some((key) => key.startsWith(wordKey(text))))
    .sort((a, b) => Number(isExact(b, text)) - Number(isExact(a, text)) || b.id - a.id);
}

function isExact(order: Order, text: string): boolean {
  return String(order.id) === text || searchText(order.number) === text;
}
