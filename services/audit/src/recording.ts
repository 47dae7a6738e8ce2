import type { NewAuditEntry } from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import { type RecordDeps, type Recorded, recordAll } from './record';

/** Entries in one write, and writes in flight at once. */
const entriesAtOnce = 512;
const lanes = 4;

/**
 * Records what arrives while the last writes are in flight together. Entries of one process are written one after the other, so that its row
 * has one writer in this instance.
 */
export function startRecording(deps: RecordDeps) {
  const write = async (requests: readonly (readonly NewAuditEntry[])[]): Promise<Recorded[]> => {
    const start = performance.now();
    try {
      return await recordAll(requests, deps);
    } catch (error) {
      deps.telemetry.notRecorded(error, requests.flat().length);
      throw error;
    } finally {
      deps.telemetry.recordTook(performance.now() - start);
    }
  };
  const batchers = Array.from({ length: lanes }, () =>
    batcher<readonly NewAuditEntry[], Recorded>({
      run: write,
      maxItems: entriesAtOnce,
      maxBytes: entriesAtOnce,
      size: (list) => list.length,
      concurrency: 1,
    }),
  );
  return {
    add: async (entries: readonly NewAuditEntry[]): Promise<Recorded> => {
      const parts = new Map<number, NewAuditEntry[]>();
      for (const entry of entries) {
        const lane = laneOf(entry.process_id);
        const part = parts.get(lane);
        if (part) part.push(entry);
        else parts.set(lane, [entry]);
      }
      const written = await Promise.all(
        [...parts].map(([lane, part]) => (batchers[lane] as (typeof batchers)[number]).add(part)),
      );
      return written.reduce(
        (sum, { recorded, duplicates }) => ({
          recorded: sum.recorded + recorded,
          duplicates: sum.duplicates + duplicates,
        }),
        { recorded: 0, duplicates: 0 },
      );
    },
    idle: async (): Promise<void> => {
      for (const one of batchers) await one.idle();
    },
  };
}

function laneOf(processId: string): number {
  let sum = 0;
  for (let at = 0; at < processId.length; at += 1) sum = (sum * 31 + processId.charCodeAt(at)) % 65_521;
  return sum % lanes;
}
