import { insertNew, type Store } from '@order-automation/store';

/** An account of the shop, as far as rules need it. Orders carry the rest. */
export type CustomerDocument = { readonly _id: number; readonly email: string; readonly role: string };

export const customerQueries = { byIds: (ids: readonly number[]) => ({ _id: { $in: ids } }) };

export type Customers = Awaited<ReturnType<typeof openCustomers>>;

export async function openCustomers(store: Store) {
  const documents = await store.collection<CustomerDocument>('customers', []);
  return {
    documents,
    byIds: (ids: readonly number[]) => documents.find(customerQueries.byIds(ids)).toArray(),
    /** Those that exist are left as they are. */
    insertNew: async (customers: readonly CustomerDocument[]): Promise<void> => {
      await insertNew(documents, customers);
    },
  };
}
