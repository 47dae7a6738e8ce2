import { type Batcher, batcher, retryOf, within } from '@order-automation/base';
import { type NewAuditEntry, type NewAuditRecord, ServiceError } from '@order-automation/contracts';
import type { ServiceDeps } from '../process/service';
import { longestDelay, type OutboxDocument, type OutboxDocuments, openOutboxDocuments } from './outbox-documents';
import { restingSweep, startRelay } from './relay';

/** Entries about one cause. `uid` derives from the cause and is unique in the service: what is added twice is recorded once. */
export type OutboxRecord = {
  readonly uid: string;
  readonly process_id: string;
  readonly entries: readonly NewAuditEntry[];
};

/** Log entries that this service has stored and audit has not confirmed yet. */
export type Outbox = {
  /** Resolves when the records are stored; they are handed to audit, without waiting for it, until it confirms. */
  add(records: readonly OutboxRecord[]): Promise<void>;
  /** As `add`; resolves with whether audit confirmed all of them within `timeout` milliseconds. */
  addAndConfirm(records: readonly OutboxRecord[], timeout: number): Promise<boolean>;
  /**
   * Stores what is going to happen, lets it happen, and hands the entry over: nothing happens unrecorded. A refusal takes the entry back. Where the
   * outcome is not known, because the process ended or the store did not answer, the entry says so. `outcome` makes the entry of what came of it; null is nothing to record.
   */
  recordAround<T>(
    entry: NewAuditEntry,
    act: () => Promise<T>,
    outcome?: (result: T) => NewAuditEntry | null,
  ): Promise<T>;
  /** Finishes the hand-over in flight; what is left stays stored. */
  close(): Promise<void>;
};

/** Milliseconds that the direct way has before the relay takes over. */
const directFor = 10_000;
/** Milliseconds after which an act that has not ended is recorded as one whose outcome is not known. */
const actFor = 60_000;
const maxBytes = 256 * 1024;
const maxRecords = 200;
/** Past this the work is left to the relay, which keeps nothing in memory. */
const maxWaiting = 5_000;

type Parts = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly documents: OutboxDocuments;
  readonly handOver: Batcher<OutboxDocument, void>;
  /** Hand-overs in flight, by id: the relay may find a record due that still waits for its batch. */
  readonly inFlight: Map<string, Promise<void>>;
  /** Acts of this process that have not ended, by the id of their record: a clock that jumps ends none. */
  readonly acting: Set<string>;
};

/** Entries of which each is about a cause of its own. */
export const recordsOf = (entries: readonly NewAuditEntry[]): OutboxRecord[] =>
  entries.map((entry) => ({ uid: entry.uid, process_id: entry.process_id, entries: [entry] }));

/** Milliseconds that audit has to flush what it is handed. */
const timeout = 10_000;

function auditRecord({ _id: uid, entries }: OutboxDocument): NewAuditRecord {
  const process_id = entries[0]?.process_id ?? '';
  return { uid, process_id, entries: entries.map(({ process_id: _, ...entry }) => entry) };
}

/** Opens the outbox of a service in its store, and hands over what an earlier process left there. */
export async function openOutbox({ bus, store, clock, log }: Omit<ServiceDeps, 'metrics'>): Promise<Outbox> {
  const documents = await openOutboxDocuments(store);
  await documents.makeDue(clock.now(), actFor);
  /** Records that audit confirmed since the relay's query began, which may still have found them. */
  const confirmed = new Set<string>();
  const handOver = batcher<OutboxDocument, void>({
    maxItems: maxRecords,
    maxBytes,
    size: ({ entries }) => JSON.stringify(entries).length,
    concurrency: 2,
    run: async (items) => {
      await bus.request('audit.record.v2', { records: items.map(auditRecord) }, { timeout });
      await documents.remove(items.map(({ _id }) => _id));
      for (const { _id } of items) confirmed.add(_id);
    },
  });
  const parts: Parts = { documents, handOver, inFlight: new Map(), acting: new Set(), clock, log };
  const relay = startRelay<OutboxDocument>({
    name: 'audit outbox',
    pending: async (now, limit) => {
      confirmed.clear();
      return (await documents.due(now, limit)).filter(({ _id }) => !confirmed.has(_id) && !parts.acting.has(_id));
    },
    send: async (items) => {
      const known = items.map((one) => (one.prepared ? { ...one, entries: one.entries.map(unknownOutcome) } : one));
      await Promise.all(known.map((item) => deliver(parts, item)));
    },
    every: 1_000,
    longest: restingSweep,
    batch: maxRecords,
    clock,
    log,
  });
  return {
    ...adding(parts),
    recordAround: (entry, act, outcome) => recordAround(parts, entry, act, outcome),
    close: async () => {
      await relay.close();
      await handOver.idle();
    },
  };
}

