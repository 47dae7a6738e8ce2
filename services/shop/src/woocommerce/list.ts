import { type Order, paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import { searchText } from '../orders/order-lookup';
import type { Query, WooCommerce } from './client';
import { statusOf } from './order-mapping';
import type { OrderReader } from './order-reader';
import { pageSize, totalOf } from './paging';
import type { Statuses } from './statuses';

type Deps = { readonly shop: WooCommerce; readonly read: OrderReader; readonly statuses: Statuses };
type Input = RequestInput<'shop.order.list.v1'>;
type Output = RequestOutput<'shop.order.list.v1'>;

/** Orders, newest first, as WooCommerce searches them; an exact id comes first. A status that the shop does not have has no orders. */
export async function listOrders(input: Input, deps: Deps): Promise<Output> {
  const { page, per_page } = input;
  const { read, statuses } = deps;
  const search = searchText(input.search ?? '').replace(/^#/, '');
  const wanted = statusOf(input.status ?? '');
  if (wanted !== undefined && !(await statuses.has(wanted)))
    return { orders: [], pagination: paginate(0, page, per_page) };
  const query = {
    status: wanted ?? (await statuses.listed()),
    search: search === '' ? undefined : search,
    orderby: 'id',
    order: 'desc',
  };
  const exact = page === 1 ? await exactOrder(search, wanted, read) : null;
  const { orders, total } = await part(deps, query, (page - 1) * per_page, per_page);
  const others = orders.filter(({ id }) => id !== exact?.id);
  const extra = exact && others.length === orders.length ? 1 : 0;
  return {
    orders: [...(exact ? [exact] : []), ...others].slice(0, per_page),
    pagination: paginate(total === 0 ? extra : total, page, per_page),
  };
}

async function exactOrder(search: string, status: string | undefined, read: OrderReader): Promise<Order | null> {
  const order = /^[1-9]\d{0,14}$/.test(search) ? await read.byId(Number(search)) : null;
  return order && (status === undefined || order.status === status) ? order : null;
}

/** A page of ours may take two of WooCommerce's. */
async function part({ shop, read }: Deps, query: Query, start: number, count: number) {
  const orders: Order[] = [];
  let total = 0;
  for (let offset = start; offset < start + count; offset += pageSize) {
    const per_page = Math.min(pageSize, start + count - offset);
    const found = await shop.page('wc/v3/orders', { ...query, offset, per_page });
    orders.push(...read.readable(found.items));
    total = await totalOf(shop, 'wc/v3/orders', query, found);
    if (found.items.length < per_page) break;
  }
  return { orders, total };
}
