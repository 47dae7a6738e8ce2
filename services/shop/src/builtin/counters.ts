import { insertNew, type Store, takeNumbers } from '@order-automation/store';

/** Ids of notes are taken from the counter in blocks of so many. */
const noteBlock = 256;

/** Made at start, so that no two instances race to create one. */
export async function openCounters(store: Store) {
  const documents = await store.collection<{ readonly _id: string; readonly value: number }>('counters');
  const counted = ['order_notes', 'products', 'refunds'];
  await insertNew(
    documents,
    counted.map((_id) => ({ _id, value: 0 })),
  );
  let next = 1;
  let last = 0;
  let refill: Promise<void> | undefined;

  const takeBlock = async (count: number): Promise<void> => {
    const size = Math.max(noteBlock, count);
    next = await takeNumbers(documents, 'order_notes', size);
    last = next + size - 1;
  };

  return {
    /** The first of `count` note ids in a row. Ids that are not used are lost. */
    noteIds: async (count: number): Promise<number> => {
      while (last - next + 1 < count) {
        refill ??= takeBlock(count).finally(() => {
          refill = undefined;
        });
        await refill;
      }
      next += count;
      return next - count;
    },
    /** One that is not used is lost. */
    refundId: (): Promise<number> => takeNumbers(documents, 'refunds', 1),
    /** Grows with every write to a product: a cache of facts about products compares it. */
    productsRevision: async (): Promise<number> => (await documents.findOne({ _id: 'products' }))?.value ?? 0,
    productsChanged: async (): Promise<void> => {
      await documents.updateOne({ _id: 'products' }, { $inc: { value: 1 } });
    },
    isMarked: async (mark: string): Promise<boolean> => (await documents.findOne({ _id: mark })) !== null,
    mark: (mark: string) => insertNew(documents, [{ _id: mark, value: 1 }]),
  };
}
