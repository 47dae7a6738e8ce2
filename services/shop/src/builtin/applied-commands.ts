import { insertNew, type Store } from '@order-automation/store';
import type { AppliedStep, OrderDocument } from './order-document';
import type { Orders } from './orders';

/** Steps that an order document holds before the older half is moved out of it. */
export const maxApplied = 50;

/** Steps that the orders' own documents no longer have room for. */
export async function openAppliedCommands(store: Store) {
  const documents = await store.collection<AppliedStep & { readonly _id: string }>('applied_commands');
  const idOf = (orderId: number, key: string): string => `${orderId}:${key}`;
  return {
    /** By key; keys of different orders differ. */
    find: async (steps: readonly { order_id: number; key: string }[]): Promise<Map<string, AppliedStep>> => {
      const ids = steps.map(({ order_id, key }) => idOf(order_id, key));
      const found = ids.length === 0 ? [] : await documents.find({ _id: { $in: ids } }).toArray();
      return new Map(found.map(({ _id, ...applied }) => [applied.key, applied]));
    },
    /** Copies the older half of long lists first, and removes from the order only what is copied: a key is never nowhere. */
    archive: async (crowded: readonly OrderDocument[], orders: Orders): Promise<void> => {
      if (crowded.length === 0) return;
      const older = new Map(crowded.map(({ _id, applied }) => [_id, applied.slice(0, maxApplied / 2)]));
      await insertNew(
        documents,
        [...older].flatMap(([id, applied]) => applied.map((one) => ({ _id: idOf(id, one.key), ...one }))),
      );
      await orders.edit([...older.keys()], (document) => {
        const copied = new Set(older.get(document._id)?.map(({ key }) => key));
        const applied = document.applied.filter(({ key }) => !copied.has(key));
        const moved = document.applied.length - applied.length;
        return moved === 0 ? document : { ...document, applied, archived: document.archived + moved };
      });
    },
  };
}
