import { type Actor, invalidParameters, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import { exclusively } from './rule-switch';
import { finishLeft, type NewStep, savedMeanwhile, switchRules } from './switching';

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

/** How often rules are ordered anew because somebody saved one of them. */
const attempts = 5;

/** All rules that move do, or none; each gets a version. 400 for ids that stand there twice or are no rules. */
export async function reorderRules(
  { ids, actor }: RequestInput<'rules.reorder.v1'>,
  deps: RulesDeps,
): Promise<RequestOutput<'rules.reorder.v1'>> {
  const count = await exclusively(deps.ruleSwitch, async (lease) => {
    await finishLeft(lease, deps);
    for (let attempt = 1; ; attempt += 1) {
      const steps = await stepsOf(ids, actor, deps);
      const outcome = steps.length === 0 ? null : await switchRules(steps, lease, deps);
      if (outcome === null || !('edited' in outcome)) return steps.length;
      if (attempt === attempts) throw savedMeanwhile(outcome.edited, 'reordered', 'try again');
    }
  });
  const after = await deps.rules.places();
  const message = count === 0 ? 'The rules are in this order already.' : `${count} rules were moved.`;
  return { success: true, message, order: after.map(({ _id, position }) => ({ id: _id, position })) };
}

async function stepsOf(ids: readonly number[], actor: Actor, { rules }: RulesDeps): Promise<NewStep[]> {
  const places = await rules.places();
  const known = new Set(places.map(({ _id }) => _id));
  const violations = ids.flatMap((id, at) => {
    if (!known.has(id)) return [{ path: `ids.${at}`, message: `there is no rule ${id}` }];
    return ids.indexOf(id) < at ? [{ path: `ids.${at}`, message: `rule ${id} is listed twice` }] : [];
  });
  if (violations.length > 0) throw invalidParameters(violations);
  const moved = moves(places, ids);
  return (await rules.byIds([...moved.keys()])).map((before) => {
    const { _id: rule_id, version, name, enabled, stop_processing, rule } = before;
    const position = moved.get(rule_id) ?? before.position;
    return { rule_id, version, fields: { name, enabled, position, stop_processing, rule }, actor, is_move: true };
  });
}
