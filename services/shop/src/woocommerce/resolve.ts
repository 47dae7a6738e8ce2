import type { Answer, Order } from '@order-automation/contracts';
import { chooseOrders } from '../orders/order-choice';
import { orderId, wantedIds, wantedKeys } from '../orders/order-lookup';
import type { WooCommerceDeps } from './deps';

type Deps = Pick<WooCommerceDeps, 'read' | 'keys' | 'missed' | 'telemetry'> & { readonly sites: readonly string[] };

/**
 * The order an event belongs to (decisions.md section 12), as far as WooCommerce can be asked: by the ids of gateways that were seen on orders, by order
 * id, by a search for the order number or the transaction. What a search looks into differs from version to version; what it finds counts only when the
 * order really carries it. A partial payment stands for the order that it pays. Each word is searched for once in a while: what WooCommerce has changed
 * since is read by the watch, which remembers the ids on it.
 */
export const resolveReferences: Answer<'shop.order.resolve.v1', Deps> = async ({ references }, deps) => {
  const orders = new Map<number, Order>();
  const add = (found: readonly Order[]): void => {
    for (const order of found) orders.set(order.id, order);
  };
  const carriers = await deps.keys.ofKeys([...new Set(references.flatMap(wantedKeys))]);
  const choose = () => chooseOrders(references, orders.values(), deps.sites, carriers);
  const named = [...new Set([...references.flatMap(wantedIds), ...carriers.map(({ order_id }) => order_id)])];
  add(await deps.read.byIds(named));
  const parts = await deps.read.parts(named.filter((id) => !orders.has(id)));
  add(parts);
  const partOf = new Map(parts.map((part) => [part.id, part]));
  const before = choose().matches;
  const open = references.filter((_, index) => needsSearch(before[index]?.order_id, orders));
  // The number of an order, and the ids of its payment.
  const wanted = open.flatMap(wantedKeys).map((key) => key.replace(/^(number|gateway):/, ''));
  const words = [...new Set(wanted)].filter((word) => !deps.missed.has(word));
  add((await Promise.all(words.map((word) => searchOrders(word, deps)))).flat());
  const { ids, ...choices } = choose();
  add(await deps.read.byIds([...ids].flatMap((id) => partOf.get(id)?.parent_id ?? [])));
  const contexts = await deps.read.contexts(
    [...ids].flatMap((id) => orders.get(partOf.get(id)?.parent_id ?? id) ?? []),
  );
  const matches = choices.matches.map((match) => {
    const part = match && partOf.get(match.order_id);
    return part ? { ...match, order_id: part.parent_id, part: part.total } : match;
  });
  deps.telemetry.resolved(matches);
  return { ...choices, matches, orders: contexts };
};

/** Nothing was found, or the shop numbers its orders otherwise, so that the reference may be the number of another order. */
function needsSearch(id: number | undefined, orders: ReadonlyMap<number, Order>): boolean {
  const order = id === undefined ? undefined : orders.get(id);
  return order === undefined || orderId(order.number) !== order.id;
}

async function searchOrders(search: string, { read, missed }: Deps): Promise<readonly Order[]> {
  const { orders } = await read.page({ search, offset: 0, per_page: 20, orderby: 'id', order: 'desc' });
  await read.remember(orders);
  missed.add(search);
  return orders;
}
