import type { Bus } from '@order-automation/bus';
import type { RuleRecord, RuleVersionName as RuleVersion } from '@order-automation/contracts';

type Known = ReadonlyMap<number, RuleRecord>;

type Reading = { readonly since: number; readonly known: Known; readonly fetched: Map<number, RuleRecord> };

export type RuleSet = {
  readonly revision: number;
  /** Which set of rules, of those that imports switched to. */
  readonly generation: number | undefined;
  readonly records: RuleRecord[];
};

/** Imports that a read outlasts. */
const maxReads = 5;

/** Rules that one request asks for. */
const askedAtOnce = 500;

/**
 * The enabled rules as they are now, and a revision that they are at least as new as; null when `since` is the revision still. Only rules that
 * `known` does not have in their present version are asked for, in pages; `fetched` has each of them as soon as it is there, so that a read
 * which fails half-way goes on from there.
 */
export async function readRules(
  bus: Pick<Bus, 'request'>,
  { since, known, fetched }: Reading,
): Promise<RuleSet | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readSet(bus, { since, known, fetched });
    } catch (error) {
      if (!(error instanceof SwitchedMeanwhile) || tries === maxReads) throw error;
    }
  }
}

/** An import switched the set of rules between two answers: they do not fit together. */
class SwitchedMeanwhile extends Error {}

async function readSet(bus: Pick<Bus, 'request'>, { since, known, fetched }: Reading): Promise<RuleSet | null> {
  const first = await bus.request('rules.active-versions.v1', { since, after: 0 });
  if (first.revision === since) return null;
  const ofFirst = ({ generation }: { readonly generation?: number | undefined }): void => {
    if (generation !== first.generation) throw new SwitchedMeanwhile('the set of rules was switched while it was read');
  };
  const listed = [...first.versions];
  for (let { next } = first; next !== null; ) {
    const page = await bus.request('rules.active-versions.v1', { since, after: next });
    ofFirst(page);
    listed.push(...page.versions);
    next = page.next;
  }
  const current = ({ id, version }: RuleVersion): RuleRecord | undefined => {
    const [fresh, old] = [fetched.get(id), known.get(id)];
    if (fresh && fresh.version >= version) return fresh;
    return old?.version === version ? old : undefined;
  };
  const wanted = listed.filter((one) => current(one) === undefined).map(({ id }) => id);
  await inPages(wanted, async (ids) => {
    const answer = await bus.request('rules.records.v1', { ids });
    ofFirst(answer);
    for (const record of answer.rules) fetched.set(record.id, record);
    return answer.rules.length + answer.missing.length;
  });
  const { revision, generation } = first;
  return { revision, generation, records: listed.flatMap((one) => current(one) ?? []) };
}

/** These rules as they are now; null for one that was deleted. Null as a whole when an import has switched the set of rules since `generation`. */
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
  await inPages(versions, async (some) => {
    const { rules, missing } = await bus.request('rules.version.get.v1', { versions: some });
    found.push(...rules);
    return rules.length + missing.length;
  });
  return found;
}

/** Asks until everything is answered: an answer covers as many of those asked for, from the first on, as fit into it. */
async function inPages<Asked>(all: readonly Asked[], ask: (some: Asked[]) => Promise<number>): Promise<void> {
  for (let from = 0; from < all.length; ) {
    const answered = await ask(all.slice(from, from + askedAtOnce));
    if (answered === 0) throw new Error('rules answered with none of the rules that it was asked for');
    from += answered;
  }
}
