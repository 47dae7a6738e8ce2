import type { Bus } from '@order-automation/bus';
import type { NewAuditEntry, NewAuditRecord } from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import { isTooLarge } from '../attempts/failures';

export type Entries = Pick<NewAuditRecord, 'uid' | 'process_id'> & { readonly entries: readonly NewAuditEntry[] };

/** Hands what is known of one event to the log; resolves when the log has stored it. */
export type RecordEvent = (entries: Entries) => Promise<void>;

/** The same for entries that come by themselves. */
export type RecordEntries = (entries: readonly NewAuditEntry[]) => Promise<void>;

export const recordingAlone =
  (record: RecordEvent): RecordEntries =>
  async (entries) => {
    for (const entry of entries) await record({ uid: entry.uid, process_id: entry.process_id, entries: [entry] });
  };

const maxItems = 32;
const maxEntries = 200;
/** Milliseconds: entries of a late answer are recorded twice for nothing. */
const timeout = 10_000;

export function auditPort(bus: Bus): RecordEvent {
  const { add: record } = batcher<NewAuditRecord, void>({
    maxItems,
    concurrency: 4,
    run: async (records) => void (await bus.request('audit.record.v2', { records: [...records] }, { timeout })),
  });
  /** What does not fit into a message is halved until it does; of a single entry that does not fit the details are left out. */
  const recordFitting = async (one: NewAuditRecord): Promise<void> => {
    try {
      await record(one);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      for (const part of divided(one)) await recordFitting(part);
    }
  };
  return async ({ uid, process_id, entries }) => {
    for (let from = 0; from < entries.length; from += maxEntries)
      await recordFitting({ uid, process_id, entries: entries.slice(from, from + maxEntries) });
  };
}

function divided({ entries, ...record }: NewAuditRecord): NewAuditRecord[] {
  const [first] = entries;
  if (entries.length === 1 && first) {
    if (first.details === tooLarge) throw new Error('an entry without details does not fit into a message');
    return [{ ...record, entries: [{ ...first, details: tooLarge }] }];
  }
  const middle = Math.ceil(entries.length / 2);
  return [entries.slice(0, middle), entries.slice(middle)].map((half) => ({ ...record, entries: half }));
}

const tooLarge = { left_out: 'The details do not fit into a message of the bus.' };