/** Joins the hand-over of this record that is in flight, or starts one. */
function handOverOnce(
  { handOver, inFlight }: Pick<Parts, 'handOver' | 'inFlight'>,
  item: OutboxDocument,
): Promise<void> {
  const known = inFlight.get(item._id);
  if (known) return known;
  const handing = handOver.add(item).finally(() => inFlight.delete(item._id));
  inFlight.set(item._id, handing);
  return handing;
}

/** Rejects while audit or the store is away. What audit refuses for itself harms nothing else: it is kept, and tried rarely. */
async function deliver(parts: Parts, item: OutboxDocument): Promise<void> {
  const { documents, clock, log } = parts;
  try {
    await handOverOnce(parts, item);
  } catch (error) {
    if (retryOf(error) === 'later') throw error;
    log.error({ err: error, record: item._id }, 'the audit log refused a record; it is kept and tried again');
    await documents.postpone(item._id, clock.now() + longestDelay);
  }
}

function adding(parts: Parts): Pick<Outbox, 'add' | 'addAndConfirm'> {
  const { documents, handOver, clock } = parts;
  const store = async (records: readonly OutboxRecord[]): Promise<OutboxDocument[]> => {
    const due = clock.now() + directFor;
    const rows = records.map(({ uid, entries }) => ({ _id: uid, entries: [...entries], due, prepared: false }));
    const known = new Set(await documents.add(rows));
    return rows.filter((_, at) => !known.has(at));
  };
  return {
    add: async (records) => {
      for (const row of await store(records))
        if (handOver.waiting() < maxWaiting) deliver(parts, row).catch(() => undefined);
    },
    addAndConfirm: async (records, timeout) => {
      const rows = await store(records);
      const confirmed = Promise.all(rows.map((row) => handOverOnce(parts, row)));
      return within(timeout, confirmed, () => new Error('not confirmed in time')).then(
        () => true,
        () => false,
      );
    },
  };
}

async function recordAround<T>(
  parts: Parts,
  entry: NewAuditEntry,
  act: () => Promise<T>,
  outcome: (result: T) => NewAuditEntry | null = () => entry,
): Promise<T> {
  const { documents, acting, clock, log } = parts;
  const row: OutboxDocument = { _id: entry.uid, entries: [entry], due: clock.now() + actFor, prepared: true };
  acting.add(row._id);
  const end = async (final: NewAuditEntry | null): Promise<void> => {
    try {
      if (final === null) await documents.remove([row._id]);
      else {
        const due = clock.now() + directFor;
        await documents.release(row._id, [final], due);
        deliver(parts, { ...row, entries: [final], due, prepared: false }).catch(() => undefined);
      }
    } catch (error) {
      log.warn({ err: error, record: row._id }, 'what came of an act was not stored: it will be recorded as not known');
    }
  };
  try {
    await documents.add([row]);
    try {
      const result = await act();
      await end(outcome(result));
      return result;
    } catch (error) {
      const isRefusal = error instanceof ServiceError && error.status < 500;
      await end(isRefusal ? null : unknownOutcome(entry));
      throw error;
    }
  } finally {
    acting.delete(row._id);
  }
}

function unknownOutcome(entry: NewAuditEntry): NewAuditEntry {
  const summary = `${entry.summary.slice(0, 1900)}; whether this took effect is not known, please check`;
  return { ...entry, status: 'warning', summary, details: { ...entry.details, outcome: 'unknown' } };
}
