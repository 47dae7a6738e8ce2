import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import { chooseOrders } from '../orders/order-choice';
import type { OrderKeys } from '../orders/order-keys';
import { wantedIds, wantedKeys } from '../orders/order-lookup';
import type { OrderDocument, Orders } from './orders';
import type { ProductFactsCache } from './product-facts';

type ResolveDeps = {
  readonly orders: Orders;
  readonly keys: OrderKeys;
  readonly facts: ProductFactsCache;
  readonly hosts: readonly string[];
};

/** Two queries side by side for a batch of any size; orders that only a key names take a third, and so do products that are not in memory. */
export async function resolveReferences(
  { references }: RequestInput<'shop.order.resolve.v1'>,
  { orders, keys, facts, hosts }: ResolveDeps,
): Promise<RequestOutput<'shop.order.resolve.v1'>> {
  const read = async (ids: readonly number[]): Promise<OrderDocument[]> => (ids.length === 0 ? [] : orders.byIds(ids));
  const wanted = [...new Set(references.flatMap(wantedKeys))];
  const named = new Set(references.flatMap(wantedIds));
  const [carriers, byId] = await Promise.all([wanted.length === 0 ? [] : keys.ofKeys(wanted), read([...named])]);
  const others = new Set(carriers.map(({ order_id }) => order_id).filter((id) => !named.has(id)));
  const found = new Map([...byId, ...(await read([...others]))].map((document) => [document._id, document]));
  const known = [...found.values()].map(({ order }) => order);
  const { ids, ...choices } = chooseOrders(references, known, hosts);
  return { ...choices, orders: await facts.contexts([...ids].flatMap((id) => found.get(id) ?? [])) };
}
