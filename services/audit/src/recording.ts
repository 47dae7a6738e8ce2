import type { NewAuditRecord } from '@order-automation/contracts';
import { batcher, inSequence } from '@order-automation/service';
import { type RecordDeps, type Recorded, recordAll } from './record';

/** Entries in one write, and writes in flight at once. */
const entriesAtOnce = 512;
const concurrency = 4;

const processesOf = (requests: readonly (readonly NewAuditRecord[])[]): string[] => [
  ...new Set(requests.flatMap((records) => records.map(({ process_id }) => process_id))),
];

const entriesIn = (sum: number, { entries }: NewAuditRecord): number => sum + entries.length;

/**
 * Records what arrives while the last writes are in flight together. Batches that add to the same process take turns: the later one would find the
 * row of the process changed, and read all of its entries to rebuild it, which an import of a shop has by the ten thousand.
 */
export function startRecording(deps: RecordDeps) {
  const sequence = inSequence();
  const { add, idle } = batcher<readonly NewAuditRecord[], Recorded>({
    run: async (requests) => {
      const start = performance.now();
      try {
        return await sequence(deps.processes.returning(processesOf(requests)), () => recordAll(requests, deps));
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
  return { add, idle };
}
