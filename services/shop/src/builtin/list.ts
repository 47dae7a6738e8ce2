import { type Answer, paginate } from '@order-automation/contracts';
import { gatewayKey, numberKey, orderId, searchText, wordKey } from '../orders/order-lookup';
import { plainStatus } from '../orders/order-status';
import type { Orders, Wanted } from './orders';

/** Orders that a search lists: the newest that have the very text, then those that begin with it. */
const maxHits = 1_000;

/**
 * Orders, newest first. A search finds orders whose id, number, name, company or e-mail begins with the text, case and accents aside, and those
 * with the very text as the id of their payment. The order with the very id comes first, then those with the number or the payment.
 */
export const listOrders: Answer<'shop.order.list.v1', Orders> = async (input, orders) => {
  const { ids: named, page, per_page, status: given = '', search = '', ...period } = input;
  if (named) {
    const found = (await orders.byIds(named)).map(({ order }) => order).sort((one, other) => other.id - one.id);
    return { orders: found, pagination: paginate(found.length, 1, 100) };
  }
  const skip = (page - 1) * per_page;
  const written = search.trim().replace(/^#/, '');
  const text = searchText(written);
  const status = ['', 'any'].includes(given.trim()) ? undefined : plainStatus(given.trim());
  const wanted = { status, ...period };
  if (text === '') {
    const [found, total] = await Promise.all([orders.page(wanted, skip, per_page), orders.count(wanted)]);
    return { orders: found.map(({ order }) => order), pagination: paginate(total, page, per_page) };
  }
  const ids = await idsFor(written, wanted, orders);
  const shown = ids.slice(skip, skip + per_page);
  const found = new Map((await orders.byIds(shown)).map(({ order }) => [order.id, order]));
  return { orders: shown.flatMap((id) => found.get(id) ?? []), pagination: paginate(ids.length, page, per_page) };
};

/** The orders themselves are read for the page that is shown. */
async function idsFor(written: string, wanted: Wanted, orders: Orders): Promise<number[]> {
  const key = wordKey(searchText(written));
  const whole = [key, numberKey(written), gatewayKey(written)];
  const [words, ...named] = await Promise.all(whole.map((one) => orders.newestWith(one, maxHits)));
  const exact = new Set(named.flat());
  const hits = new Set([...exact, ...(words ?? [])]);
  const left = maxHits - hits.size;
  for (const id of left > 0 ? await orders.idsBeginning(key, left) : []) hits.add(id);
  const ids = await orders.idsAmong([...hits], wanted);
  const own = orderId(written);
  const rank = (id: number): number => (id === own ? 2 : exact.has(id) ? 1 : 0);
  return ids.sort((a, b) => rank(b) - rank(a) || b - a);
}
