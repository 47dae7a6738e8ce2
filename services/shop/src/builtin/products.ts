import type { ProductFacts } from '@order-automation/contracts';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import { z } from 'zod';
import type { StockItem } from './orders';

const termSchema = z.looseObject({
  id: z.int().positive(),
  name: z.string().max(500),
  slug: z.string().max(500).default(''),
});
const text = z.string().max(100_000);

/** A product in the field names of the WooCommerce REST v3 product object; fields we do not use are kept. */
export const productSchema = z.looseObject({
  id: z.int().positive(),
  name: z.string().min(1).max(1000),
  slug: z.string().max(500).default(''),
  type: z.string().min(1).max(50).default('simple'),
  status: z.string().max(50).default('publish'),
  sku: z.string().max(200).default(''),
  price: text.default(''),
  regular_price: text.default(''),
  virtual: z.boolean().default(false),
  manage_stock: z.boolean().default(false),
  stock_quantity: z.int().nullable().default(null),
  stock_status: z.string().max(50).default('instock'),
  backorders: z.string().max(50).default('no'),
  categories: z.array(termSchema).max(200).default([]),
  tags: z.array(termSchema).max(200).default([]),
});
export type Product = z.infer<typeof productSchema>;

export type ProductDocument = {
  readonly _id: number;
  readonly product: Product;
  /** Orders whose items were taken off the stock, the latest ones: an order that comes again is not taken off twice. */
  readonly stock_orders: readonly number[];
};

export const productIndexes: readonly IndexDescription[] = [];

/** More orders than can be under way at once. */
const rememberedOrders = 500;

export type Products = Awaited<ReturnType<typeof openProducts>>;

export const productQueries = { byIds: (ids: readonly number[]) => ({ _id: { $in: ids } }) };

export async function openProducts(store: Store) {
  const documents = await store.collection<ProductDocument>('products', productIndexes);
  return {
    documents,
    byIds: (ids: readonly number[]) => documents.find(productQueries.byIds(ids)).toArray(),
    isEmpty: async () =>
      (
        await documents
          .find({}, { projection: { _id: 1 } })
          .limit(1)
          .toArray()
      ).length === 0,
    /** Those that exist are left as they are. */
    insertNew: (products: readonly Product[]) => insertNew(documents, products.map(asDocument)),
    /** Creates or replaces. */
    put: async (products: readonly Product[]): Promise<void> => {
      if (products.length === 0) return;
      await insertNew(documents, products.map(asDocument));
      await documents.bulkWrite(
        products.map((product) => ({ updateOne: { filter: { _id: product.id }, update: { $set: { product } } } })),
        { ordered: false },
      );
    },
    /** Takes the items of an order off the stock of those products that manage theirs, once an order. */
    takeOff: async (orderId: number, items: readonly StockItem[]): Promise<void> => {
      await documents.bulkWrite(
        items.map(({ product_id, quantity }) => ({
          updateOne: {
            filter: {
              _id: product_id,
              'product.manage_stock': true,
              'product.stock_quantity': { $exists: true, $ne: null },
              stock_orders: { $ne: orderId },
            },
            update: {
              $inc: { 'product.stock_quantity': -quantity },
              $push: { stock_orders: { $each: [orderId], $slice: -rememberedOrders } },
            },
          },
        })),
        { ordered: false },
      );
      await documents.updateMany(
        {
          _id: { $in: items.map(({ product_id }) => product_id) },
          'product.manage_stock': true,
          'product.stock_quantity': { $lte: 0 },
          'product.backorders': 'no',
        },
        { $set: { 'product.stock_status': 'outofstock' } },
      );
    },
  };
}

function asDocument(product: Product): ProductDocument {
  return { _id: product.id, product, stock_orders: [] };
}

/** What conditions need to know of a product. */
export function factsOf(product: Product): ProductFacts {
  return {
    id: product.id,
    name: product.name,
    type: product.type,
    category_ids: product.categories.map(({ id }) => id),
    tag_ids: product.tags.map(({ id }) => id),
  };
}
