import { paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import type { Registry } from '@order-automation/engine';
import { components } from './component-listing';
import { type Rules, recordOf, searchedWords } from './rule-documents';
import { ruleNotFound } from './save-rules';

export type ReadDeps = { readonly rules: Rules; readonly registry: Registry };

export async function getRule(
  { id }: RequestInput<'rules.rule.get.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.rule.get.v1'>> {
  const document = await rules.byId(id);
  if (!document) throw ruleNotFound(id);
  return { record: recordOf(document) };
}

export async function listRules(
  { enabled, trigger, search = '', deleted, page, per_page }: RequestInput<'rules.rule.list.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.rule.list.v1'>> {
  const filter = { enabled, trigger, search, deleted };
  const skip = (page - 1) * per_page;
  const read = searchedWords(search).length === 0 ? rules.page : rules.found;
  const [total, documents] = await Promise.all([rules.count(filter), read(filter, skip, per_page)]);
  return { rules: documents.map(recordOf), pagination: paginate(total, page, per_page) };
}

/** 404 for a rule that does not exist. */
export async function listComponents(
  { rule_id, edition }: RequestInput<'rules.component.list.v1'>,
  { rules, registry }: ReadDeps,
): Promise<RequestOutput<'rules.component.list.v1'>> {
  const rule = rule_id === null ? null : await rules.byId(rule_id);
  if (rule_id !== null && !rule) throw ruleNotFound(rule_id);
  return components(registry, edition, rule?.trigger ?? null);
}
