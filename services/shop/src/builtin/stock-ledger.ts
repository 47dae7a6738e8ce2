import { type IndexDescription, insertNew, type Store } from '@order-automation/store';

/**
 * One reduction of a product's stock by an order; what an order puts back is a negative one. The `_id` makes it happen once; the reductions of a product are numbered from 1
 * without gaps, and the product says which number it has reached.
 */
export type ReductionDocument = {
  readonly _id: string;
  readonly product_id: number;
  readonly order_id: number;
  readonly number: number;
  readonly quantity: number;
};

const reductionIndexes: readonly IndexDescription[] = [
  { name: 'product_number', key: { product_id: 1, number: 1 }, unique: true },
];

const idOf = (productId: number, move: string): string => `${productId}:${move}`;

export type StockLedger = Awaited<ReturnType<typeof openStockLedger>>;

export async function openStockLedger(store: Store) {
  const documents = await store.collection<ReductionDocument>('stock_reductions', reductionIndexes);
  return {
    documents,
    /** `move` names what an order does to stocks once. */
    of: (productId: number, move: string) => documents.findOne({ _id: idOf(productId, move) }),
    numbered: (product_id: number, number: number) => documents.findOne({ product_id, number }),
    /** False where the order has one of the product, or the number is taken: then somebody else was first. */
    add: async (reduction: Omit<ReductionDocument, '_id'>, move: string): Promise<boolean> =>
      (await insertNew(documents, [{ _id: idOf(reduction.product_id, move), ...reduction }])).length === 0,
    /** How many reductions each of these products has had; those that had none are missing. */
    lastNumbers: async (productIds: readonly number[]): Promise<ReadonlyMap<number, number>> => {
      const numbers = new Map<number, number>();
      if (productIds.length === 0) return numbers;
      for (const { product_id } of await documents
        .find({ product_id: { $in: [...productIds] }, number: 1 })
        .toArray()) {
        const last = await documents.findOne({ product_id }, { sort: { number: -1 } });
        if (last) numbers.set(product_id, last.number);
      }
      return numbers;
    },
  };
}
