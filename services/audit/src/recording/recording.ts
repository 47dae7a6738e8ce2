import type { NewAuditRecord } from '@order-automation/contracts';
import { batcher, inSequence } from '@order-automation/service';
import { type RecordDeps, type Recorded, recordAll, recordedCache } from './record';

/** Entries in one write, and writes in flight at once. */
const entriesAtOnce = 512;
const concurrency = 4;

const entriesIn = (sum: number, { entries }: NewAuditRecord): number => sum + entries.length;

/** Records what arrives while the last writes are in flight together. */
export function startRecording(parts: Omit<RecordDeps, 'inSequence' | 'cache'>) {
  const deps = { ...parts, inSequence: inSequence(), cache: recordedCache() };
  return batcher<readonly NewAuditRecord[], Recorded>({
    run: async (requests) => {
      const start = performance.now();
      try {
        return await recordAll(requests, deps);
      } catch (error) {
        deps.telemetry.notRecorded(error, requests.flat().reduce(entriesIn, 0));
        throw error;
      } finally {
        deps.telemetry.recordTook(performance.now() - start);
      }
    },
    maxItems: entriesAtOnce,
    maxBytes: entriesAtOnce,
    size: (list) => list.reduce(entriesIn, 0),
    concurrency,
  });
}
