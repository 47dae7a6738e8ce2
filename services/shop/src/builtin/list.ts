import { type Order, paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { OrderKeys } from '../orders/order-keys';
import { gatewayKey, keysOf, numberKey, searchText, wordKey } from '../orders/order-lookup';
import { plainStatus } from '../orders/order-status';
import type { Orders } from './orders';

type Input = RequestInput<'shop.order.list.v1'>;
type Output = RequestOutput<'shop.order.list.v1'>;

/** Orders that a search lists: the newest that have the very text, then those that begin with it. */
const maxHits = 1_000;

/**
 * Orders, newest first. A search finds orders whose id, number, name, company or e-mail begins with the text, case and accents aside, and those
 * with the very text as the id of their payment. The order with the very id comes first, then those with the number or the payment.
 */
export async function listOrders(input: Input, orders: Orders, keys: OrderKeys): Promise<Output> {
  const { page, per_page } = input;
  const skip = (page - 1) * per_page;
  const written = (input.search ?? '').trim().replace(/^#/, '');
  const text = searchText(written);
  const wanted = (input.status ?? '').trim();
  const status = wanted === '' || wanted === 'any' ? undefined : plainStatus(wanted);
  if (text === '') {
    const [found, total] = await Promise.all([orders.page(status, skip, per_page), orders.count(status)]);
    return { orders: found.map(({ order }) => order), pagination: paginate(total, page, per_page) };
  }
  const ids = await idsFor(written, status, orders, keys);
  const shown = ids.slice(skip, skip + per_page);
  const found = new Map((await orders.byIds(shown)).map(({ order }) => [order.id, order]));
  // A key is a hint: what an order no longer carries is left out.
  const listed = shown.flatMap((id) => found.get(id) ?? []).filter((order) => carries(order, written));
  return { orders: listed, pagination: paginate(ids.length, page, per_page) };
}

const exactKeys = (written: string): string[] => [numberKey(written), gatewayKey(written)];

function carries(order: Order, written: string): boolean {
  const [exact, word] = [exactKeys(written), wordKey(searchText(written))];
  return keysOf(order).some((key) => key.startsWith(word) || exact.includes(key));
}

/** Only keys are read, and for a status ids: the orders themselves are read for the page that is shown. */
async function idsFor(written: string, status: string | undefined, orders: Orders, keys: OrderKeys): Promise<number[]> {
  const key = wordKey(searchText(written));
  const [whole, ...named] = await Promise.all([key, ...exactKeys(written)].map((one) => keys.newestOf(one, maxHits)));
  const exact = new Set(named.flat());
  const hits = new Set([...exact, ...(whole ?? [])]);
  const left = maxHits - hits.size;
  for (const id of left > 0 ? await keys.idsBeginning(key, left) : []) hits.add(id);
  const ids = status === undefined ? [...hits] : await orders.idsAmong([...hits], status);
  const own = /^[1-9]\d{0,14}$/.test(written) ? Number(written) : null;
  const rank = (id: number): number => (id === own ? 2 : exact.has(id) ? 1 : 0);
  return ids.sort((a, b) => rank(b) - rank(a) || b - a);
}
