import type { NewAuditEntry } from '@order-automation/contracts';
import { type IndexDescription, insertNew, type Store, updateInPages } from '@order-automation/store';
import { dueFinder } from './lease';

/** What audit is still to be handed about one cause. `_id` is unique to the cause: what is stored twice is handed over once. */
export type OutboxDocument = {
  readonly _id: string;
  readonly entries: NewAuditEntry[];
  /** Milliseconds since the epoch from which the relay takes it. */
  readonly due: number;
  /** Stored before its cause: whether that happened is not known yet. */
  readonly prepared: boolean;
};

/** Milliseconds until a record that audit refused is tried again. */
export const longestDelay = 10 * 60_000;

export const outboxIndexes: IndexDescription[] = [{ key: { due: 1 }, name: 'due' }];

export type OutboxDocuments = Awaited<ReturnType<typeof openOutboxDocuments>>;

/** Everything resolves when it is flushed, and rejects when the database is away. */
export async function openOutboxDocuments(store: Store) {
  const documents = await store.collection<OutboxDocument>('audit_outbox', outboxIndexes);
  return {
    documents,
    /** What is stored already stays as it is. */
    add: (rows: readonly OutboxDocument[]) => insertNew(documents, rows),
    due: dueFinder(documents, 2 * longestDelay),
    /** The cause has happened: these entries say what it was. */
    release: (id: string, entries: NewAuditEntry[], due: number) =>
      documents.updateOne({ _id: id }, { $set: { entries, due, prepared: false } }),
    postpone: (id: string, due: number) => documents.updateOne({ _id: id }, { $set: { due } }),
    remove: (ids: readonly string[]) => documents.deleteMany({ _id: { $in: ids } }),
    /** At start, everything that is stored is due; what another instance may be doing right now is left to it for `leaveFor` milliseconds. */
    makeDue: async (now: number, leaveFor: number): Promise<void> => {
      await updateInPages(documents, { due: { $gt: now }, prepared: false }, { $set: { due: now } });
      await updateInPages(documents, { due: { $gt: now + leaveFor }, prepared: true }, { $set: { due: now } });
    },
  };
}
