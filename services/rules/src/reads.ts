import { paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import { components, type Registry } from '@order-automation/engine';
import type { Counters } from './counters';
import { type RuleDocument, type RuleFilter, type Rules, recordOf } from './rule-documents';
import { matchesSearch } from './rule-search';
import { ruleNotFound } from './saves';

export type ReadDeps = { readonly rules: Rules; readonly counters: Counters; readonly registry: Registry };

export async function getRule(
  { id }: RequestInput<'rules.rule.get.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.rule.get.v1'>> {
  const document = await rules.byId(id);
  if (!document) throw ruleNotFound(id);
  return { record: recordOf(document) };
}

type Page = { readonly total: number; readonly documents: readonly RuleDocument[] };

async function searched(rules: Rules, filter: RuleFilter, search: string, skip: number, limit: number): Promise<Page> {
  const found = (await rules.names(filter)).filter((rule) => matchesSearch(rule, search));
  const ids = found.slice(skip, skip + limit).map(({ _id }) => _id);
  return { total: found.length, documents: ids.length === 0 ? [] : await rules.byIds(ids) };
}

export async function listRules(
  { enabled, trigger, search = '', page, per_page }: RequestInput<'rules.rule.list.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.rule.list.v1'>> {
  const filter = { enabled, trigger };
  const skip = (page - 1) * per_page;
  const { total, documents } =
    search.trim() === ''
      ? { total: await rules.count(filter), documents: await rules.page(filter, skip, per_page) }
      : await searched(rules, filter, search, skip, per_page);
  return { rules: documents.map(recordOf), pagination: paginate(total, page, per_page) };
}

/** The revision is read before the rules: they are at least as new as it says. */
export async function activeRules({ rules, counters }: ReadDeps): Promise<RequestOutput<'rules.active.v1'>> {
  const revision = await counters.current('revision');
  return { revision, rules: (await rules.active()).map(recordOf) };
}

/** A rule id that does not exist marks no trigger. */
export async function listComponents(
  { rule_id, edition }: RequestInput<'rules.component.list.v1'>,
  { rules, registry }: ReadDeps,
): Promise<RequestOutput<'rules.component.list.v1'>> {
  const rule = rule_id === null ? null : await rules.byId(rule_id);
  return components(registry, edition, rule?.trigger ?? null);
}
