import { deleteInPages, type IndexDescription, insertNew, type Store } from '@order-automation/store';

/** One id by which an event may name an order of WooCommerce, which cannot be asked for all of them. A hint: the order itself has the last word. */
export type OrderKeyDocument = { readonly _id: string; readonly key: string; readonly order_id: number };

const orderKeyIndexes: readonly IndexDescription[] = [{ name: 'key', key: { key: 1, order_id: -1 } }];

export type OrderKeys = Awaited<ReturnType<typeof openOrderKeys>>;

export async function openOrderKeys(store: Store) {
  const documents = await store.collection<OrderKeyDocument>('order_keys', orderKeyIndexes);
  return {
    documents,
    ofKeys: (keys: readonly string[]) => documents.find({ key: { $in: keys } }).toArray(),
    /** All of them are of another shop. */
    forget: () => deleteInPages(documents, {}),
    add: async (added: readonly { key: string; order_id: number }[]): Promise<void> => {
      const rows = added.map(({ key, order_id }) => ({ _id: `${key}|${order_id}`, key, order_id }));
      await insertNew(documents, rows);
    },
  };
}
