import { isoTime, type NewAuditEntry, type RequestInput, ServiceError } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { isDuplicateKey, type Store } from '@order-automation/store';
import type { Tombstones } from './chain/tombstones';
import type { Entries } from './entries';
import type { Processes } from './processes';
import { rebuildRows } from './rebuild';
import type { Totals } from './totals';

/** A deletion that was asked for, until it is done: one that a crash interrupts is finished at the next start. */
export type DeletionDocument = {
  readonly _id: string;
  readonly ids: readonly number[];
  readonly processes: readonly string[];
  readonly user: string;
  readonly at: string;
};

export type DeletionDeps = {
  readonly store: Store;
  readonly entries: Entries;
  readonly processes: Processes;
  readonly totals: Totals;
  readonly tombstones: Tombstones;
  readonly clock: Clock;
  readonly record: (entries: readonly NewAuditEntry[]) => Promise<unknown>;
};

export type Deletions = Awaited<ReturnType<typeof openDeletions>>;

/** Deletion of single entries (section 4.2 of the specification): each leaves a tombstone, and the deletion an entry of its own. */
export async function openDeletions(deps: DeletionDeps) {
  const { entries, clock } = deps;
  const documents = await deps.store.collection<DeletionDocument>('deletions');
  for (const interrupted of await documents.find({}).toArray()) await finish(interrupted, deps);

  return {
    documents,
    /** Deletes those of the entries that are in the log; 404 when none is. */
    remove: async ({
      log_ids,
      user,
      process_id,
    }: RequestInput<'audit.entry.delete.v1'>): Promise<{ deleted_count: number }> => {
      const found = await entries.byIds([...new Set(log_ids)]);
      if (found.length === 0) throw new ServiceError(404, 'svc_no_valid_logs', 'None of these entries is in the log.');
      const ids = found.map(({ _id }) => _id).sort((a, b) => a - b);
      const affected = [...new Set(found.map((entry) => entry.process_id))];
      const deletion = { _id: process_id, ids, processes: affected, user, at: isoTime(clock.now()) };
      await documents.insertOne(deletion).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      await finish(deletion, deps);
      return { deleted_count: ids.length };
    },
  };

  /** Every step can run twice. */
  async function finish(deletion: DeletionDocument, { processes, totals, tombstones, record }: DeletionDeps) {
    const { ids, processes: affected, _id: processId } = deletion;
    await record([deletionEntry(deletion)]);
    await tombstones.add(await entries.byIds(ids), 'deleted', processId);
    await totals.mark(ids);
    await entries.remove(ids);
    // Marked again: a count in between may have seen entries that are gone now.
    await totals.mark(ids);
    await rebuildRows(affected, { entries, processes });
    await documents.deleteMany({ _id: { $eq: processId } });
  }
}

function deletionEntry({ _id, ids, user, at }: DeletionDocument): NewAuditEntry {
  const what = ids.length === 1 ? `1 entry (${ids[0]})` : `${ids.length} entries`;
  return {
    uid: `${_id}:deleted`,
    timestamp: at,
    status: 'warning',
    event_type: 'audit_deleted',
    source: 'manual',
    summary: `${user} deleted ${what} of the log.`,
    order_id: null,
    process_id: _id,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: { user, log_ids: ids },
  };
}
