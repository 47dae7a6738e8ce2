import type { NewAuditRecord } from '@order-automation/contracts';
import { batcher, type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import type { InboxEvent } from '../inbox/documents';
import { receptionEntry } from '../inbox/entries';
import type { Telemetry } from '../telemetry';

export type Receptions = {
  /** These were received: their receptions are recorded unless evaluation ends them within a few seconds, and records them with their end. */
  add(events: readonly InboxEvent[]): void;
  /** Evaluation has ended these. */
  forget(ids: readonly string[]): void;
  close(): Promise<void>;
};

type Parts = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly telemetry: Telemetry;
};

const recordsInBatch = 200;
/** Milliseconds that evaluation has to end an event and to record its reception with its own entries. */
const evaluationTime = 5_000;
/** Events that are remembered at a time: the reception of further ones is recorded with their end. */
const maxRemembered = 20_000;

type Remembered = { readonly event: InboxEvent; readonly at: number };

/**
 * Records receptions in the log: of events that wait, are held or refused at once, of others when evaluation has not ended them in a few
 * seconds. A reception follows from what is stored: recording it twice records the same, which audit notices by its uid.
 */
export function recordReceptions({ bus, clock, log, telemetry }: Parts): Receptions {
  const remembered = new Map<string, Remembered>();
  const batches = batcher<InboxEvent, undefined>({
    maxItems: recordsInBatch,
    concurrency: 2,
    run: async (events) => {
      try {
        await bus.request('audit.record.v2', { records: events.map(receptionRecord) }, { timeout: 10_000 });
      } catch (error) {
        telemetry.entriesKept(events.length, error);
        throw error;
      }
      for (const { _id } of events) remembered.delete(_id);
      return events.map(() => undefined);
    },
  });
  const late: Relay = startRelay<InboxEvent>({
    name: 'receptions',
    pending: async (now, limit) => lateOnes(remembered, now, limit),
    send: async (events) => void (await Promise.all(events.map(batches.add))),
    every: 1_000,
    batch: recordsInBatch,
    clock,
    log,
  });
  return {
    add: (events) => {
      const now = clock.now();
      for (const event of events) {
        if (remembered.size >= maxRemembered || remembered.has(event._id)) continue;
        const at = event.state === 'accepted' ? now : Number.NEGATIVE_INFINITY;
        remembered.set(event._id, { event, at });
      }
    },
    forget: (ids) => {
      for (const id of ids) remembered.delete(id);
    },
    close: async () => {
      await late.close();
      await batches.idle();
    },
  };
}

/** Everything about one event has its id as the uid of the record, whoever hands it over. */
function receptionRecord(event: InboxEvent): NewAuditRecord {
  const { process_id, ...entry } = receptionEntry(event);
  return { uid: event._id, process_id, entries: [entry] };
}

/** They are remembered in the order of their arrival. A time that is still to come is that of a clock that ran ahead. */
function lateOnes(remembered: ReadonlyMap<string, Remembered>, now: number, limit: number): InboxEvent[] {
  const late: InboxEvent[] = [];
  for (const { event, at } of remembered.values()) {
    if (late.length === limit) break;
    if (now - at >= evaluationTime || at > now) late.push(event);
  }
  return late;
}
