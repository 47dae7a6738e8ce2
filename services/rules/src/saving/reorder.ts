import { type Answer, invalidParameters } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';
import { inOrder, type Member } from '../documents/rule-set';
import { changeRules, memberVersion } from './save-rules';
import { settle } from './settle';

type Place = Pick<Member, 'id' | 'position'>;

/**
 * The rules that have to move, with their new positions: those of `ids` take, in this order, the places that they have among all. Positions stay
 * where they are as far as they tell the rules apart.
 */
export function moves(places: readonly Place[], ids: readonly number[]): Map<number, number> {
  const listed = new Set(ids);
  const next = ids[Symbol.iterator]();
  const order = places.map(({ id }) => (listed.has(id) ? (next.next().value as number) : id));
  const before = new Map(places.map(({ id, position }) => [id, position]));
  const moved = new Map<number, number>();
  let least = 0;
  for (const [at, id] of order.entries()) {
    const position = Math.max(least, places[at]?.position ?? 0);
    if (before.get(id) !== position) moved.set(id, position);
    least = position + 1;
  }
  return moved;
}

/** All rules that move do, or none; each gets a version. 400 for ids that stand there twice or are no rules. */
export const reorderRules: Answer<'rules.reorder.v1', RulesDeps> = async ({ ids, actor }, deps) => {
  const saved = await changeRules({ actor }, deps, async (set) => {
    refuseUnknown(ids, set.rules);
    const moved = moves(inOrder(set), ids);
    const versions = set.rules
      .filter(({ id }) => moved.has(id))
      .map(async (member) => {
        const before = await memberVersion(member, deps);
        const position = moved.get(member.id) ?? member.position;
        return { id: member.id, key: member.key, before, fields: { ...before, position } };
      });
    return Promise.all(versions);
  });
  const count = saved.versions.length;
  if (count > 0) await settle(saved, deps);
  const message = count === 0 ? 'The rules are in this order already.' : `Rules moved: ${count}.`;
  return { success: true, message, order: inOrder(saved.after).map(({ id, position }) => ({ id, position })) };
};

function refuseUnknown(ids: readonly number[], rules: readonly Member[]): void {
  const known = new Set(rules.map(({ id }) => id));
  const violations = ids.flatMap((id, at) => {
    if (!known.has(id)) return [{ path: `ids.${at}`, message: `there is no rule ${id}` }];
    return ids.indexOf(id) < at ? [{ path: `ids.${at}`, message: `rule ${id} is listed twice` }] : [];
  });
  if (violations.length > 0) throw invalidParameters(violations);
}
