import type { Answer, RuleRecord, RuleVersionName } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';
import { nameOf, noStats, recordOfVersion } from '../documents/rule-versions';

type Deps = Pick<RulesDeps, 'rules' | 'versions' | 'ruleSet'>;

const versionsPage = 1_000;

export const activeVersions: Answer<'rules.active-versions.v1', Deps> = async ({ since, after }, { ruleSet }) => {
  const head = await ruleSet.head();
  if (head.revision === since && after === 0)
    return { revision: head.revision, generation: head.generation, versions: [], next: null };
  const { revision, generation, rules } = await ruleSet.read();
  const page = rules.filter(({ id, enabled, shadow }) => (enabled || shadow) && id > after).slice(0, versionsPage);
  const next = page.length === versionsPage ? (page.at(-1)?.id ?? null) : null;
  return { revision, generation, versions: page.map(({ id, version }) => ({ id, version })), next };
};

/** Characters of JSON in one answer, unless a single rule is larger. */
const largestAnswer = 500_000;
const readAtOnce = 20;

type Answered<Asked> = { readonly rules: RuleRecord[]; readonly missing: Asked[] };

/** Answers about as many of the versions as fit into one answer, in their order. */
async function fitting<Asked>(
  asked: readonly (readonly [about: Asked, name: RuleVersionName | null])[],
  { rules, versions }: Deps,
): Promise<Answered<Asked>> {
  const answered: Answered<Asked> = { rules: [], missing: [] };
  let size = 0;
  for (let from = 0; from < asked.length; from += readAtOnce) {
    const some = asked.slice(from, from + readAtOnce);
    const names = some.flatMap(([, name]) => name ?? []);
    const [found, standing] = await Promise.all([versions.named(names), rules.standing(names.map(({ id }) => id))]);
    for (const [at, [about, name]] of some.entries()) {
      const version = name && found.get(nameOf(name));
      const record = version ? recordOfVersion(version, standing.get(version.rule_id)) : null;
      size += JSON.stringify(record).length;
      if (size > largestAnswer && from + at > 0) return answered;
      if (record) answered.rules.push(record);
      else answered.missing.push(about);
    }
  }
  return answered;
}

export const ruleRecords: Answer<'rules.records.v1', Deps> = async ({ ids }, deps) => {
  const { generation, rules } = await deps.ruleSet.read();
  const members = new Map(rules.map((member) => [member.id, member]));
  const asked = ids.map((id) => [id, members.get(id) ?? null] as const);
  return { generation, ...(await fitting(asked, deps)) };
};

export const ruleVersionsGet: Answer<'rules.version.get.v1', Deps> = async ({ versions }, deps) => {
  const asked = versions.map((name) => [name, name] as const);
  const { rules, missing } = await fitting(asked, deps);
  return { rules: rules.map((record) => ({ ...record, stats: noStats })), missing };
};
