import { type Answer, type ImportResult, ServiceError } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';
import { type Change, changeRules } from '../saving/save-rules';
import { settle } from '../saving/settle';
import { unknownRecords } from '../warnings/unknown-names';
import { maxWarnings } from '../warnings/warnings';
import { type Plan, planned, readFile } from './import-plan';

/**
 * Makes the rules what the file says, all of them at once. Everything is checked before anything is written. 412 when somebody saves a rule meanwhile that the
 * file would change or delete: then nothing is.
 */
export const importRules: Answer<'rules.import.v1', RulesDeps> = async ({ file, mode, edition, actor }, deps) => {
  const wanted = readFile(file, edition, deps);
  const { ruleSet } = deps;
  if (mode === 'preview') {
    const plan = await planned(wanted, await ruleSet.read(), deps);
    return withWarnings(plan.result, plan.changes, deps);
  }
  /** Versions of the rules that the first plan was made of, by id. */
  let compared: Map<number, number> | undefined;
  const ids = new Map<string, number>();
  let result: ImportResult = { create: [], change: [], unchanged: [], delete: [] };
  const saved = await changeRules({ actor, edition }, deps, async (set) => {
    compared ??= new Map(set.rules.map(({ id, version }) => [id, version]));
    const plan = await planned(wanted, set, deps);
    refuseEdited(plan, compared);
    await takeIds(plan, ids, deps);
    const idOf = (key: string, id: number | null): number => id ?? ids.get(key) ?? 0;
    result = { ...plan.result, create: plan.result.create.map((one) => ({ ...one, id: idOf(one.key, one.id) })) };
    return plan.changes.map((change) => ({ ...change, id: idOf(change.key, change.id) }));
  });
  if (saved.versions.length > 0) await settle(saved, deps);
  const changes = saved.versions.map(({ after }) => ({ fields: after, deleted: after.deleted }));
  return withWarnings(result, changes, deps);
};

async function withWarnings(
  result: ImportResult,
  changes: readonly Pick<Change, 'fields' | 'deleted'>[],
  deps: RulesDeps,
): Promise<ImportResult> {
  const rules = changes.flatMap(({ fields, deleted }) => (deleted ? [] : fields));
  const { warnings } = await unknownRecords(rules, deps);
  return warnings.length === 0 ? result : { ...result, warnings: warnings.slice(0, maxWarnings) };
}

/** Refuses a plan about rules that somebody has saved since the first plan, unless they are now what the file says. */
function refuseEdited({ changes }: Plan, compared: ReadonlyMap<number, number>): void {
  const edited = changes.flatMap(({ before }) =>
    before && compared.get(before.rule_id) !== before.version ? [before.rule_id] : [],
  );
  if (edited.length === 0) return;
  const named = edited.slice(0, 10).join(', ');
  const text = `Somebody saved rules while they were being imported: ${named}. Nothing was changed; look at the preview again.`;
  throw new ServiceError(412, 'svc_version_conflict', text, { rule_ids: edited });
}

async function takeIds({ changes }: Plan, ids: Map<string, number>, deps: RulesDeps): Promise<void> {
  const created = changes.filter(({ id, key }) => id === null && !ids.has(key));
  if (created.length === 0) return;
  const first = await deps.takeIds(created.length);
  for (const [at, { key }] of created.entries()) ids.set(key, first + at);
}
