import type { Bus } from '@order-automation/bus';
import type { RuleRecord } from '@order-automation/contracts';
import type { RuleVersion } from './evaluations';

type Known = ReadonlyMap<number, RuleRecord>;

/** Rules that one request asks for. */
const askedAtOnce = 500;

/**
 * The enabled rules as they are now, and a revision that they are at least as new as; null when `since` is the revision still. Only rules that
 * `known` does not have in their present version are asked for, in pages; `fetched` has each of them as soon as it is there, so that a read
 * which fails half-way goes on from there.
 */
export async function readRules(
  bus: Bus,
  {
    since,
    known,
    fetched,
  }: { readonly since: number; readonly known: Known; readonly fetched: Map<number, RuleRecord> },
): Promise<{ readonly revision: number; readonly records: RuleRecord[] } | null> {
  const first = await bus.request('rules.active-versions.v1', { since, after: 0 });
  if (first.revision === since) return null;
  const listed = [...first.versions];
  for (let { next } = first; next !== null; ) {
    const page = await bus.request('rules.active-versions.v1', { since, after: next });
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
    const { rules, missing } = await bus.request('rules.records.v1', { ids });
    for (const record of rules) fetched.set(record.id, record);
    return rules.length + missing.length;
  });
  return { revision: first.revision, records: listed.flatMap((one) => current(one) ?? []) };
}

/** These rules as they are now; null for one that was deleted. */
export async function readChanged(bus: Bus, ids: readonly number[]): Promise<Map<number, RuleRecord | null>> {
  const found = new Map<number, RuleRecord | null>();
  await inPages(ids, async (some) => {
    const { rules, missing } = await bus.request('rules.records.v1', { ids: some });
    for (const record of rules) found.set(record.id, record);
    for (const id of missing) found.set(id, null);
    return rules.length + missing.length;
  });
  return found;
}

/** Rules in versions that they had; those that rules does not have any more are left out. */
export async function readVersions(bus: Bus, versions: readonly RuleVersion[]): Promise<RuleRecord[]> {
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
