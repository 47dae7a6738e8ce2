import { inSequence } from '@order-automation/service';
import type { StockItem } from './order-document';
import type { Product, ProductDocument, Products } from './products';
import type { ReductionDocument, StockLedger } from './stock-ledger';

export type StockReducer = ReturnType<typeof stockReducer>;

type Part = { readonly product_id: number; readonly quantity: number };
type Numbered = Pick<ReductionDocument, 'number' | 'quantity'>;

/**
 * Takes the items of an order from the stock of products, or puts them back, once for each product and move of the order, however often and from
 * wherever it is asked. `move` counts the times that they were put back before.
 */
export function stockReducer(ledger: StockLedger, products: Products) {
  const inTurn = inSequence();

  const moveOne = async (move: string, orderId: number, { product_id, quantity }: Part): Promise<void> => {
    for (;;) {
      const [document] = await products.byIds([product_id]);
      if (!document) return;
      const next = { product_id, order_id: orderId, number: document.reductions + 1, quantity };
      const isAdded = await ledger.add(next, move);
      if (isAdded && (await applyTo(document, next))) return;
      const own = await ledger.of(product_id, move);
      if (own && own.number <= document.reductions) return;
      if (!isAdded) await applyNext(document);
    }
  };

  /** False where somebody else was first, or has changed how the product's stock is managed. */
  const applyTo = ({ _id, product }: ProductDocument, { number, quantity }: Numbered): Promise<boolean> =>
    products.reduce(_id, number, isManaged(product) ? quantity : null);

  /** The next move in the ledger, whichever order it belongs to: a process that died may have left it to us. */
  const applyNext = async (document: ProductDocument): Promise<void> => {
    const next = await ledger.numbered(document._id, document.reductions + 1);
    if (next) await applyTo(document, next);
  };

  const apply = async (move: string, orderId: number, parts: readonly Part[]): Promise<void> => {
    await Promise.all(parts.map((part) => inTurn([part.product_id], () => moveOne(move, orderId, part))));
    await products.noteStockStatus(parts.map(({ product_id }) => product_id));
  };

  const partsOf = async (items: readonly StockItem[]): Promise<Part[]> => {
    const known = await products.byIds([...new Set(items.flatMap(candidatesOf))]);
    return partsOfItems(items, new Map(known.map(({ _id, product }) => [_id, product])));
  };

  const putBack = (orderId: number, move: number, parts: readonly Part[]): Promise<void> => {
    const negative = parts.map((part) => ({ ...part, quantity: -part.quantity }));
    return apply(`${moveName(orderId, move)}:back`, orderId, negative);
  };

  return {
    reduce: async (orderId: number, items: readonly StockItem[], move = 0): Promise<void> =>
      apply(moveName(orderId, move), orderId, await partsOf(items)),
    /** To the products from which the ledger says that they were taken. */
    restore: async (orderId: number, items: readonly StockItem[], move = 0): Promise<void> => {
      const ids = [...new Set(items.flatMap(candidatesOf))];
      const rows = await Promise.all(ids.map((id) => ledger.of(id, moveName(orderId, move))));
      const taken = rows.filter((row) => row !== null);
      await putBack(orderId, move, taken);
    },
    /** What another shop has taken: to where it would be taken from. */
    add: async (orderId: number, items: readonly StockItem[], move = 0): Promise<void> =>
      putBack(orderId, move, await partsOf(items)),
  };
}

/** The first move of an order has its id for a name. */
const moveName = (orderId: number, move: number): string => (move === 0 ? String(orderId) : `${orderId}:${move}`);

const isManaged = ({ manage_stock, stock_quantity }: Product): boolean =>
  manage_stock === true && stock_quantity !== null;

const candidatesOf = ({ product_id, variation_id }: StockItem): number[] =>
  variation_id === undefined ? [product_id] : [variation_id, product_id];

/** A variation has its own stock, or that of its product. */
function stockOf({ product_id, variation_id }: StockItem, products: ReadonlyMap<number, Product>): number {
  const variation = variation_id === undefined ? undefined : products.get(variation_id);
  return variation && isManaged(variation) ? variation.id : product_id;
}

/** What is taken from each stock: several lines may share one. */
function partsOfItems(items: readonly StockItem[], products: ReadonlyMap<number, Product>): Part[] {
  const parts = new Map<number, number>();
  for (const item of items) {
    const id = stockOf(item, products);
    parts.set(id, Number(((parts.get(id) ?? 0) + item.quantity).toFixed(6)));
  }
  return [...parts].map(([product_id, quantity]) => ({ product_id, quantity }));
}
