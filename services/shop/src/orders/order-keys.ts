import { type IndexDescription, insertNew, type Store } from '@order-automation/store';

/** One thing an order can be found by (order-lookup.ts makes them). A hint: the order itself has the last word. */
export type OrderKeyDocument = { readonly _id: string; readonly key: string; readonly order_id: number };

export const orderKeyIndexes: readonly IndexDescription[] = [{ name: 'key', key: { key: 1, order_id: -1 } }];

export const orderKeyQueries = {
  ofKeys: (keys: readonly string[]) => ({ key: { $in: keys } }),
  ofKey: (key: string) => ({ key }),
  startingWith: (prefix: string) => ({ key: { $gte: prefix, $lt: `${prefix}\uffff` } }),
};

const ids = { projection: { order_id: 1 } } as const;
const orderId = ({ order_id }: Pick<OrderKeyDocument, 'order_id'>): number => order_id;

export type OrderKeys = Awaited<ReturnType<typeof openOrderKeys>>;

export async function openOrderKeys(store: Store) {
  const documents = await store.collection<OrderKeyDocument>('order_keys', orderKeyIndexes);
  const idOf = (key: string, orderId: number) => `${key}|${orderId}`;
  return {
    documents,
    ofKeys: (keys: readonly string[]) => documents.find(orderKeyQueries.ofKeys(keys)).toArray(),
    ofKey: (key: string, limit: number) =>
      documents
        .find(orderKeyQueries.ofKeys([key]))
        .limit(limit)
        .toArray(),
    /** Ids of the newest orders with the key. */
    newestOf: async (key: string, limit: number): Promise<number[]> =>
      (await documents.find(orderKeyQueries.ofKey(key), ids).sort({ order_id: -1 }).limit(limit).toArray()).map(
        orderId,
      ),
    /** Ids of orders with keys that begin so, in the order of the keys. */
    idsBeginning: async (prefix: string, limit: number): Promise<number[]> =>
      (await documents.find(orderKeyQueries.startingWith(prefix), ids).sort({ key: 1 }).limit(limit).toArray()).map(
        orderId,
      ),
    add: async (added: readonly { key: string; order_id: number }[]): Promise<void> => {
      const rows = added.map(({ key, order_id }) => ({ _id: idOf(key, order_id), key, order_id }));
      await insertNew(documents, rows);
    },
    remove: async (removed: readonly { key: string; order_id: number }[]): Promise<void> => {
      if (removed.length === 0) return;
      await documents.deleteMany({ _id: { $in: removed.map(({ key, order_id }) => idOf(key, order_id)) } });
    },
  };
}
