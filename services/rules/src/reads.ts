import { type Answer, paginate } from '@order-automation/contracts';
import type { Registry } from '@order-automation/engine';
import { components } from './component-listing';
import { type Rules, recordOf, searchedWords } from './rule-documents';
import { ruleNotFound } from './save-rules';

export type ReadDeps = { readonly rules: Rules; readonly registry: Registry };

export const getRule: Answer<'rules.rule.get.v1', ReadDeps> = async ({ id }, { rules }) => {
  const document = await rules.byId(id);
  if (!document) throw ruleNotFound(id);
  return { record: recordOf(document) };
};

export const listRules: Answer<'rules.rule.list.v1', ReadDeps> = async (
  { enabled, trigger, search = '', deleted, page, per_page },
  { rules },
) => {
  const filter = { enabled, trigger, search, deleted };
  const skip = (page - 1) * per_page;
  const read = searchedWords(search).length === 0 ? rules.page : rules.found;
  const [total, documents] = await Promise.all([rules.count(filter), read(filter, skip, per_page)]);
  return { rules: documents.map(recordOf), pagination: paginate(total, page, per_page) };
};

/** 404 for a rule that does not exist. */
export const listComponents: Answer<'rules.component.list.v1', ReadDeps> = async (
  { rule_id, edition },
  { rules, registry },
) => {
  const rule = rule_id === null ? null : await rules.byId(rule_id);
  if (rule_id !== null && !rule) throw ruleNotFound(rule_id);
  return components(registry, edition, rule?.trigger ?? null);
};
