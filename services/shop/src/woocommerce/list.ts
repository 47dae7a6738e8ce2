import { type Answer, isoTime, type Order, paginate } from '@order-automation/contracts';
import { gatewayKey, namesOf, numberKey, orderId, type Period, searchText, secondsOf } from '../orders/order-lookup';
import type { Query } from './client';
import type { WooCommerceDeps } from './deps';
import { nullIfUnreadable } from './failures';
import { statusOf } from './order-mapping';
import { pageSize, totalOf } from './paging';
import { inUtc } from './watch';

type Deps = Pick<WooCommerceDeps, 'shop' | 'read' | 'keys' | 'statuses'>;

/**
 * Orders, newest first, as WooCommerce searches them. The one with the very id comes first, then those with the very number or payment, which WooCommerce
 * does not look into: numbers of a plugin are known of orders that were read. A status that the shop does not have has no orders.
 */
export const listOrders: Answer<'shop.order.list.v1', Deps> = async (input, deps) => {
  const { page, per_page } = input;
  if (input.ids) {
    const orders = await deps.read.byIds(input.ids.toSorted((one, other) => other - one));
    return { orders, pagination: paginate(orders.length, 1, 100) };
  }
  const { statuses } = deps;
  const written = (input.search ?? '').trim().replace(/^#\s*/, '');
  const search = searchText(written);
  const wanted = statusOf(input.status ?? '');
  if (wanted !== undefined && !(await statuses.has(wanted)))
    return { orders: [], pagination: paginate(0, page, per_page) };
  const query = { search: search === '' ? undefined : search, orderby: 'id', order: 'desc', ...createdIn(input) };
  const exact = page === 1 ? await exactOrders(written, wanted, input, deps) : [];
  const ask = (status: string) => part(deps, { ...query, status }, (page - 1) * per_page, per_page);
  const { orders, total } = await (wanted === undefined ? statuses.listing(ask) : ask(await statuses.spelled(wanted)));
  const others = orders.filter(({ id }) => !exact.some((one) => one.id === id));
  return {
    orders: [...exact, ...others].slice(0, per_page),
    pagination: paginate(total || exact.length, page, per_page),
  };
};

/** Neither `after` nor `before` has the second itself (WP_Date_Query, `inclusive`). */
const createdIn = ({ from, to }: Period): Query => ({
  ...((from ?? to) !== undefined && { dates_are_gmt: 'true' }),
  ...(from !== undefined && { after: inUtc(isoTime(Date.parse(from) - 1)) }),
  ...(to !== undefined && { before: inUtc(isoTime(Date.parse(to) + 1_000)) }),
});

async function exactOrders(written: string, status: string | undefined, period: Period, { keys, read }: Deps) {
  const [from, to] = secondsOf(period);
  const own = orderId(written);
  const wanted = written === '' ? [] : [numberKey(written), gatewayKey(written)];
  const carriers = await keys.ofKeys(wanted);
  const ids = [...new Set([...(own === undefined ? [] : [own]), ...carriers.map(({ order_id }) => order_id)])];
  const orders = await read.byIds(ids).catch(nullIfUnreadable);
  return (orders ?? [])
    .filter((order) => status === undefined || order.status === status)
    .filter(({ date_created }) => from <= date_created && date_created <= to)
    .filter((order) => order.id === own || namesOf(order).some((name) => wanted.includes(name)));
}

/** A page of ours may take two of WooCommerce's. */
async function part({ shop, read }: Deps, query: Query, start: number, count: number) {
  const orders: Order[] = [];
  let total = 0;
  for (let offset = start; offset < start + count; offset += pageSize) {
    const per_page = Math.min(pageSize, start + count - offset);
    const found = await read.page({ ...query, offset, per_page });
    orders.push(...found.orders);
    total = await totalOf(shop, 'wc/v3/orders', query, found);
    if (found.items.length < per_page) break;
  }
  return { orders, total };
}
