import {
  auditEntry,
  isoTime,
  type NewAuditEntry,
  type NewAuditRecord,
  type RequestInput,
  ServiceError,
} from '@order-automation/contracts';
import { insertNew } from '@order-automation/store';
import type { LogDeps, LogParts } from '../log';
import { rebuildRows } from '../processes/processes';
import type { Entry } from '../records/entry';
import { entriesOf, withoutEntries } from '../records/log-record';
import { type Records, replaceAll } from '../records/records';

/** A deletion that was asked for, until it is done: one that a crash interrupts is finished at the next start. */
export type DeletionDocument = {
  readonly _id: string;
  readonly ids: readonly number[];
  readonly processes: readonly string[];
  readonly user: string;
  readonly at: string;
  /** The entries are deleted; evaluation is still to forget what it knows of these events. */
  readonly events?: readonly string[];
};

type DeletionDeps = LogParts &
  Required<Pick<LogDeps, 'store' | 'telemetry' | 'forgetFacts'>> & {
    readonly record: (records: readonly NewAuditRecord[]) => Promise<unknown>;
  };

/** Deletions that are finished in one go. */
const maxAtOnce = 16;

/** Deletion of single entries (section 4.2 of the specification): each leaves its digest, and the deletion an entry of its own. */
export async function openDeletions(deps: DeletionDeps) {
  const { records, clock } = deps;
  const documents = await deps.store.collection<DeletionDocument>('deletions');
  for (const interrupted of await documents.find({}).toArray()) await finish(interrupted, deps);

  return {
    documents,
    /** Finishes what could not be finished: facts of events that evaluation was not there to forget. */
    again: async (): Promise<void> => {
      for (const unfinished of await documents.find({}).limit(maxAtOnce).toArray()) await finish(unfinished, deps);
    },
    remove: async ({ log_ids, user, process_id }: RequestInput<'audit.entry.delete.v1'>) => {
      const found = await entriesWith(log_ids, records);
      if (found.length === 0) throw new ServiceError(404, 'svc_no_valid_logs', 'None of these entries is in the log.');
      const ids = found.map(({ _id }) => _id).sort((a, b) => a - b);
      const affected = [...new Set(found.map((entry) => entry.process_id))];
      const deletion = { _id: process_id, ids, processes: affected, user, at: isoTime(clock.now()) };
      await insertNew<DeletionDocument>(documents, [deletion]);
      await finish(deletion, deps);
      return { deleted_count: ids.length };
    },
  };

  async function finish(deletion: DeletionDocument, { forgetFacts, telemetry }: DeletionDeps) {
    const events = deletion.events ?? (await deleteEntries(deletion, deps));
    try {
      await forgetFacts(events);
    } catch (error) {
      telemetry.notForgotten(error);
      return;
    }
    await documents.deleteMany({ _id: { $eq: deletion._id } });
  }

  /** Every step can run twice. Resolves with the events that the entries were about, once nothing but their facts is left to do. */
  async function deleteEntries(deletion: DeletionDocument, { processes, totals, keys, record }: DeletionDeps) {
    const { ids, processes: affected, _id } = deletion;
    await record([deletionNotice(deletion)]);
    const held = await records.holding(ids);
    const holding = held.map((one) => one._id);
    const doomed = new Set(ids);
    await totals.mark(holding);
    await replaceAll(holding, (found) => withoutEntries(found, doomed, _id, keys), records);
    // Marked again: a count in between may have seen entries that are gone now.
    await totals.mark(holding);
    await rebuildRows(affected, { records, processes });
    const events = held.map(({ uid }) => uid);
    await documents.updateOne({ _id }, { $set: { events } });
    return events;
  }
}

function deletionNotice({ _id, ids, user, at }: DeletionDocument): NewAuditRecord {
  const what = ids.length === 1 ? `1 entry (${ids[0]})` : `${ids.length} entries`;
  const summary = `${user} deleted ${what} of the log.`;
  const details = { user, log_ids: ids };
  return noticeOf(`${_id}:deleted`, { process_id: _id, timestamp: at, source: 'manual', summary, details });
}

export async function entriesWith(ids: readonly number[], records: Records): Promise<Entry[]> {
  const wanted = new Set(ids);
  return (await records.holding([...wanted])).flatMap(entriesOf).filter(({ _id }) => wanted.has(_id));
}

type Notice = Pick<NewAuditEntry, 'process_id' | 'timestamp' | 'source' | 'summary' | 'details'>;

/** The record in which the log says that entries were removed from it. */
export function noticeOf(uid: string, notice: Notice, status: 'info' | 'warning' = 'warning'): NewAuditRecord {
  const { process_id } = notice;
  return { uid, process_id, entries: [auditEntry({ ...notice, uid, status, event_type: 'audit_deleted' })] };
}
