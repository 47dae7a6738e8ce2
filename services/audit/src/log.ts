import type { AuditFilters } from '@order-automation/contracts';
import type { Clock, KeyRing } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import { chainKeys } from './chain/keys';
import { openSeals } from './chain/seals';
import { rangeSize } from './counts/range-counts';
import { openTotals } from './counts/totals';
import { openDeletions } from './deletion/deletion';
import { openProcesses } from './processes/processes';
import { type Selection, selectionOf } from './reading/selection';
import { startRecording } from './recording/recording';
import { openEntryIds } from './records/entry-ids';
import { openRecords } from './records/records';
import type { Telemetry } from './telemetry';

export type LogDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly secretKeys: KeyRing;
  readonly countedIds?: number;
  /** Has what was recorded of deleted events for back-tests forgotten; rejects while evaluation is unavailable. */
  readonly forgetFacts?: (eventIds: readonly string[]) => Promise<void>;
};

export type LogParts = Awaited<ReturnType<typeof openParts>>;
export type Log = Awaited<ReturnType<typeof openLog>>;

/** Opens the collections, and finishes deletions that were interrupted. */
export async function openLog(deps: LogDeps) {
  const { store, telemetry, forgetFacts = async () => undefined } = deps;
  const opened = await openParts(deps);
  const { records, keys } = opened;
  const recording = startRecording({ ...opened, telemetry });
  const parts = {
    ...opened,
    record: recording.add,
    select: async (filters: AuditFilters): Promise<Selection> => selectionOf(filters, await records.facets.all(), keys),
    scrub: () => store.scrub(),
  };
  const deletions = await openDeletions({ ...parts, store, forgetFacts, telemetry });
  return { ...parts, deletions, idle: recording.idle };
}

async function openParts({ store, clock, secretKeys, countedIds = rangeSize }: LogDeps) {
  const keys = chainKeys(secretKeys);
  const records = await openRecords(store);
  const processes = await openProcesses(store);
  const ids = await openEntryIds(store, clock);
  const totals = await openTotals(store, { records, ids, clock }, countedIds);
  return { records, processes, ids, totals, seals: await openSeals(store, keys), keys, clock };
}
