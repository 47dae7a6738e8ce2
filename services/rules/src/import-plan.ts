import {
  check,
  type Edition,
  type ExportedRule,
  type ImportedRule,
  type ImportResult,
  invalidParameters,
  type RuleData,
  ruleFileSchema,
  ServiceError,
  type Violation,
} from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import { differenceText, ruleDifference } from './rule-changes';
import type { RuleDocument, RuleFields } from './rule-documents';
import { checkedRule } from './saves';

/** A rule of the file whose rule data fit. */
export type Wanted = ExportedRule & { readonly rule: RuleData };

/** The rules of the file, all violations of all of them listed. */
export function readFile(file: unknown, edition: Edition, { registry }: RulesDeps): Wanted[] {
  const read = check(ruleFileSchema, file);
  if (!read.ok) throw invalidParameters(read.violations);
  const refusals: ServiceError[] = [];
  const keys = new Set<string>();
  const rules = read.value.rules.flatMap((entry, at): Wanted[] => {
    const twice = { path: `rules.${at}.key`, message: `${entry.key} is listed twice` };
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

export async function allRules({ rules }: RulesDeps): Promise<RuleDocument[]> {
  const found: RuleDocument[] = [];
  for (let after = 0; ; ) {
    const page = await rules.after(after, 500);
    found.push(...page);
    if (page.length < 500) return found;
    after = page.at(-1)?._id ?? 0;
  }
}

/** What a rule of the file is to be, beside the one of that key. A file that says no position leaves it where it is. */
export function fieldsOf({ name, enabled, stop_processing, position, rule }: Wanted, before: RuleDocument): RuleFields {
  return { name: name.trim() || before.name, enabled, position: position ?? before.position, stop_processing, rule };
}

/** `existing` are the rules that were compared with the file, by id. */
export type Plan = {
  readonly result: ImportResult;
  readonly wanted: ReadonlyMap<string, Wanted>;
  readonly existing: ReadonlyMap<number, RuleDocument>;
};

export function planned(wanted: readonly Wanted[], existing: readonly RuleDocument[]): Plan {
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
  return {
    result,
    wanted: new Map(wanted.map((entry) => [entry.key, entry])),
    existing: new Map(existing.map((rule) => [rule._id, rule])),
  };
}
