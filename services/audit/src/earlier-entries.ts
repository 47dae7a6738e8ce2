import type { Store } from '@order-automation/store';
import type { ChainKeys } from './chain/keys';
import type { MaskedEntry } from './entry';
import { recordOfStored } from './log-record';
import type { Processes } from './processes';
import { rebuildRows } from './rebuild';
import type { Records } from './records';

/** An entry as versions until November 2026 stored it: one document each. */
export type EarlierEntry = MaskedEntry & {
  readonly _id: number;
  readonly process_id: string;
  readonly words?: readonly string[];
  readonly mac: string;
};

export type AdoptDeps = {
  readonly store: Store;
  readonly records: Records;
  readonly processes: Processes;
  readonly keys: ChainKeys;
  /** Called after each portion with the entries that were adopted so far. */
  readonly onProgress: (adopted: number) => void;
};

const portion = 500;
/** What follows from entries; it is made again. The chain is started again, because its digests were made of other documents. */
const derived = ['seals', 'seal_marks', 'totals', 'stats'] as const;

/**
 * Takes over the entries of a log that an earlier version has written: each becomes a record of its own under its id. Runs before anything else uses the
 * log, and goes on where it was interrupted. Nothing happens where there are none.
 */
export async function adoptEarlierEntries({ store, records, processes, keys, onProgress }: AdoptDeps): Promise<number> {
  const earlier = await store.collection<EarlierEntry>('entries');
  const next = () => earlier.find({}).sort({ _id: 1 }).limit(portion).toArray();
  let adopted = 0;
  let found = await next();
  if (found.length === 0) return 0;
  for (const name of derived) await (await store.collection(name)).deleteMany({});
  while (found.length > 0) {
    await records.insertNew(found.map((entry) => adoptedRecord(entry, keys)));
    await rebuildRows([...new Set(found.map(({ process_id }) => process_id))], { records, processes });
    await earlier.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
    adopted += found.length;
    onProgress(adopted);
    found = await next();
  }
  return adopted;
}

function adoptedRecord({ _id, process_id, words: _words, mac: _mac, ...entry }: EarlierEntry, keys: ChainKeys) {
  return recordOfStored({ _id, process_id, uid: entry.uid, part: 0 }, [entry], keys);
}
