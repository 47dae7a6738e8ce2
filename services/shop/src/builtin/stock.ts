import { turns } from '../orders/turns';
import type { StockItem } from './orders';
import type { ProductDocument, Products } from './products';
import type { StockLedger } from './stock-ledger';

/** Reduces the stock of products, once for each product and order, however often and from wherever it is asked. */
export type Stockroom = { reduce(orderId: number, items: readonly StockItem[]): Promise<void> };

export function stockroom(ledger: StockLedger, products: Products): Stockroom {
  const inTurn = turns();

  const reduceOne = async (orderId: number, { product_id, quantity }: StockItem): Promise<void> => {
    for (;;) {
      const [document] = await products.byIds([product_id]);
      if (!document) return;
      const own = await ledger.of(product_id, orderId);
      if (own && own.number <= document.reductions) return;
      if (!own) {
        await ledger.add({ product_id, order_id: orderId, number: document.reductions + 1, quantity });
      }
      await applyNext(document);
    }
  };

  /** The next reduction in the ledger, whichever order it belongs to: a process that died may have left it to us. */
  const applyNext = async ({ _id, reductions, product }: ProductDocument): Promise<void> => {
    const next = await ledger.numbered(_id, reductions + 1);
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
