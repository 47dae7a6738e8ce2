import type { Actor, NewAuditEntry } from '@order-automation/contracts';
import { type Outbox, recordsOf } from '@order-automation/service';
import type { Documents, Store } from '@order-automation/store';
import type { RulesDeps } from '../deps';
import { changeRules, memberVersion } from '../saving/save-rules';
import type { RuleDocument, RuleFields, Rules } from './rule-documents';
import type { Member, RuleSet } from './rule-set';
import type { RuleVersions } from './rule-versions';

/** What commit b457727 kept beside its counter of changes; `stage` was odd while it imported or reordered rules. */
type EarlierCounter = { readonly _id: string; readonly value: number; stage?: number };

/** What an import of commit b457727 still had to write to a rule of this version; without `fields` it deleted the rule, `is_move` counts for any version. */
type EarlierStep = {
  readonly _id: number;
  readonly rule_id: number;
  readonly version: number;
  readonly fields: RuleFields | null;
  readonly actor: Actor;
  readonly is_move?: boolean;
};

/** A rule of commit b457727, which kept its newest version and entries in the rule until they were delivered. */
type EarlierRule = RuleDocument & { readonly entries?: NewAuditEntry[]; readonly pending_since?: number };

type Parts = { readonly rules: Rules; readonly versions: RuleVersions; readonly outbox: Outbox };

const readAtOnce = 500;

/** The first rule set: of the rules that are stored, in the versions that they have. */
export async function ruleSetOfStored(store: Store, { rules, versions, outbox }: Parts): Promise<RuleSet> {
  const counters: Documents<EarlierCounter> = await store.collection<EarlierCounter>('counters');
  const { value = 0, stage = 0 } = (await counters.findOne({ _id: 'revision' })) ?? {};
  const members: Member[] = [];
  for (let page = await rules.anyAfter(0, readAtOnce); page.length > 0; ) {
    for (const rule of page as EarlierRule[]) {
      const { _id: id, version, position, enabled, key, updated_at, updated_by } = rule;
      if (rule.pending_since !== 0) {
        const { name, stop_processing, rule: data, deleted } = rule;
        const saved = { name, enabled, position, stop_processing, rule: data, deleted };
        const names = { _id: `${id}:${version}`, rule_id: id, version };
        await versions.keep({ ...names, ...saved, saved_at: updated_at, saved_by: updated_by });
        await outbox.add(recordsOf(rule.entries ?? []));
      }
      if (!rule.deleted) members.push({ id, version, position, enabled, key });
    }
    page = await rules.anyAfter(page.at(-1)?._id ?? 0, readAtOnce);
  }
  const revision = value === 0 ? 0 : value + 2;
  return { revision, generation: stage >> 1, settled: 0, changed_at: 0, rules: members };
}

/** Finishes an import or a reordering during which a process of commit b457727 died. */
export async function finishEarlierImport(store: Store, deps: RulesDeps): Promise<void> {
  const counters: Documents<EarlierCounter> = await store.collection<EarlierCounter>('counters');
  const { stage = 0 } = (await counters.findOne({ _id: 'revision' })) ?? {};
  if (stage % 2 === 0) return;
  const stored: Documents<EarlierStep> = await store.collection<EarlierStep>('rule_import_steps');
  const steps = await stored.find({}).sort({ _id: 1 }).toArray();
  const [first] = steps;
  if (first)
    await changeRules({ actor: first.actor }, deps, async (set) => {
      const changes = await Promise.all(
        steps.map(async ({ rule_id: id, version, fields, is_move }) => {
          const member = set.rules.find((one) => one.id === id);
          if (!member || (is_move ? member.position === fields?.position : member.version !== version)) return [];
          const before = await memberVersion(member, deps);
          const after = is_move && fields ? { ...before, position: fields.position } : (fields ?? before);
          return [{ id, key: member.key, before, fields: after, deleted: fields === null }];
        }),
      );
      return changes.flat();
    });
  await stored.deleteMany({});
  await counters.updateOne({ _id: 'revision' }, { $set: { stage: stage + 1 } });
}
