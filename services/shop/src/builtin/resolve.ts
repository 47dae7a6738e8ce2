import type { Answer } from '@order-automation/contracts';
import { chooseOrders } from '../orders/order-choice';
import { wantedIds, wantedKeys } from '../orders/order-lookup';
import type { BuiltinParts } from './parts';

/** Two queries side by side for a batch of any size; products that are not in memory take a third. */
export const resolveReferences: Answer<'shop.order.resolve.v1', BuiltinParts> = async (
  { references },
  { orders, facts, sites, telemetry },
) => {
  const keys = [...new Set(references.flatMap(wantedKeys))];
  const named = [...new Set(references.flatMap(wantedIds))];
  const read = await Promise.all([
    keys.length === 0 ? [] : orders.byKeys(keys),
    named.length === 0 ? [] : orders.byIds(named),
  ]);
  const found = new Map(read.flat().map((document) => [document._id, document]));
  const known = [...found.values()].map(({ order }) => order);
  const { ids, ...choices } = chooseOrders(references, known, sites);
  const contexts = await facts.contexts([...ids].flatMap((id) => found.get(id) ?? []));
  telemetry.resolved(choices.matches);
  return { ...choices, orders: contexts };
};
