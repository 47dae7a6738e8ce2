import { type Order, paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { OrderKeys } from './order-keys';
import { keysOf, numberKey, searchText, wordKey } from './order-lookup';
import { plainStatus } from './order-status';
import type { Orders } from './orders';

type Input = RequestInput<'shop.order.list.v1'>;
type Output = RequestOutput<'shop.order.list.v1'>;

/** Orders whose keys a search looks at: the newest that have the very text, then those that begin with it. */
const mostHits = 2_000;

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
  const ids = await idsFor(text, status, orders, keys);
  const shown = ids.slice(skip, skip + per_page);
  const found = new Map((await orders.byIds(shown)).map(({ order }) => [order.id, order]));
  // A key is a hint: what an order no longer carries is left out.
  const listed = shown.flatMap((id) => found.get(id) ?? []).filter((order) => carries(order, text));
  return { orders: listed, pagination: paginate(ids.length, page, per_page) };
}

const carries = (order: Order, text: string): boolean => keysOf(order).some((key) => key.startsWith(wordKey(text)));

/** Only keys are read, and for a status ids: the orders themselves are read for the page that is shown. */
async function idsFor(text: string, status: string | undefined, orders: Orders, keys: OrderKeys): Promise<number[]> {
  const key = wordKey(text);
  const [whole, beginning, numbered] = await Promise.all([
    keys.newestOf(key, mostHits),
    keys.idsBeginning(key, mostHits),
    keys.newestOf(numberKey(text), mostHits),
  ]);
  const hits = [...new Set([...whole, ...beginning])];
  const ids = status === undefined ? hits : await orders.idsAmong(hits, status);
  const exact = new Set(/^[1-9]\d{0,14}$/.test(text) ? [Number(text), ...numbered] : numbered);
  return ids.sort((a, b) => Number(exact.has(b)) - Number(exact.has(a)) || b - a);
}
