import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import type { OrderKeys } from './order-keys';
import { chooseOrder, keysOfReference, namedId } from './order-lookup';
import type { Orders } from './orders';
import type { ProductFactsCache } from './product-facts';

/** Two queries for a batch of any size, one more when it has products that are not in memory. */
export async function resolveReferences(
  { references }: RequestInput<'shop.order.resolve.v1'>,
  orders: Orders,
  keys: OrderKeys,
  facts: ProductFactsCache,
): Promise<RequestOutput<'shop.order.resolve.v1'>> {
  const wanted = [...new Set(references.flatMap(keysOfReference))];
  const candidates = new Map<string, number[]>();
  for (const { key, order_id } of wanted.length === 0 ? [] : await keys.ofKeys(wanted)) {
    candidates.set(key, [...(candidates.get(key) ?? []), order_id]);
  }
  const ids = new Set([
    ...[...candidates.values()].flat(),
    ...references.flatMap((reference) => namedId(reference) ?? []),
  ]);
  const found = ids.size === 0 ? [] : await orders.byIds([...ids]);
  const byId = new Map(found.map(({ _id, order }) => [_id, order]));
  const matches = references.map((reference) => chooseOrder(reference, candidates, byId));
  const matched = [...new Set(matches.flatMap((match) => match?.order_id ?? []))].flatMap((id) => byId.get(id) ?? []);
  return { matches, orders: await facts.contexts(matched) };
}
