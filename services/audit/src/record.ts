import { isDeepStrictEqual } from 'node:util';
import type { NewAuditEntry } from '@order-automation/contracts';
import type { Bundles } from './bundles';
import type { EntryIds } from './entry-ids';
import { summarise } from './process-summary';
import { firstOf } from './processes';
import { type Draft, draftsOf, type Offered, type Story, storiesOf } from './stories';
import type { Tallies } from './tallies';
import type { Telemetry } from './telemetry';

export type RecordDeps = {
  readonly bundles: Bundles;
  readonly ids: EntryIds;
  readonly tallies: Tallies;
  readonly telemetry: Telemetry;
};

export type Recorded = { readonly recorded: number; readonly duplicates: number };

const mostTries = 100;

/**
 * Records what several requests brought, as a rule in one write, as if all processes were new. To a process that has bundles already what is
 * not in them is added, and what is known of it is made anew from all its entries. Whoever dies in between has confirmed nothing: the
 * entries come again, some are duplicates then, and bring the process in order.
 */
export async function recordAll(
  requests: readonly (readonly NewAuditEntry[])[],
  deps: RecordDeps,
): Promise<Recorded[]> {
  const counts = requests.map(() => 0);
  const count = ({ offered }: Draft): void => {
    for (const { request } of offered) counts[request] = (counts[request] ?? 0) + 1;
  };
  const stories = storiesOf(requests);
  if (stories.length > 0) {
    const extended = await storeNew(stories, await draftAll(stories, deps), deps, count);
    await recompute(extended, deps.bundles);
    const [offered, recorded] = [requests.flat().length, counts.reduce((sum, some) => sum + some, 0)];
    deps.telemetry.recorded(recorded, offered - recorded, extended.length);
  }
  return requests.map((list, request) => {
    const recorded = counts[request] ?? 0;
    return { recorded, duplicates: list.length - recorded };
  });
}

/** The bundles of each story, as if its process were new, ready to be stored. */
async function draftAll(stories: readonly Story[], { bundles, ids }: RecordDeps): Promise<Draft[][]> {
  const total = stories.reduce((sum, { offered }) => sum + offered.length, 0);
  let id = await ids.take(total);
  const drafts = stories.map(({ offered }) => {
    const made = begun(draftsOf(offered, { id, n: 0 }, bundles.draft));
    id += offered.length;
    return made;
  });
  await bundles.prepare(drafts.flat().map(({ bundle }) => bundle));
  return drafts;
}

/** The drafts of a process that begins with them. */
function begun(drafts: readonly Draft[]): Draft[] {
  const [first, ...rest] = drafts;
  if (first === undefined) return [];
  return [{ ...first, bundle: firstOf([first.bundle, ...rest.map(({ bundle }) => bundle)]) }, ...rest];
}

/**
 * The first bundle of every process, then the others of those that have more: whose first bundle is stored knows that nobody was there before. Resolves
 * with the processes of which somebody else has stored bundles.
 */
async function storeNew(
  stories: readonly Story[],
  drafts: readonly (readonly Draft[])[],
  deps: RecordDeps,
  count: (draft: Draft) => void,
): Promise<string[]> {
  const taken = new Set(await deps.bundles.insertNew(drafts.map(([first]) => (first as Draft).bundle)));
  const known: Story[] = [];
  const longer: (readonly Draft[])[] = [];
  for (const [index, [first, ...rest]] of drafts.entries()) {
    settle([first as Draft], taken.has(index) ? 0 : 1, deps, count);
    if (taken.has(index)) {
      settle(rest, 0, deps, count);
      known.push(stories[index] as Story);
    } else if (rest.length > 0) longer.push(rest);
  }
  known.push(...(await addInOrder(longer, deps, count)));
  await extend(known, deps, count);
  return known.map(({ processId }) => processId);
}

/** Tells who counts what became of drafts: that many of them are stored, the others are not. */
function settle(
  drafts: readonly Draft[],
  stored: number,
  { tallies }: RecordDeps,
  count: (draft: Draft) => void,
): void {
  for (const [index, draft] of drafts.entries()) {
    const { document, outline } = draft.bundle;
    if (index < stored) {
      tallies.recorded(draft.bundle);
      count(draft);
    } else tallies.unused(document._id, outline.parts.length);
  }
}

/** Adds bundles to processes, of each one after the other until a place is taken. Resolves with what is left. */
async function addInOrder(
  drafts: readonly (readonly Draft[])[],
  deps: RecordDeps,
  count: (draft: Draft) => void,
): Promise<Story[]> {
  const left = drafts.map(async (ofProcess): Promise<Story[]> => {
    const stored = await deps.bundles.insertInOrder(ofProcess.map(({ bundle }) => bundle));
    settle(ofProcess, stored, deps, count);
    const offered = ofProcess.slice(stored).flatMap((draft) => draft.offered);
    const [first] = offered;
    return first === undefined ? [] : [{ processId: first.entry.process_id, offered }];
  });
  return (await Promise.all(left)).flat();
}

/** Adds to processes that have bundles what is in none of them. Who adds has seen all bundles before his own. */
async function extend(stories: readonly Story[], deps: RecordDeps, count: (draft: Draft) => void): Promise<void> {
  const { bundles, ids } = deps;
  let open = stories;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === mostTries) throw new Error(`${open.length} processes got entries ${mostTries} times under a write`);
    const lacking = await missing(open, bundles);
    let id = await ids.take(lacking.reduce((sum, { offered }) => sum + offered.length, 0));
    const drafts = lacking.map(({ offered, n }) => {
      const made = draftsOf(offered, { id, n }, bundles.draft);
      id += offered.length;
      return n === 0 ? begun(made) : made;
    });
    await bundles.prepare(drafts.flat().map(({ bundle }) => bundle));
    open = await addInOrder(drafts, deps, count);
  }
}

/** What is offered and in no bundle yet, and the place of the next bundle. */
async function missing(stories: readonly Story[], bundles: Bundles): Promise<(Story & { readonly n: number })[]> {
  const uids = new Map<string, Set<string>>();
  const places = new Map<string, number>();
  for (const { process_id, n, entries } of await bundles.uidsOfProcesses(stories.map(({ processId }) => processId))) {
    const known = uids.get(process_id) ?? new Set();
    for (const { uid } of entries) known.add(uid);
    uids.set(process_id, known);
    places.set(process_id, Math.max(places.get(process_id) ?? 0, n + 1));
  }
  return stories.flatMap(({ processId, offered }) => {
    const rest = offered.filter(({ entry }: Offered) => !uids.get(processId)?.has(entry.uid));
    return rest.length === 0 ? [] : [{ processId, offered: rest, n: places.get(processId) ?? 0 }];
  });
}

/** Brings what is known of these processes in order with their entries, whoever else is recording meanwhile. */
async function recompute(processIds: readonly string[], { processes }: Bundles): Promise<void> {
  let open = processIds;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === mostTries) throw new Error(`${open.length} processes changed ${mostTries} times under a write`);
    const accounts = await processes.accounts(open);
    const changes = accounts.flatMap(({ first, summary, facts }) => {
      const wanted = summarise(facts);
      return isDeepStrictEqual(summary, wanted) ? [] : [[first, wanted] as const];
    });
    const replaced = await processes.replace(changes);
    open = replaced ? [] : changes.map(([{ process_id }]) => process_id);
  }
}
