import type { RequestOutput } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';
import type { RuleFields } from '../documents/rule-documents';
import { nextPosition, type RuleSet } from '../documents/rule-set';
import { recordOfVersion, type SavedVersion } from '../documents/rule-versions';
import { savedWarnings } from '../warnings/warnings';
import { changeOf } from './audit-entries';
import { type Change, changeRules, freeKey, type Saving, slugOf } from './save-rules';
import { settle } from './settle';

type SavedRule = RequestOutput<'rules.rule.save.v1'>;

export async function changeRule(
  saving: Saving,
  deps: RulesDeps,
  decide: (set: RuleSet) => Promise<Change>,
): Promise<SavedRule> {
  const saved = await changeRules(saving, deps, async (set) => [await decide(set)]);
  const one = saved.versions[0] as SavedVersion;
  const { rule_id: id, version } = one.after;
  const settling = settle(saved, deps);
  const record = recordOfVersion(one.after, (await deps.rules.standing([id])).get(id));
  const isDeleted = changeOf(one) === 'deleted';
  const warnings = isDeleted ? [] : await savedWarnings(record, deps);
  const audited = await settling;
  const what = isDeleted ? 'was deleted' : `was saved as version ${version}`;
  const later = audited ? '' : ' The audit log is not available at the moment; its entry will follow.';
  const answer = { success: true, message: `Rule ${id} ${what}.${later}`, rule_id: id, audit_logged: audited, record };
  return warnings.length > 0 ? { ...answer, warnings } : answer;
}

type NewRule = Omit<RuleFields, 'position'> & { readonly position?: number | undefined };

/** A new rule, behind the last one unless it has a position. Its key is made from its name. */
export function newRule(id: number, fields: NewRule, set: RuleSet): Change {
  const position = fields.position ?? nextPosition(set.rules);
  return { id, key: freeKey(slugOf(fields.name), id, set), before: null, fields: { ...fields, position } };
}
