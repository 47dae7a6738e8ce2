import type { Bus } from '@order-automation/bus';
import type { NewAuditEntry } from '@order-automation/contracts';
import { isTransient } from '../failures';
import { coalesced } from './coalesce';

/** Hands the entries of one event to the log; resolves when the log has stored them. */
export type RecordEntries = (entries: readonly NewAuditEntry[]) => Promise<void>;

/** Events of one message; entries of one message, as long as no event alone has more. */
const maxItems = 32;
const entriesAtOnce = 400;
/** Milliseconds: entries of a late answer are recorded twice for nothing. */
const timeout = 10_000;

export function auditPort(bus: Bus): RecordEntries {
  const record = async (entries: readonly NewAuditEntry[]): Promise<void> => {
    for (let from = 0; from < entries.length; from += entriesAtOnce)
      await bus.request('audit.record.v1', { entries: entries.slice(from, from + entriesAtOnce) }, { timeout });
  };
  return coalesced<readonly NewAuditEntry[], void>({
    maxItems,
    concurrency: 4,
    isTransient,
    send: async (events) => {
      await record(events.flat());
      return events.map(() => undefined);
    },
  });
}
