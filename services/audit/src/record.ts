import type { NewAuditEntry } from '@order-automation/contracts';
import type { ChainKeys } from './chain/keys';
import type { Entries } from './entries';
import { documentOf, type EntryDocument } from './entry';
import type { EntryIds } from './entry-ids';
import { compare, type ProcessRow, withEntries } from './process-row';
import type { Processes } from './processes';
import { rebuildRows } from './rebuild';
import type { Telemetry } from './telemetry';

export type RecordDeps = {
  readonly entries: Entries;
  readonly processes: Processes;
  readonly ids: EntryIds;
  readonly keys: ChainKeys;
  readonly telemetry: Telemetry;
};

export type Recorded = { readonly recorded: number; readonly duplicates: number };

/** An entry, and the position of the request that brought it. */
type Offered = { readonly entry: NewAuditEntry; readonly request: number };

/**
 * Records what several requests brought in one write: the entries first, then the rows of their processes. An instance that dies in between has
 * confirmed nothing: the entries are handed over again, are duplicates then, and their processes are rebuilt.
 */
export async function recordAll(
  requests: readonly (readonly NewAuditEntry[])[],
  deps: RecordDeps,
): Promise<Recorded[]> {
  const offered = inOrderOfTime(requests);
  const counts = requests.map(() => 0);
  if (offered.length > 0) {
    const rows = await deps.processes.rows([...new Set(offered.map(({ entry }) => entry.process_id))]);
    const { documents, taken } = await insert(offered, deps);
    for (const [index, { request }] of offered.entries())
      if (!taken.has(index)) counts[request] = (counts[request] ?? 0) + 1;
    const rebuilt = await group(documents, taken, rows, deps);
    deps.telemetry.recorded(documents.length - taken.size, taken.size, rebuilt);
  }
  return requests.map((list, request) => {
    const recorded = counts[request] ?? 0;
    return { recorded, duplicates: list.length - recorded };
  });
}

/** Each uid of a process once, by time. */
function inOrderOfTime(requests: readonly (readonly NewAuditEntry[])[]): Offered[] {
  const offered = new Map<string, Offered>();
  for (const [request, list] of requests.entries()) {
    for (const entry of list) {
      const key = `${entry.process_id} ${entry.uid}`;
      if (!offered.has(key)) offered.set(key, { entry, request });
    }
  }
  return [...offered.values()].sort((a, b) => compare(a.entry.timestamp, b.entry.timestamp));
}

type Inserted = { readonly documents: readonly EntryDocument[]; readonly taken: ReadonlySet<number> };

/** Inserts under fresh ids; `taken` has the positions of entries that were recorded before. */
async function insert(offered: readonly Offered[], { entries, ids, keys }: RecordDeps): Promise<Inserted> {
  for (;;) {
    const block = await ids.take(offered.length);
    const documents = offered.map(({ entry }, index) => documentOf(block.from + index, entry, keys));
    const taken = new Set(await entries.insertNew(documents));
    if (block.isOpen()) return { documents, taken };
    // A range with these ids may be sealed by now: the entries move to ids of a newer block.
    await entries.remove(documents.flatMap(({ _id }, index) => (taken.has(index) ? [] : [_id])));
  }
}

/** Brings the rows of the processes up to date. Resolves with how many had to be rebuilt from all their entries. */
async function group(
  documents: readonly EntryDocument[],
  taken: ReadonlySet<number>,
  before: ReadonlyMap<string, ProcessRow>,
  { entries, processes }: RecordDeps,
): Promise<number> {
  const added = new Map<string, EntryDocument[]>();
  const doubtful = new Set<string>();
  for (const [index, document] of documents.entries()) {
    if (taken.has(index)) doubtful.add(document.process_id);
    else added.set(document.process_id, [...(added.get(document.process_id) ?? []), document]);
  }
  const [fresh, changed]: [ProcessRow[], ProcessRow[]] = [[], []];
  for (const [id, list] of added) {
    if (doubtful.has(id)) continue;
    const row = before.get(id);
    (row ? changed : fresh).push(withEntries(row, list));
  }
  const [known, moved] = await Promise.all([
    fresh.length > 0 ? processes.insertNew(fresh) : [],
    processes.replace(changed),
  ]);
  for (const id of [...known, ...moved]) doubtful.add(id);
  await rebuildRows([...doubtful], { entries, processes });
  return doubtful.size;
}
