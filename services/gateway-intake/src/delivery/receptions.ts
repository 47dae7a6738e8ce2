import { batcher, startRelay } from '@order-automation/service';
import type { InboxDocument } from '../inbox/documents';
import { receptionEntry } from '../inbox/entries';
import type { DeliveryDeps } from './delivery';

export type Receptions = ReturnType<typeof recordReceptions>;

type Parts = Pick<DeliveryDeps, 'bus' | 'clock' | 'log' | 'collections' | 'telemetry'>;

/** Milliseconds that evaluation has to end an event, and to record its reception with its end. */
const evaluationTime = 5_000;
const recordsInBatch = 200;
/** Events that are remembered at a time: the reception of further ones is recorded with their end. */
const maxRemembered = 20_000;

/**
 * Records receptions in the log: of events that wait, are held or refused at once, of others when evaluation has not ended them in a few seconds. A
 * reception follows from what is stored, and is read from there when it is late: recording it twice records the same, which audit notices by its uid.
 */
export function recordReceptions({ bus, clock, log, collections: { inbox, payloads }, telemetry }: Parts) {
  const remembered = new Map<string, number>();
  const batches = batcher<string, void>({
    maxItems: recordsInBatch,
    concurrency: 2,
    run: async (ids) => {
      try {
        const records = (await payloads.join(await inbox.byIds(ids))).map((event) => {
          const { process_id, ...entry } = receptionEntry(event);
          // Every record about one event has the id of the event as its uid, whichever service sends it.
          return { uid: event._id, process_id, entries: [entry] };
        });
        if (records.length > 0) await bus.request('audit.record.v2', { records }, { timeout: 10_000 });
      } catch (error) {
        telemetry.entriesKept(ids.length, error);
        throw error;
      }
      for (const id of ids) remembered.delete(id);
    },
  });
  const late = startRelay<string>({
    name: 'receptions',
    pending: async (now, limit) => lateOnes(remembered, now, limit),
    send: async (ids) => void (await Promise.all(ids.map(batches.add))),
    every: 1_000,
    batch: recordsInBatch,
    clock,
    log,
  });
  return {
    /** These were received: their receptions are recorded unless evaluation ends them within a few seconds, and records them with their end. */
    add: (events: readonly InboxDocument[]): void => {
      const now = clock.now();
      for (const { _id, state } of events)
        if (remembered.size < maxRemembered && !remembered.has(_id))
          remembered.set(_id, state === 'accepted' ? now : Number.NEGATIVE_INFINITY);
    },
    /** Evaluation has ended these. */
    forget: (ids: readonly string[]): void => {
      for (const id of ids) remembered.delete(id);
    },
    close: async (): Promise<void> => {
      await late.close();
      await batches.idle();
    },
  };
}

/** They are remembered in the order of their arrival. A time that is still to come is that of a clock that ran ahead. */
function lateOnes(remembered: ReadonlyMap<string, number>, now: number, limit: number): string[] {
  const late: string[] = [];
  for (const [id, at] of remembered) {
    if (late.length === limit) break;
    if (now - at >= evaluationTime || at > now) late.push(id);
  }
  return late;
}
