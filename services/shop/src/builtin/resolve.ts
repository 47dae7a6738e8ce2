import type { OrderReference, RequestInput, RequestOutput } from '@order-automation/contracts';
import type { OrderKeys } from '../orders/order-keys';
import { chooseOrder, gatewayKeysOf, namedId, numberKeysOf } from '../orders/order-lookup';
import type { OrderDocument, Orders } from './orders';
import type { ProductFactsCache } from './product-facts';

/**
 * Two queries side by side for a batch of any size: the keys of the gateway, and the orders that are named. What is found by a key alone, or
 * named by a number that is no id, takes further ones, and so do products that are not in memory.
 */
export async function resolveReferences(
  { references }: RequestInput<'shop.order.resolve.v1'>,
  orders: Orders,
  keys: OrderKeys,
  facts: ProductFactsCache,
): Promise<RequestOutput<'shop.order.resolve.v1'>> {
  const found = newFindings(orders, keys);
  await found.lookUp(
    references.flatMap(gatewayKeysOf),
    references.flatMap((reference) => namedId(reference) ?? []),
  );
  const unnamed = references.filter((reference) => !isNamed(reference, found.byId));
  await found.lookUp(unnamed.flatMap(numberKeysOf), []);
  const byId = new Map([...found.byId].map(([id, { order }]) => [id, order]));
  const matches = references.map((reference) => chooseOrder(reference, found.candidates, byId));
  const matched = new Set(matches.flatMap((match) => match?.order_id ?? []));
  return { matches, orders: await facts.contexts([...matched].flatMap((id) => found.byId.get(id) ?? [])) };
}

function isNamed(reference: OrderReference, byId: ReadonlyMap<number, OrderDocument>): boolean {
  const id = namedId(reference);
  return id !== undefined && byId.has(id);
}

/** The orders read so far, and which of them carry a key. */
function newFindings(orders: Orders, keys: OrderKeys) {
  const byId = new Map<number, OrderDocument>();
  const candidates = new Map<string, number[]>();

  const read = async (ids: readonly number[]): Promise<void> => {
    const unread = [...new Set(ids)].filter((id) => !byId.has(id));
    if (unread.length === 0) return;
    for (const document of await orders.byIds(unread)) byId.set(document._id, document);
  };

  const readKeys = async (wanted: readonly string[]): Promise<number[]> => {
    const carriers = wanted.length === 0 ? [] : await keys.ofKeys([...new Set(wanted)]);
    for (const { key, order_id } of carriers) candidates.set(key, [...(candidates.get(key) ?? []), order_id]);
    return carriers.map(({ order_id }) => order_id);
  };

  const lookUp = async (wanted: readonly string[], ids: readonly number[]): Promise<void> => {
    const [carriers] = await Promise.all([readKeys(wanted), read(ids)]);
    await read(carriers);
  };
  return { byId, candidates, lookUp };
}
