import type { Bus } from '@order-automation/bus';
import type { RuleRecord, RuleVersionName as RuleVersion } from '@order-automation/contracts';

type Known = ReadonlyMap<number, RuleRecord>;

type Reading = { readonly since: number; readonly known: Known; readonly fetched: Map<number, RuleRecord> };

export type RuleSet = {
  readonly revision: number;
  /** How often several rules changed together. */
  readonly generation: number | undefined;
  readonly records: RuleRecord[];
};

/** Changes of the set that a read outlasts. */
const maxReads = 5;

/** Rules that one request asks for. */
const askedAtOnce = 500;

/**
 * The enabled rules of one revision of the set, each in the version that the set names; null when `since` is the revision still. Only versions that `known` does
 * not have are asked for, in pages; `fetched` has each of them as soon as it is there, so that a read which fails half-way goes on from there.
 */
export async function readRules(
  bus: Pick<Bus, 'request'>,
  { since, known, fetched }: Reading,
): Promise<RuleSet | null> {
  const set = await readMembers(bus, since);
  if (!set) return null;
  const inVersion = ({ id, version }: RuleVersion): RuleRecord | undefined =>
    [fetched.get(id), known.get(id)].find((record) => record?.version === version);
  const wanted = set.versions.filter((one) => inVersion(one) === undefined);
  await eachVersion(bus, wanted, (record) => fetched.set(record.id, record));
  const { revision, generation, versions } = set;
  return { revision, generation, records: versions.flatMap((one) => inVersion(one) ?? []) };
}

/** Which rules are enabled, each in which version: pages of one revision. */
async function readMembers(bus: Pick<Bus, 'request'>, since: number) {
  for (let reads = 1; reads <= maxReads; reads += 1) {
    const first = await bus.request('rules.active-versions.v1', { since, after: 0 });
    if (first.revision === since) return null;
    const versions = [...first.versions];
    let page = first;
    while (page.next !== null && page.revision === first.revision) {
      page = await bus.request('rules.active-versions.v1', { since, after: page.next });
      versions.push(...page.versions);
    }
    if (page.revision === first.revision) return { ...first, versions };
  }
  throw new Error('the set of rules changed each time while it was read');
}

/** These rules as they are now; null for one that was deleted. Null as a whole when several rules changed together since `expected`. */
export async function readChanged(
  bus: Pick<Bus, 'request'>,
  ids: readonly number[],
  expected: RuleSet['generation'],
): Promise<Map<number, RuleRecord | null> | null> {
  let isOther = false;
  const found = new Map<number, RuleRecord | null>();
  await inPages(ids, async (some) => {
    const { generation, rules, missing } = await bus.request('rules.records.v1', { ids: some });
    isOther ||= generation !== expected;
    for (const record of rules) found.set(record.id, record);
    for (const id of missing) found.set(id, null);
    return rules.length + missing.length;
  });
  return isOther ? null : found;
}

/** Rules in versions that they had; those that rules does not have any more are left out. */
export async function readVersions(bus: Pick<Bus, 'request'>, versions: readonly RuleVersion[]): Promise<RuleRecord[]> {
  const found: RuleRecord[] = [];
  await eachVersion(bus, versions, (record) => found.push(record));
  return found;
}

async function eachVersion(
  bus: Pick<Bus, 'request'>,
  versions: readonly RuleVersion[],
  take: (record: RuleRecord) => void,
): Promise<void> {
  await inPages(versions, async (some) => {
    const { rules, missing } = await bus.request('rules.version.get.v1', { versions: some });
    for (const record of rules) take(record);
    return rules.length + missing.length;
  });
}

/** Asks until everything is answered: an answer covers as many of those asked for, from the first on, as fit into it. */
async function inPages<Asked>(all: readonly Asked[], ask: (some: Asked[]) => Promise<number>): Promise<void> {
  for (let from = 0; from < all.length; ) {
    const answered = await ask(all.slice(from, from + askedAtOnce));
    if (answered === 0) throw new Error('rules answered with none of the rules that it was asked for');
    from += answered;
  }
}
