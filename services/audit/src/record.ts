import type { NewAuditRecord } from '@order-automation/contracts';
import type { ChainKeys } from './chain/keys';
import type { Entry, OfferedEntry } from './entry';
import type { EntryIds } from './entry-ids';
import { entriesOf, type LogRecord, recordOf, uidsOf } from './log-record';
import { compare, type ProcessRow, withEntries } from './process-row';
import type { Processes } from './processes';
import { rebuildRows } from './rebuild';
import type { Records } from './records';
import type { Telemetry } from './telemetry';

export type RecordDeps = {
  readonly records: Records;
  readonly processes: Processes;
  readonly ids: EntryIds;
  readonly keys: ChainKeys;
  readonly telemetry: Telemetry;
};

export type Recorded = { readonly recorded: number; readonly duplicates: number };

/** What several requests say of one cause: each entry once, with the position of the request that brought it. */
type Offer = {
  readonly process_id: string;
  readonly uid: string;
  readonly part: number;
  readonly entries: readonly { readonly entry: OfferedEntry; readonly request: number }[];
};

/**
 * Records what several requests brought in one write: the records first, then the rows of their processes. An instance that dies in between has
 * confirmed nothing: the records are handed over again, are duplicates then, and their processes are rebuilt.
 */
export async function recordAll(
  requests: readonly (readonly NewAuditRecord[])[],
  deps: RecordDeps,
): Promise<Recorded[]> {
  const { processes, telemetry } = deps;
  const counts = requests.map(() => 0);
  const repeated = new Set<string>();
  let offers = offersOf(requests);
  const before = await processes.rows(processes.returning([...new Set(offers.map(({ process_id }) => process_id))]));
  const written: LogRecord[] = [];
  while (offers.length > 0) {
    const { records, known } = await insert(offers, deps);
    for (const [index, { entries, process_id }] of offers.entries()) {
      if (known.has(index)) repeated.add(process_id);
      else for (const { request } of entries) counts[request] = (counts[request] ?? 0) + 1;
    }
    written.push(...records.filter((_, index) => !known.has(index)));
    offers = await furtherParts(
      offers.filter((_, index) => known.has(index)),
      deps,
    );
  }
  const rebuilt = await group(written.flatMap(entriesOf), repeated, before, deps);
  const results = requests.map((list, request) => {
    const recorded = counts[request] ?? 0;
    return { recorded, duplicates: list.reduce((sum, { entries }) => sum + entries.length, 0) - recorded };
  });
  telemetry.recorded(sum(results, 'recorded'), sum(results, 'duplicates'), rebuilt);
  return results;
}

const sum = (results: readonly Recorded[], name: keyof Recorded): number =>
  results.reduce((all, result) => all + result[name], 0);

/** One offer for each cause, with the entries in the order of time; the offers too. */
function offersOf(requests: readonly (readonly NewAuditRecord[])[]): Offer[] {
  const byCause = new Map<string, Offer & { readonly byUid: Map<string, Offer['entries'][number]> }>();
  for (const [request, list] of requests.entries()) {
    for (const { process_id, uid, entries } of list) {
      const cause = `${process_id.length}:${process_id}${uid}`;
      const offer = byCause.get(cause) ?? { process_id, uid, part: 0, entries: [], byUid: new Map() };
      byCause.set(cause, offer);
      for (const entry of entries) if (!offer.byUid.has(entry.uid)) offer.byUid.set(entry.uid, { entry, request });
    }
  }
  const offers = [...byCause.values()].map(({ byUid, ...offer }): Offer => {
    const entries = [...byUid.values()].sort((a, b) => compare(a.entry.timestamp, b.entry.timestamp));
    return { ...offer, entries };
  });
  const startOf = ({ entries }: Offer): string => entries[0]?.entry.timestamp ?? '';
  return offers.sort((a, b) => compare(startOf(a), startOf(b)));
}

type Inserted = { readonly records: readonly LogRecord[]; readonly known: ReadonlySet<number> };

/** Inserts under fresh ids; `known` has the positions of those whose cause and part were recorded before. */
async function insert(offers: readonly Offer[], { records, ids, keys }: RecordDeps): Promise<Inserted> {
  for (;;) {
    const block = await ids.take(offers.reduce((count, { entries }) => count + entries.length, 0));
    let _id = block.from;
    const made = offers.map(({ entries, ...place }) => {
      const record = recordOf(
        { _id, ...place },
        entries.map(({ entry }) => entry),
        keys,
      );
      _id += entries.length;
      return record;
    });
    const known = new Set(await records.insertNew(made));
    if (block.isOpen()) return { records: made, known };
    // A range with these ids may be sealed by now: the records move to ids of a newer block.
    await records.remove(made.flatMap((record, index) => (known.has(index) ? [] : [record._id])));
  }
}

/** What is new in offers of causes that are recorded already, as the next part of each. */
async function furtherParts(offers: readonly Offer[], { records }: RecordDeps): Promise<Offer[]> {
  const parts = await Promise.all(offers.map(({ process_id, uid }) => records.ofCause(process_id, uid)));
  return offers.flatMap((offer, index) => {
    const known = parts[index] ?? [];
    const uids = new Set(known.flatMap(uidsOf));
    const entries = offer.entries.filter(({ entry }) => !uids.has(entry.uid));
    return entries.length === 0
      ? []
      : [{ ...offer, part: Math.max(-1, ...known.map(({ part }) => part)) + 1, entries }];
  });
}

/**
 * Brings the rows of the processes up to date: `before` are those that were read before the records were inserted, so that they count none of them.
 * Resolves with how many had to be rebuilt from all their entries.
 */
async function group(
  entries: readonly Entry[],
  repeated: ReadonlySet<string>,
  before: ReadonlyMap<string, ProcessRow>,
  { records, processes }: RecordDeps,
): Promise<number> {
  const added = new Map<string, Entry[]>();
  for (const entry of entries) {
    const list = added.get(entry.process_id);
    if (list) list.push(entry);
    else added.set(entry.process_id, [entry]);
  }
  const [fresh, changed]: [ProcessRow[], ProcessRow[]] = [[], []];
  for (const [id, list] of added) {
    if (repeated.has(id)) continue;
    const row = before.get(id);
    (row ? changed : fresh).push(withEntries(row, list));
  }
  const [known, moved] = await Promise.all([processes.insertNew(fresh), processes.replace(changed)]);
  const inDoubt = [...new Set([...repeated, ...known, ...moved])];
  await rebuildRows(inDoubt, { records, processes });
  return inDoubt.length;
}
