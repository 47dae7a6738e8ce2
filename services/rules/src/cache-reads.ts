import type { RequestInput, RequestOutput, RuleRecord } from '@order-automation/contracts';
import { ofOneStage, type RuleSetState } from './counters';
import type { RulesDeps } from './deps';
import { recordOf } from './rule-documents';
import type { RuleVersionDocument } from './rule-versions';
import { versionOf } from './save-delivery';

type Deps = Pick<RulesDeps, 'rules' | 'versions' | 'counters'>;
type Named = { readonly id: number; readonly version: number };

/** Versions of enabled rules in one page. */
const versionsPage = 1_000;

/** The revision is read before the rules: they are at least as new as it says. */
export async function activeVersions(
  { since, after }: RequestInput<'rules.active-versions.v1'>,
  { rules, counters }: Deps,
): Promise<RequestOutput<'rules.active-versions.v1'>> {
  return ofOneStage(counters, async ({ revision, generation, frozen }) => {
    if (revision === since && after === 0) return { revision, generation, versions: [], next: null };
    const page = await rules.versionsAfter(after, versionsPage);
    const next = page.length === versionsPage ? (page.at(-1)?._id ?? null) : null;
    const stored = page.map(({ _id, version }) => ({ id: _id, version }));
    return { revision, generation, versions: asFrozen(stored, frozen, after, next), next };
  });
}

/** A page of enabled rules behind `after`, up to `last`, with what is frozen as it was. */
function asFrozen(
  stored: readonly Named[],
  frozen: RuleSetState['frozen'],
  after: number,
  last: number | null,
): Named[] {
  if (frozen.size === 0) return [...stored];
  const were = [...frozen.values()].filter(({ id, enabled }) => enabled && id > after && (last === null || id <= last));
  const rest = stored.filter(({ id }) => !frozen.has(id));
  return [...rest, ...were.map(({ id, version }) => ({ id, version }))].sort((a, b) => a.id - b.id);
}

/** Characters of JSON in one answer, unless a single rule is larger. */
const largestAnswer = 500_000;
/** Rules that are read at a time. */
const readAtOnce = 20;

/** Answers about as many of the rules as fit into one answer, in their order. */
async function fitting<Asked, Answered>(
  asked: readonly Asked[],
  read: (some: readonly Asked[]) => Promise<readonly (Answered | null)[]>,
  take: (one: Answered | null, about: Asked) => void,
): Promise<void> {
  let size = 0;
  for (let from = 0; from < asked.length; from += readAtOnce) {
    const some = asked.slice(from, from + readAtOnce);
    for (const [at, one] of (await read(some)).entries()) {
      size += JSON.stringify(one).length;
      if (size > largestAnswer && from + at > 0) return;
      take(one, some[at] as Asked);
    }
  }
}

export async function ruleRecords(
  { ids }: RequestInput<'rules.records.v1'>,
  { rules, versions, counters }: Deps,
): Promise<RequestOutput<'rules.records.v1'>> {
  return ofOneStage(counters, async ({ generation, frozen }) => {
    const answer: RequestOutput<'rules.records.v1'> = { generation, rules: [], missing: [] };
    const read = async (some: readonly number[]): Promise<(RuleRecord | null)[]> => {
      const found = new Map((await rules.byIds(some)).map((document) => [document._id, document]));
      const names = some.flatMap((id) => frozen.get(id) ?? []).map(({ id, version }) => `${id}:${version}`);
      const were = new Map((await versions.named(names)).map((version) => [version.rule_id, version]));
      return some.map((id) => {
        const was = were.get(id);
        if (was) return recordOfVersion(was);
        const document = found.get(id);
        return document && !document.deleted ? recordOf(document) : null;
      });
    };
    await fitting(ids, read, (record, id) => {
      if (record) answer.rules.push(record);
      else answer.missing.push(id);
    });
    return answer;
  });
}

const noStats = { run_count: 0, match_count: 0, last_fired_at: null };

function recordOfVersion({ rule_id, ...version }: RuleVersionDocument): RuleRecord {
  const { name, enabled, position, stop_processing, rule, saved_at, saved_by } = version;
  const saved = { created_at: saved_at, updated_at: saved_at, updated_by: saved_by, stats: noStats };
  return { id: rule_id, name, enabled, position, stop_processing, version: version.version, rule, ...saved };
}

/** Rules as they were in these versions; the newest version may stand in the rule alone. */
export async function ruleVersionsGet(
  { versions: asked }: RequestInput<'rules.version.get.v1'>,
  { rules, versions }: Deps,
): Promise<RequestOutput<'rules.version.get.v1'>> {
  const answer: RequestOutput<'rules.version.get.v1'> = { rules: [], missing: [] };
  const nameOf = ({ id, version }: Named): string => `${id}:${version}`;
  const read = async (some: readonly Named[]): Promise<(RuleRecord | null)[]> => {
    const kept = await versions.named(some.map(nameOf));
    const found = new Map(kept.map((document) => [document._id, document]));
    const rest = some.filter((one) => !found.has(nameOf(one)));
    if (rest.length > 0)
      for (const document of (await rules.byIds(rest.map(({ id }) => id))).map(versionOf))
        found.set(document._id, document);
    return some.map((one) => {
      const document = found.get(nameOf(one));
      return document ? recordOfVersion(document) : null;
    });
  };
  await fitting(asked, read, (record, one) => {
    if (record) answer.rules.push(record);
    else answer.missing.push(one);
  });
  return answer;
}
