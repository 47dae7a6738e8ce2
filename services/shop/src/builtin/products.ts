import type { ProductFacts } from '@order-automation/contracts';
import { type Filter, type Index, insertNew, type Store, withBeginnings, wordsOf } from '@order-automation/store';
import { z } from 'zod';

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
  downloadable: z.boolean().default(false),
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
  /** What a search finds it by: words of its name, SKU and slug with their beginnings, its id, and `term:11` for its terms. */
  readonly words: readonly string[];
  /** Number of the last stock reduction that `product` reflects (stock.ts). */
  readonly reductions: number;
};

export const productIndexes: readonly Index[] = [{ words: 'words', name: 'words' }];

/** No search can be for it: words are letters and digits. */
const termWord = (id: number): string => `term:${id}`;

export function productWords({ id, name, sku, slug, categories, tags }: Product): string[] {
  const terms = [...categories, ...tags].map((term) => termWord(term.id));
  return [...new Set([...withBeginnings(wordsOf(`${name} ${sku} ${slug}`), 1), String(id), ...terms])];
}

export type Products = Awaited<ReturnType<typeof openProducts>>;

export const productQueries = {
  byIds: (ids: readonly number[]) => ({ _id: { $in: ids } }),
  withWords: (words: readonly string[]): Filter<ProductDocument> =>
    words.length === 0 ? {} : { words: { $all: words } },
};

export async function openProducts(store: Store) {
  const documents = await store.collection<ProductDocument>('products', productIndexes);
  return {
    documents,
    byIds: (ids: readonly number[]) => documents.find(productQueries.byIds(ids)).toArray(),
    /** All of them where there are no words, by id. */
    search: (words: readonly string[], limit: number) =>
      documents.find(productQueries.withWords(words)).sort({ _id: 1 }).limit(limit).toArray(),
    countOfTerm: (id: number) => documents.countDocuments(productQueries.withWords([termWord(id)])),
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
        products.map((product) => ({
          updateOne: { filter: { _id: product.id }, update: { $set: { product, words: productWords(product) } } },
        })),
        { ordered: false },
      );
    },
    /**
     * Applies the reduction of that number, unless it is applied already or the stock is managed otherwise than `quantity` assumes:
     * null is for products whose stock is not managed.
     */
    reduce: async (id: number, number: number, quantity: number | null): Promise<void> => {
      const before = { _id: id, reductions: number - 1 };
      const applied = { $set: { reductions: number } };
      if (quantity === null) await documents.updateOne(before, applied);
      else
        await documents.updateOne(
          { ...before, 'product.manage_stock': true, 'product.stock_quantity': { $exists: true, $ne: null } },
          { ...applied, $inc: { 'product.stock_quantity': -quantity } },
        );
    },
    noteOutOfStock: async (ids: readonly number[]): Promise<void> => {
      await documents.updateMany(
        {
          _id: { $in: ids },
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
  return { _id: product.id, product, words: productWords(product), reductions: 0 };
}

/** What conditions need to know of a product. */
export function factsOf(product: Product): ProductFacts {
  return {
    id: product.id,
    name: product.name,
    type: product.type,
    category_ids: product.categories.map(({ id }) => id),
    tag_ids: product.tags.map(({ id }) => id),
    virtual: product.virtual,
    downloadable: product.downloadable,
  };
}
