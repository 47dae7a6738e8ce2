import { type Answer, type ExportedRule, type Occurrence, paginate } from '@order-automation/contracts';
import { compileRules, type Registry } from '@order-automation/engine';
import { type RuleDocument, type Rules, recordOf } from '../documents/rule-documents';
import { ruleNotFound } from '../saving/save-rules';
import { components } from './component-listing';

export type ReadDeps = { readonly rules: Rules; readonly registry: Registry };

export const getRule: Answer<'rules.rule.get.v1', ReadDeps> = async ({ id }, { rules }) => {
  const document = await rules.byId(id);
  if (!document) throw ruleNotFound(id);
  return { record: recordOf(document) };
};

export const listRules: Answer<'rules.rule.list.v1', ReadDeps> = async ({ page, per_page, ...filter }, { rules }) => {
  const skip = (page - 1) * per_page;
  const [total, documents] = await Promise.all([rules.count(filter), rules.page(filter, skip, per_page)]);
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

/** Rules in one page of an export: well within an answer, also where they are large. */
const exportPage = 20;

export const exportRules: Answer<'rules.export.v1', Pick<ReadDeps, 'rules'>> = async ({ after }, { rules }) => {
  const page = await rules.after(after, exportPage);
  const next = page.length === exportPage ? (page.at(-1)?._id ?? null) : null;
  return { rules: page.map(exported), next };
};

function exported({ key, name, enabled, shadow, position, stop_processing, rule }: RuleDocument): ExportedRule {
  return { key, name, enabled, ...(shadow ? { shadow } : {}), position, stop_processing, rule };
}

/** Disabled rules that are looked at, and that are named. */
const maxSeen = 500;
const maxNamed = 5;

/** Disabled rules that an event of this kind would fire if they were enabled. */
export const disabledListeners: Answer<'rules.disabled-listeners.v1', ReadDeps> = async (kind, { rules, registry }) => {
  const documents = await rules.page({ enabled: false }, 0, maxSeen);
  const records = documents
    .filter(({ shadow }) => !shadow)
    .map((document) => ({ ...recordOf(document), enabled: true }));
  const occurrence: Occurrence = {
    ...kind,
    key: 'kind',
    order_id: 0,
    transaction_id: null,
    from_status: null,
    to_status: null,
    authenticated: true,
    at: new Date(0).toISOString(),
  };
  const listening = compileRules(records, registry).forOccurrence(occurrence);
  const named = listening.slice(0, maxNamed).map(({ record: { id, name } }) => ({ id, name }));
  return { rules: named, total: listening.length };
};
