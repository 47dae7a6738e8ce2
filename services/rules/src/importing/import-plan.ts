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
import type { RulesDeps } from '../deps';
import { differenceText, ruleDifference } from '../documents/rule-changes';
import { nextPosition, type RuleSet } from '../documents/rule-set';
import { nameOf, type RuleVersionDocument } from '../documents/rule-versions';
import type { Change } from '../saving/save-rules';
import { checkedRule } from '../saving/saves';

export type Wanted = ExportedRule & { readonly rule: RuleData };

const invalid = 'The file of rules is not valid.';

/** The rules of the file, all violations of all of them listed. */
export function readFile(file: unknown, edition: Edition, { registry }: RulesDeps): Wanted[] {
  const read = check(ruleFileSchema, file);
  if (!read.ok) throw invalidParameters(read.violations, invalid);
  const refusals: ServiceError[] = [];
  const keys = new Set<string>();
  const rules = read.value.rules.flatMap((entry, at): Wanted[] => {
    const twice = { path: `rules.${at}.key`, message: `${entry.key} is listed twice` };
    if (keys.has(entry.key)) refusals.push(invalidParameters([twice], invalid));
    keys.add(entry.key);
    const both = { path: `rules.${at}.shadow`, message: 'a rule is either enabled or in shadow' };
    if (entry.enabled && entry.shadow) refusals.push(invalidParameters([both], invalid));
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

const readAtOnce = 500;

async function existingRules(
  { rules }: RuleSet,
  { versions }: Pick<RulesDeps, 'versions'>,
): Promise<Map<string, RuleVersionDocument>> {
  const found = new Map<string, RuleVersionDocument>();
  for (let from = 0; from < rules.length; from += readAtOnce) {
    const some = rules.slice(from, from + readAtOnce);
    const named = await versions.named(some);
    for (const member of some) {
      const version = named.get(nameOf(member));
      if (version) found.set(member.key, version);
    }
  }
  return found;
}

/** What has to change so that the rules are what the file says. A rule that is to be created has no id yet. */
export type Plan = {
  readonly result: ImportResult;
  readonly changes: readonly (Omit<Change, 'id'> & { readonly id: number | null })[];
};

export async function planned(wanted: readonly Wanted[], set: RuleSet, deps: RulesDeps): Promise<Plan> {
  const existing = await existingRules(set, deps);
  const result: ImportResult = { create: [], change: [], unchanged: [], delete: [] };
  const changes: Plan['changes'][number][] = [];
  let behind = nextPosition(set.rules);
  for (const entry of wanted) {
    const { key } = entry;
    const before = existing.get(key);
    const name = entry.name.trim() || (before?.name ?? key);
    existing.delete(key);
    if (!before) {
      const fields = { ...entry, name, position: entry.position ?? behind };
      behind = nextPosition([fields], behind);
      result.create.push({ key, name, id: null });
      changes.push({ id: null, key, before: null, fields });
      continue;
    }
    // A file that says no position leaves the rule where it is.
    const fields = { ...entry, name, position: entry.position ?? before.position };
    const difference = ruleDifference(before, fields);
    const named: ImportedRule = { key, name, id: before.rule_id };
    if (Object.keys(difference).length === 0) {
      result.unchanged.push(named);
      continue;
    }
    result.change.push({ ...named, summary: differenceText(difference) });
    changes.push({ id: before.rule_id, key, before, fields });
  }
  for (const [key, before] of existing) {
    result.delete.push({ key, name: before.name, id: before.rule_id });
    changes.push({ id: before.rule_id, key, before, fields: before, deleted: true });
  }
  return { result, changes };
}
