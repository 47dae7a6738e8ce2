import {
  type Actor,
  check,
  type Edition,
  type ExportedRule,
  type ImportedRule,
  type ImportResult,
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  type RuleData,
  ruleFileSchema,
  ServiceError,
  type Violation,
} from '@order-automation/contracts';
import type { ConsequenceDeps } from './consequences';
import { differenceText, ruleDifference } from './rule-changes';
import type { RuleDocument, RuleFields } from './rule-documents';
import { insertRule, removeRule, updateRule } from './rule-writes';
import { checkedRule } from './saves';

/** Rules in one page of an export: well within an answer, also where they are large. */
const exportPage = 20;

export async function exportRules(
  { after }: RequestInput<'rules.export.v1'>,
  { rules }: Pick<ConsequenceDeps, 'rules'>,
): Promise<RequestOutput<'rules.export.v1'>> {
  const page = await rules.after(after, exportPage);
  const next = page.length === exportPage ? (page.at(-1)?._id ?? null) : null;
  return { rules: page.map(exported), next };
}

function exported({ key, name, enabled, position, stop_processing, rule }: RuleDocument): ExportedRule {
  return { key, name, enabled, position, stop_processing, rule };
}

type Wanted = ExportedRule & { readonly rule: RuleData };

/** The rules of the file, all violations of all of them listed. */
function readFile(file: unknown, edition: Edition, { registry }: ConsequenceDeps): Wanted[] {
  const read = check(ruleFileSchema, file);
  if (!read.ok) throw invalidParameters(read.violations);
  const refusals: ServiceError[] = [];
  const keys = new Set<string>();
  const rules = read.value.rules.flatMap((entry, at): Wanted[] => {
    const twice = { path: `rules.${at}.key`, message: `${entry.key} stands there twice` };
    if (keys.has(entry.key)) refusals.push(invalidParameters([twice]));
    keys.add(entry.key);
    try {
      return [{ ...entry, rule: checkedRule(entry.rule, edition, registry, `rules.${at}.rule`) }];
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      refusals.push(error);
      return [];
    }
  });
  const worst = refusals.find(({ status }) => status === 403) ?? refusals[0];
  if (!worst) return rules;
  const violations = refusals
    .filter(({ code }) => worst.status !== 403 || code === worst.code)
    .flatMap(({ data }) => (data.violations ?? []) as Violation[]);
  throw new ServiceError(worst.status, worst.code, worst.message, { violations });
}

async function allRules({ rules }: ConsequenceDeps): Promise<RuleDocument[]> {
  const found: RuleDocument[] = [];
  for (let after = 0; ; ) {
    const page = await rules.after(after, 500);
    found.push(...page);
    if (page.length < 500) return found;
    after = page.at(-1)?._id ?? 0;
  }
}

/** What a rule of the file is to be, beside the one of that key. A file that says no position leaves it where it is. */
function fieldsOf({ name, enabled, stop_processing, position, rule }: Wanted, before: RuleDocument): RuleFields {
  return { name: name.trim() || before.name, enabled, position: position ?? before.position, stop_processing, rule };
}

type Plan = { readonly result: ImportResult; readonly wanted: ReadonlyMap<string, Wanted> };

function planned(wanted: readonly Wanted[], existing: readonly RuleDocument[]): Plan {
  const byKey = new Map(existing.map((rule) => [rule.key, rule]));
  const result: ImportResult = { create: [], change: [], unchanged: [], delete: [] };
  for (const entry of wanted) {
    const { key, name } = entry;
    const before = byKey.get(key);
    byKey.delete(key);
    if (!before) {
      result.create.push({ key, name, id: null });
      continue;
    }
    const difference = ruleDifference(before, fieldsOf(entry, before));
    const named: ImportedRule = { key, name, id: before._id };
    if (Object.keys(difference).length === 0) result.unchanged.push(named);
    else result.change.push({ ...named, summary: differenceText(difference) });
  }
  for (const { key, name, _id } of byKey.values()) result.delete.push({ key, name, id: _id });
  return { result, wanted: new Map(wanted.map((entry) => [entry.key, entry])) };
}

/** Everything is checked before anything is written; an import that is interrupted is finished by the same import again. */
export async function importRules(
  { file, mode, edition, actor }: RequestInput<'rules.import.v1'>,
  deps: ConsequenceDeps,
): Promise<RequestOutput<'rules.import.v1'>> {
  const plan = planned(readFile(file, edition, deps), await allRules(deps));
  return mode === 'preview' ? plan.result : apply(plan, actor, deps);
}

/** What was deleted meanwhile is as the file wants it. */
function orGoneAlready(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'svc_rule_not_found') throw error;
}

async function apply({ result, wanted }: Plan, actor: Actor, deps: ConsequenceDeps): Promise<ImportResult> {
  for (const { id } of result.delete)
    if (id !== null) await removeRule({ id, ifMatch: null, actor }, deps).catch(orGoneAlready);
  for (const { key, id } of result.change) {
    const entry = wanted.get(key);
    if (entry && id !== null) await updateRule({ id, ifMatch: null, actor }, deps, (before) => fieldsOf(entry, before));
  }
  const create: ImportedRule[] = [];
  for (const { key, name } of result.create) {
    const entry = wanted.get(key);
    if (!entry) continue;
    const { rule_id } = await insertRule(entry, actor, deps);
    create.push({ key, name, id: rule_id });
  }
  return { ...result, create };
}
