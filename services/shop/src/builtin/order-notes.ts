import type { OrderNote } from '@order-automation/contracts';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';

/** A note on an order. `_id` is the key of the command that wrote it, which is what makes it come once. */
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

export const orderNoteIndexes: readonly IndexDescription[] = [{ name: 'order', key: { order_id: 1, id: -1 } }];

export const orderNoteQueries = {
  byKeys: (keys: readonly string[]) => ({ _id: { $in: keys } }),
  ofOrder: (orderId: number) => ({ order_id: { $eq: orderId } }),
};

export type OrderNotes = Awaited<ReturnType<typeof openOrderNotes>>;

export async function openOrderNotes(store: Store) {
  const documents = await store.collection<OrderNoteDocument>('order_notes', orderNoteIndexes);
  return {
    documents,
    byKeys: (keys: readonly string[]) => documents.find(orderNoteQueries.byKeys(keys)).toArray(),
    /** Newest first. */
    ofOrder: async (orderId: number): Promise<OrderNote[]> => {
      const found = await documents.find(orderNoteQueries.ofOrder(orderId)).sort({ id: -1 }).toArray();
      return found.map(({ id, date_created, note, customer_note, author }) => ({
        id,
        date_created,
        note,
        customer_note,
        author,
      }));
    },
    /** Resolves with the positions of those whose key was there already. */
    insertNew: (notes: readonly OrderNoteDocument[]) => insertNew(documents, notes),
  };
}
