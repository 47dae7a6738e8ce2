import type { Order, OrderReference, RequestInput, RequestOutput } from '@order-automation/contracts';
import type { OrderKeys } from '../orders/order-keys';
import {
  chooseOrder,
  gatewayIdsOf,
  gatewayKey,
  gatewayKeysOf,
  namedId,
  numberKey,
  numberKeysOf,
} from '../orders/order-lookup';
import type { WooCommerce } from './client';
import type { MissedSearches } from './missed-searches';
import type { OrderReader } from './order-reader';

type Deps = {
  readonly shop: WooCommerce;
  readonly read: OrderReader;
  readonly keys: OrderKeys;
  readonly missed: MissedSearches;
};

/**
 * The order an event belongs to (decisions.md section 6, "Order lookup"), as far as WooCommerce can be asked: by the ids of gateways that were
 * seen on orders, by order id, by a search for the order number or the transaction. What a search looks into differs from version to version;
 * what it finds counts only when the order really carries it. Each word is searched for once in a while: what WooCommerce has changed since is read
 * by the watch, which remembers the ids on it.
 */
export async function resolveReferences(
  { references }: RequestInput<'shop.order.resolve.v1'>,
  deps: Deps,
): Promise<RequestOutput<'shop.order.resolve.v1'>> {
  const orders = new Map<number, Order>();
  const candidates = new Map<string, number[]>();
  const add = (found: readonly Order[]): void => {
    for (const order of found) {
      orders.set(order.id, order);
      for (const key of [...gatewayIdsOf(order).map(gatewayKey), numberKey(order.number)])
        candidates.set(key, [...new Set([...(candidates.get(key) ?? []), order.id])]);
    }
  };
  const keys = references.flatMap((reference) => [...gatewayKeysOf(reference), ...numberKeysOf(reference)]);
  const carriers = await deps.keys.ofKeys([...new Set(keys)]);
  const named = references.flatMap((reference) => namedId(reference) ?? []);
  add(await deps.read.byIds([...named, ...carriers.map(({ order_id }) => order_id)]));
  const choose = (reference: OrderReference) => chooseOrder(reference, candidates, orders);
  const open = references.filter((reference) => choose(reference) === null);
  const words = [...new Set(open.flatMap(searchedFor))].filter((word) => !deps.missed.has(word));
  add((await Promise.all(words.map((word) => searchOrders(word, deps)))).flat());
  const matches = references.map(choose);
  const matched = new Set(matches.flatMap((match) => match?.order_id ?? []));
  return { matches, orders: await deps.read.contexts([...matched].flatMap((id) => orders.get(id) ?? [])) };
}

/** The number of an order, and the ids of its payment. */
function searchedFor(reference: OrderReference): string[] {
  const keys = [...numberKeysOf(reference), ...gatewayKeysOf(reference)];
  return keys.map((key) => key.replace(/^(number|gateway):/, ''));
}

async function searchOrders(search: string, { shop, read, missed }: Deps): Promise<Order[]> {
  const query = { search, per_page: 20, orderby: 'id', order: 'desc' };
  const found = read.readable((await shop.page('wc/v3/orders', query)).items);
  await read.remember(found);
  missed.add(search);
  return found;
}
