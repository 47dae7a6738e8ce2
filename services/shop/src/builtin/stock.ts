import { type IndexDescription, isDuplicateKey, type Store } from '@order-automation/store';
import type { StockItem } from './orders';
import type { ProductDocument, Products } from './products';

/**
 * One reduction of a product's stock by an order. The `_id` makes it happen once; the reductions of a product are numbered from 1
 * without gaps, and the product says which number it has reached.
 */
export type ReductionDocument = {
  readonly _id: string;
  readonly product_id: number;
  readonly order_id: number;
  readonly number: number;
  readonly quantity: number;
};

export const reductionIndexes: readonly IndexDescription[] = [
  { name: 'product_number', key: { product_id: 1, number: 1 }, unique: true },
];

export const reductionQueries = {
  of: (productId: number, orderId: number) => ({ _id: `${productId}:${orderId}` }),
  numbered: (productId: number, number: number) => ({ product_id: productId, number }),
};

/** Reduces the stock of products, once for each product and order, however often and from wherever it is asked. */
export type Stockroom = { reduce(orderId: number, items: readonly StockItem[]): Promise<void> };

export async function openStockroom(store: Store, products: Products): Promise<Stockroom> {
  const ledger = await store.collection<ReductionDocument>('stock_reductions', reductionIndexes);
  const inTurn = turns();

  const reduceOne = async (orderId: number, { product_id, quantity }: StockItem): Promise<void> => {
    for (;;) {
      const [document] = await products.byIds([product_id]);
      if (!document) return;
      const own = await ledger.findOne(reductionQueries.of(product_id, orderId));
      if (own && own.number <= document.reductions) return;
      if (!own) {
        const number = document.reductions + 1;
        const { _id } = reductionQueries.of(product_id, orderId);
        await ledger.insertOne({ _id, product_id, order_id: orderId, number, quantity }).catch(ignoreDuplicate);
      }
      await applyNext(document);
    }
  };

  /** The next reduction in the ledger, whichever order it belongs to: a process that died may have left it to us. */
  const applyNext = async ({ _id, reductions, product }: ProductDocument): Promise<void> => {
    const next = await ledger.findOne(reductionQueries.numbered(_id, reductions + 1));
    if (!next) return;
    const counted = product.manage_stock && product.stock_quantity !== null;
    await products.reduce(_id, next.number, counted ? next.quantity : null);
  };

  return {
    reduce: async (orderId, items) => {
      await Promise.all(items.map((item) => inTurn(item.product_id, () => reduceOne(orderId, item))));
      await products.noteOutOfStock(items.map(({ product_id }) => product_id));
    },
  };
}

function ignoreDuplicate(error: unknown): void {
  if (!isDuplicateKey(error)) throw error;
}

/** Runs tasks of one id one after the other, so that a popular product is not fought over within this process. */
export function turns() {
  const last = new Map<number, Promise<unknown>>();
  return <Result>(id: number, task: () => Promise<Result>): Promise<Result> => {
    const turn = (last.get(id) ?? Promise.resolve()).catch(() => undefined).then(task);
    last.set(id, turn);
    const forget = (): void => {
      if (last.get(id) === turn) last.delete(id);
    };
    turn.then(forget, forget);
    return turn;
  };
}
