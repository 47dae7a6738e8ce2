import { invalidParameters, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import { updateRule } from './rule-writes';

type Place = { readonly _id: number; readonly position: number };

/**
 * The rules that have to move, with their new positions: those of `ids` take, in this order, the places that they have among all. Positions stay
 * where they are as far as they tell the rules apart.
 */
export function moves(places: readonly Place[], ids: readonly number[]): Map<number, number> {
  const listed = new Set(ids);
  const next = ids[Symbol.iterator]();
  const order = places.map(({ _id }) => (listed.has(_id) ? (next.next().value as number) : _id));
  const before = new Map(places.map(({ _id, position }) => [_id, position]));
  const moved = new Map<number, number>();
  let least = 0;
  for (const [at, id] of order.entries()) {
    const position = Math.max(least, places[at]?.position ?? 0);
    if (before.get(id) !== position) moved.set(id, position);
    least = position + 1;
  }
  return moved;
}

/** 400 for ids that stand there twice or are no rules. Each rule that moves is a save of its own. */
export async function reorderRules(
  { ids, actor }: RequestInput<'rules.reorder.v1'>,
  deps: RulesDeps,
): Promise<RequestOutput<'rules.reorder.v1'>> {
  const places = await deps.rules.places();
  const known = new Set(places.map(({ _id }) => _id));
  const violations = ids.flatMap((id, at) => {
    if (!known.has(id)) return [{ path: `ids.${at}`, message: `there is no rule ${id}` }];
    return ids.indexOf(id) < at ? [{ path: `ids.${at}`, message: `rule ${id} is listed twice` }] : [];
  });
  if (violations.length > 0) throw invalidParameters(violations);
  const moved = moves(places, ids);
  for (const [id, position] of moved) {
    await updateRule({ id, ifMatch: null, actor }, deps, (before) => {
      const { name, enabled, stop_processing, rule } = before;
      return { name, enabled, position, stop_processing, rule };
    });
  }
  const after = await deps.rules.places();
  const message = moved.size === 0 ? 'The rules are in this order already.' : `${moved.size} rules were moved.`;
  return { success: true, message, order: after.map(({ _id, position }) => ({ id: _id, position })) };
}
