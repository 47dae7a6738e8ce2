import type { OrderNote } from '@order-automation/contracts';
import { insertNew, type Store } from '@order-automation/store';

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

/**
 * Begins with the order: the notes of an order are a range of the only index there is, and those of new orders, whose keys are hashes,
 * lie together in it.
 */
export const noteId = (orderId: number, key: string): string => `${orderId}:${key}`;

export const orderNoteQueries = {
  byIds: (ids: readonly string[]) => ({ _id: { $in: ids } }),
  /** `;` is the character after `:`. */
  ofOrder: (orderId: number) => ({ _id: { $gte: `${orderId}:`, $lt: `${orderId};` } }),
};

export type OrderNotes = Awaited<ReturnType<typeof openOrderNotes>>;

export async function openOrderNotes(store: Store) {
  const documents = await store.collection<OrderNoteDocument>('order_notes');
  return {
    documents,
    byIds: (ids: readonly string[]) => documents.find(orderNoteQueries.byIds(ids)).toArray(),
    /** Newest first. */
    ofOrder: async (orderId: number): Promise<OrderNote[]> => {
      const found = await documents.find(orderNoteQueries.ofOrder(orderId)).toArray();
      return found
        .map(({ id, date_created, note, customer_note, author }) => ({ id, date_created, note, customer_note, author }))
        .sort((a, b) => b.id - a.id);
    },
    /** Resolves with the positions of those that were there already. */
    insertNew: (notes: readonly OrderNoteDocument[]) => insertNew(documents, notes),
  };
}
