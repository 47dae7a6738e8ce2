import { isDeepStrictEqual } from 'node:util';
import type { NewAuditEntry } from '@order-automation/contracts';
import type { Entries, EntryDocument, EntryFacts } from './entries';
import type { EntryIds } from './entry-ids';
import { type ProcessDocument, summarise } from './process-summary';
import type { Processes } from './processes';
import type { Tallies } from './tallies';
import type { Telemetry } from './telemetry';

export type RecordDeps = {
  readonly entries: Entries;
  readonly processes: Processes;
  readonly ids: EntryIds;
  readonly tallies: Tallies;
  readonly telemetry: Telemetry;
  /** Of the store: the two writes may be asked for at once. */
  readonly joinsWrites: boolean;
};

export type Recorded = { readonly recorded: number; readonly duplicates: number };

const mostTries = 100;

/**
 * Records what several requests brought, in two writes: the entries, and the rows of their processes as if all were new. A process of which
 * the row or some entries were there before is made anew from all its entries: whoever finds a row finds the entries it was made from.
 * Whoever dies between the two writes has confirmed nothing: the entries come again, are duplicates then, and bring the row in order.
 */
export async function recordAll(
  requests: readonly (readonly NewAuditEntry[])[],
  deps: RecordDeps,
): Promise<Recorded[]> {
  const { entries, processes, ids, tallies, telemetry } = deps;
  const offered = requests.flatMap((list, request) => list.map((entry) => ({ entry, request }))).sort(compareTime);
  const counts = requests.map(() => 0);
  if (offered.length > 0) {
    const firstId = await ids.take(offered.length);
    const documents = offered.map(({ entry }, index) => entries.documentOf(firstId + index, entry));
    const rows = [...byProcess(documents)].map(([processId, list]) => summarise(processId, list));
    await entries.prepare(documents);
    const inserted = entries.insertNew(documents);
    if (!deps.joinsWrites) await inserted;
    const [duplicates, taken] = await Promise.all([inserted, processes.insertNew(rows)]);
    const known = new Set(duplicates);
    tallies.recorded(documents, known);
    for (const [index, { request }] of offered.entries()) {
      if (!known.has(index)) counts[request] = (counts[request] ?? 0) + 1;
    }
    const stale = staleProcesses(documents, known, rows, taken);
    await recompute(stale, entries, processes);
    telemetry.recorded(documents.length - known.size, known.size, stale.length);
  }
  return requests.map((list, request) => {
    const recorded = counts[request] ?? 0;
    return { recorded, duplicates: list.length - recorded };
  });
}

type Offered = { readonly entry: NewAuditEntry; readonly request: number };

function compareTime({ entry: { timestamp: a } }: Offered, { entry: { timestamp: b } }: Offered): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The processes whose row may not be what its entries say: it was there before, or some of the entries were. */
function staleProcesses(
  documents: readonly EntryDocument[],
  known: ReadonlySet<number>,
  rows: readonly ProcessDocument[],
  taken: readonly number[],
): string[] {
  const stale = new Set<string>();
  for (const index of known) stale.add(documents[index]?.process_id ?? '');
  for (const index of taken) stale.add(rows[index]?._id ?? '');
  stale.delete('');
  return [...stale];
}

export function byProcess<Entry extends EntryFacts>(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.process_id);
    if (group) group.push(entry);
    else groups.set(entry.process_id, [entry]);
  }
  return groups;
}

/** Brings the rows of these processes in order with their entries, whoever else is recording meanwhile. */
export async function recompute(processIds: readonly string[], entries: Entries, processes: Processes): Promise<void> {
  let open = processIds;
  for (let tries = 0; open.length > 0; tries += 1) {
    if (tries === mostTries) throw new Error(`${open.length} processes changed ${mostTries} times under a write`);
    const rows = new Map((await processes.byIds(open)).map((row) => [row._id, row]));
    const groups = byProcess(await entries.factsOfProcesses(open));
    const added: ProcessDocument[] = [];
    const changed: [ProcessDocument, ProcessDocument][] = [];
    for (const [processId, facts] of groups) {
      const row = rows.get(processId);
      const wanted = summarise(processId, facts);
      if (!row) added.push(wanted);
      else if (!isDeepStrictEqual(row, wanted)) changed.push([row, wanted]);
    }
    const raced = (await processes.insertNew(added)).length > 0;
    const replaced = await processes.replace(changed);
    open = raced || !replaced ? [...added, ...changed.map(([row]) => row)].map(({ _id }) => _id) : [];
  }
}
