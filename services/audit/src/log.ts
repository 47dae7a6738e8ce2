import type { Clock } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import { chainKeys } from './chain/keys';
import { openSeals } from './chain/seals';
import { openTombstones } from './chain/tombstones';
import { openDeletions } from './deletion';
import { openEntries } from './entries';
import { openEntryIds } from './entry-ids';
import { pagesOf } from './pages';
import { openProcesses } from './processes';
import { rangeSize } from './range-counts';
import { startRecording } from './recording';
import type { Telemetry } from './telemetry';
import { openTotals } from './totals';

export type LogDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** Newest first. */
  readonly secretKeys: readonly Buffer[];
  /** Ids in a range that is counted together. */
  readonly countedIds?: number;
};

/** The parts of the log. */
export type Log = Awaited<ReturnType<typeof openLog>>;

/** Opens the collections, and finishes deletions that were interrupted. */
export async function openLog({ store, clock, telemetry, secretKeys, countedIds = rangeSize }: LogDeps) {
  const keys = chainKeys(secretKeys);
  const entries = await openEntries(store, keys);
  const processes = await openProcesses(store);
  const ids = await openEntryIds(store, clock);
  const totals = await openTotals(store, { entries, ids, clock }, countedIds);
  const seals = await openSeals(store, keys);
  const tombstones = await openTombstones(store, keys);
  const recording = startRecording({ entries, processes, ids, keys, telemetry });
  const parts = {
    entries,
    processes,
    ids,
    totals,
    seals,
    tombstones,
    keys,
    clock,
    record: recording.add,
    scrub: () => store.scrub(),
  };
  const deletions = await openDeletions({ ...parts, store });
  return { ...parts, pages: pagesOf(entries, totals), deletions, idle: recording.idle };
}
