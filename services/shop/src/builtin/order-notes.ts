import type { OrderNote } from '@order-automation/contracts';
import { insertNew, type Store } from '@order-automation/store';
import type { OrderDocument } from './order-document';
import type { Orders } from './orders';

/** A note on an order. `_id` is made of the order and the key of the command that wrote it, which is what makes it come once. */
export type OrderNoteDocument = {
  readonly _id: string;
  readonly id: number;
  readonly order_id: number;
  readonly process_id: string;
  readonly date_created: string;
  readonly note: string;
  readonly customer_note: boolean;
  readonly author: string;
};

/** Begins with the order: the notes of one are a range of the only index there is, and those of new orders, whose keys are hashes, lie together in it. */
export const noteId = (orderId: number, key: string): string => `${orderId}:${key}`;

/** Notes that an order document holds before the older half is moved out of it. */
export const maxNotes = 30;

export async function openOrderNotes(store: Store) {
  const documents = await store.collection<OrderNoteDocument>('order_notes');
  return {
    documents,
    /** Newest first; `recent` are those that the order itself holds. */
    ofOrder: async (orderId: number, recent: readonly OrderNoteDocument[] = []): Promise<OrderNote[]> => {
      // `;` is the character after `:`.
      const found = await documents.find({ _id: { $gte: `${orderId}:`, $lt: `${orderId};` } }).toArray();
      return [...new Map([...recent, ...found].map((note) => [note._id, note])).values()]
        .map(({ id, date_created, note, customer_note, author }) => ({ id, date_created, note, customer_note, author }))
        .sort((a, b) => b.id - a.id);
    },
    /** Copies the older half of long lists first, and removes from the order only what is copied. */
    archive: async (crowded: readonly OrderDocument[], orders: Orders): Promise<void> => {
      if (crowded.length === 0) return;
      const older = crowded.flatMap(({ notes = [] }) => notes.slice(0, maxNotes / 2));
      await insertNew(documents, older);
      const copied = new Set(older.map(({ _id }) => _id));
      const ids = crowded.map(({ _id }) => _id);
      await orders.edit(ids, (document) => {
        const notes = (document.notes ?? []).filter(({ _id }) => !copied.has(_id));
        return notes.length === document.notes?.length ? document : { ...document, notes };
      });
    },
  };
}
