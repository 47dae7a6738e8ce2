import { paginate, type RequestInput, type RequestOutput } from '@order-automation/contracts';
import { components, type Registry } from '@order-automation/engine';
import type { Counters } from './counters';
import { type Rules, recordOf, searchedWords } from './rule-documents';
import { ruleNotFound } from './rule-writes';

export type ReadDeps = { readonly rules: Rules; readonly counters: Counters; readonly registry: Registry };

export async function getRule(
  { id }: RequestInput<'rules.rule.get.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.rule.get.v1'>> {
  const document = await rules.byId(id);
  if (!document) throw ruleNotFound(id);
  return { record: recordOf(document) };
}

export async function listRules(
  { enabled, trigger, search = '', page, per_page }: RequestInput<'rules.rule.list.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.rule.list.v1'>> {
  const filter = { enabled, trigger, search };
  const skip = (page - 1) * per_page;
  const read = searchedWords(search).length === 0 ? rules.page : rules.found;
  const [total, documents] = await Promise.all([rules.count(filter), read(filter, skip, per_page)]);
  return { rules: documents.map(recordOf), pagination: paginate(total, page, per_page) };
}

/** The revision is read before the rules: they are at least as new as it says. */
export async function activeRules({ rules, counters }: ReadDeps): Promise<RequestOutput<'rules.active.v1'>> {
  const revision = await counters.current('revision');
  return { revision, rules: (await rules.active()).map(recordOf) };
}

/** Versions of enabled rules in one page. */
const versionsPage = 1_000;

/** The revision is read before the rules, as by `activeRules`. */
export async function activeVersions(
  { since, after }: RequestInput<'rules.active-versions.v1'>,
  { rules, counters }: ReadDeps,
): Promise<RequestOutput<'rules.active-versions.v1'>> {
  const revision = await counters.current('revision');
  if (revision === since && after === 0) return { revision, versions: [], next: null };
  const page = await rules.versionsAfter(after, versionsPage);
  const next = page.length === versionsPage ? (page.at(-1)?._id ?? null) : null;
  return { revision, versions: page.map(({ _id, version }) => ({ id: _id, version })), next };
}

/** Characters of JSON in one answer, unless a single rule is larger. */
const largestAnswer = 500_000;
/** Rules that are read at a time. */
const recordsAtOnce = 100;

export async function ruleRecords(
  { ids }: RequestInput<'rules.records.v1'>,
  { rules }: ReadDeps,
): Promise<RequestOutput<'rules.records.v1'>> {
  const asked = ids.slice(0, recordsAtOnce);
  const found = new Map((await rules.byIds(asked)).map((document) => [document._id, document]));
  const answer: RequestOutput<'rules.records.v1'> = { rules: [], missing: [] };
  let size = 0;
  for (const id of asked) {
    const document = found.get(id);
    if (!document || document.deleted) {
      answer.missing.push(id);
      continue;
    }
    const record = recordOf(document);
    size += JSON.stringify(record).length;
    if (size > largestAnswer && answer.rules.length > 0) break;
    answer.rules.push(record);
  }
  return answer;
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
