import type { NewAuditRecord, RequestOutput } from '@order-automation/contracts';
import { type InSequence, keepNewest } from '@order-automation/service';
import { sealThrough } from '../chain/sealing';
import type { LogParts } from '../log';
import { compare, type ProcessRow, withEntries } from '../processes/process-row';
import { rebuildRows } from '../processes/processes';
import type { OfferedEntry } from '../records/entry';
import { recordOf, uidsOf } from '../records/log-record';
import type { CountedEntry, RecordSummary } from '../records/record-summary';
import type { Telemetry } from '../telemetry';
import { addLaterOrders } from './later-orders';

export type RecordDeps = Pick<LogParts, 'records' | 'processes' | 'ids' | 'seals' | 'keys' | 'clock'> & {
  readonly telemetry: Telemetry;
  readonly cache: RecordedCache;
  /** Batches that add to the same processes take turns. */
  readonly inSequence: InSequence;
};

export type Recorded = RequestOutput<'audit.record.v2'>;

/** What several requests say of one cause: each entry once, with the position of the request that brought it. */
type Offer = {
  readonly process_id: string;
  readonly uid: string;
  readonly part: number;
  readonly entries: readonly Offered[];
};

type Offered = { readonly entry: OfferedEntry; readonly request: number };

/**
 * Records what several requests brought in one write. A batch that adds to a process of another one waits for it: it would find the row of the process
 * changed, and read all entries to rebuild it, of which an import of a shop has ten thousands.
 */
export function recordAll(requests: readonly (readonly NewAuditRecord[])[], deps: RecordDeps): Promise<Recorded[]> {
  const offers = offersOf(requests);
  const returning = deps.processes.returning([...new Set(offers.map(({ process_id }) => process_id))]);
  return deps.inSequence(returning, () => recordOffers(requests, offers, returning, deps));
}

/**
 * The records first, then the rows of their processes, of which those that are `returning` are read before. An instance that dies in between has
 * confirmed nothing: the records are handed over again, are duplicates then, and their processes are rebuilt. What the cache holds is left out.
 */
async function recordOffers(
  requests: readonly (readonly NewAuditRecord[])[],
  made: readonly Offer[],
  returning: readonly string[],
  deps: RecordDeps,
): Promise<Recorded[]> {
  const { cache, processes, telemetry } = deps;
  const counts = requests.map(() => 0);
  const repeated = new Set<string>();
  let offers = made.filter((offer) => !cache.has(offer));
  const before = await processes.rows(returning);
  const written: RecordSummary[] = [];
  while (offers.length > 0) {
    const inserted = await insert(offers, deps);
    const known: Offer[] = [];
    for (const [index, offer] of offers.entries()) {
      const record = inserted[index];
      if (record) {
        written.push(record);
        for (const { request } of offer.entries) counts[request] = (counts[request] ?? 0) + 1;
      } else {
        known.push(offer);
        repeated.add(offer.process_id);
      }
    }
    offers = await furtherParts(known, deps);
  }
  const rebuilt = await group(written, repeated, before, deps);
  cache.remember(made);
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
  type Cause = { readonly process_id: string; readonly uid: string; readonly byUid: Map<string, Offered> };
  const causes = new Map<string, Cause>();
  for (const [request, list] of requests.entries()) {
    for (const { process_id, uid, entries } of list) {
      const cause = `${process_id.length}:${process_id}${uid}`;
      const known = causes.get(cause);
      const { byUid } = known ?? { byUid: new Map<string, Offered>() };
      if (!known) causes.set(cause, { process_id, uid, byUid });
      for (const entry of entries) if (!byUid.has(entry.uid)) byUid.set(entry.uid, { entry, request });
    }
  }
  const offers = [...causes.values()].map(({ process_id, uid, byUid }): Offer => {
    const entries = [...byUid.values()].sort((a, b) => compare(a.entry.timestamp, b.entry.timestamp));
    return { process_id, uid, part: 0, entries };
  });
  const startOf = ({ entries }: Offer): string => entries[0]?.entry.timestamp ?? '';
  return offers.sort((a, b) => compare(startOf(a), startOf(b)));
}

