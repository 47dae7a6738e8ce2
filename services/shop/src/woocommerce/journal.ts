import type { CommandResult, NewAuditEntry } from '@order-automation/contracts';
import { dueFinder } from '@order-automation/service';
import { deleteInPages, type IndexDescription, insertNew, type Store } from '@order-automation/store';
import { dueAfter, longestPutOff } from '../orders/handover-relay';
import type { ShopEvent } from '../orders/order-change';

/**
 * What was done to an order of the shop: the result of a command, the change that followed from it, and what is still to be handed over of it. `_id` is the
 * id of the change, which follows from order and key (`changeIdOf`), so that one command has one document; a second one where it made an order of a draft.
 */
export type JournalDocument = {
  readonly _id: string;
  readonly order_id: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null for what a person did, here or in WooCommerce. */
  readonly result: CommandResult | null;
  /** Until evaluation has seen it through. */
  readonly change: ShopEvent | null;
  /** The log's entry about the change, as long. */
  readonly entries: readonly NewAuditEntry[];
  readonly attempt: number;
  /** Milliseconds since the epoch at which it is handed over again; absent when nothing is left. */
  readonly due?: number;
};

const journalIndexes: readonly IndexDescription[] = [
  { name: 'due', key: { due: 1 }, sparse: true },
  { name: 'at', key: { at: 1 } },
];

export type Journal = Awaited<ReturnType<typeof openJournal>>;

export async function openJournal(store: Store) {
  const documents = await store.collection<JournalDocument>('woocommerce_journal', journalIndexes);
  return {
    documents,
    byIds: async (ids: readonly string[]): Promise<JournalDocument[]> =>
      ids.length === 0 ? [] : documents.find({ _id: { $in: ids } }).toArray(),
    /** Resolves with whether it was new. */
    add: async (document: JournalDocument): Promise<boolean> => (await insertNew(documents, [document])).length === 0,
    /** What is still to be handed over is kept. */
    purge: (before: number) => deleteInPages(documents, { at: { $lt: before }, due: { $exists: false } }),
    after: (id: string, limit: number) => documents.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit }).toArray(),
    replaceResult: (_id: string, result: CommandResult) => documents.updateOne({ _id }, { $set: { result } }),
    due: dueFinder(documents, longestPutOff),
    retryAt: ({ _id, attempt }: JournalDocument, now: number) => {
      const $set = { attempt: attempt + 1, due: dueAfter(attempt + 1, now) };
      return documents.updateOne({ _id, due: { $exists: true } }, { $set });
    },
    changeDone: (_id: string) =>
      documents.updateOne({ _id }, { $set: { change: null, entries: [] }, $unset: { due: '' } }),
  };
}