/** Inserts under fresh ids. Resolves with what was inserted, by position; undefined where cause and part were recorded before. */
async function insert(offers: readonly Offer[], deps: RecordDeps): Promise<readonly (RecordSummary | undefined)[]> {
  const { records, ids, keys } = deps;
  const results = new Map<Offer, RecordSummary | undefined>();
  for (let open = offers; open.length > 0; ) {
    const block = await ids.take(open.reduce((count, { entries }) => count + entries.length, 0));
    let _id = block.from;
    const made = open.map(({ process_id, uid, part, entries }) => {
      const offered = entries.map(({ entry }) => entry);
      const record = recordOf({ _id, process_id, uid, part }, offered, keys);
      _id += entries.length;
      return record;
    });
    const inserted = await records.insertNew(made);
    for (const [index, offer] of open.entries()) results.set(offer, inserted[index]);
    if (block.isOpen()) break;
    const late = await takeOutLate(
      inserted.flatMap((record) => record?._id ?? []),
      deps,
    );
    // These move to ids of a newer block.
    open = open.filter((_offer, index) => late.has(inserted[index]?._id ?? -1));
  }
  return offers.map((offer) => results.get(offer));
}

/** Removes those of these records that came into a range after it was sealed. What a seal has stays: it would be missing. */
async function takeOutLate(ids: readonly number[], deps: RecordDeps): Promise<ReadonlySet<number>> {
  await sealThrough(ids, deps);
  const late = await deps.seals.leftOut(ids);
  await deps.records.remove(late);
  return new Set(late);
}

/**
 * What is new in offers of causes that are recorded already, as the next part of each. A record that came into a range after that was sealed was never
 * confirmed: an instance stood still, or lost its database, before it could take it out again. It makes way for this offer.
 */
async function furtherParts(offers: readonly Offer[], deps: RecordDeps): Promise<Offer[]> {
  const { records, keys } = deps;
  const stored = await Promise.all(offers.map(({ process_id, uid }) => records.ofCause(process_id, uid)));
  const late = await takeOutLate(
    stored.flat().map(({ _id }) => _id),
    deps,
  );
  const parts = stored.map((some) => some.filter(({ _id }) => !late.has(_id)));
  const repeated = offers.map(({ entries }, index) => ({
    offered: entries.map(({ entry }) => entry),
    recorded: parts[index] ?? [],
  }));
  await addLaterOrders(repeated, { records, keys });
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
  written: readonly RecordSummary[],
  repeated: ReadonlySet<string>,
  before: ReadonlyMap<string, ProcessRow>,
  { records, processes }: RecordDeps,
): Promise<number> {
  const added = new Map<string, readonly CountedEntry[]>();
  for (const { entries } of written) {
    const process = entries[0]?.process_id;
    if (process === undefined || repeated.has(process)) continue;
    const others = added.get(process);
    added.set(process, others ? [...others, ...entries] : entries);
  }
  const [fresh, changed]: [ProcessRow[], ProcessRow[]] = [[], []];
  for (const [id, entries] of added) {
    const row = before.get(id);
    (row ? changed : fresh).push(withEntries(row, entries));
  }
  const [known, moved] = await Promise.all([processes.insertNew(fresh), processes.replace(changed)]);
  const inDoubt = [...new Set([...repeated, ...known, ...moved])];
  await rebuildRows(inDoubt, { records, processes });
  return inDoubt.length;
}

/** Causes in the cache: more than are handed over before a request times out. */
const maxCached = 5_000;

type RecordedCache = ReturnType<typeof recordedCache>;

/**
 * A cache of what this instance has recorded, rows of processes included. A service whose request timed out retries it: this answers the retry without a
 * query, and without rebuilding the row of an import from tens of thousands of entries.
 */
export function recordedCache() {
  const recorded = new Map<string, string>();
  return {
    has: (offer: Offer): boolean => {
      const content = recorded.get(keyOf(offer));
      return content !== undefined && content === contentOf(offer);
    },
    remember: (offers: readonly Offer[]): void => {
      for (const offer of offers) recorded.set(keyOf(offer), contentOf(offer));
      keepNewest(recorded, maxCached);
    },
  };
}

const keyOf = ({ process_id, uid }: Offer): string => `${process_id} ${uid}`;

/** A retry may name an order that was not known before. */
const contentOf = ({ entries }: Offer): string =>
  entries.map(({ entry: { uid, order_id } }) => `${uid} ${order_id ?? ''}`).join();
