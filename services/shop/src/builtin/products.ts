import type { ProductFacts } from '@order-automation/contracts';
import { type Filter, type Index, insertNew, type Store } from '@order-automation/store';
import { z } from 'zod';
import { categoriesAbove } from '../categories-above';
import { shownNames, storedNames } from './field-names';
import { type Searchable, searchable, startingWith, wordIndex } from './search-index';
import type { StockLedger } from './stock-ledger';

const termSchema = z.looseObject({
  id: z.int().positive(),
  name: z.string('is required for a term that the shop does not have').max(500),
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
  /** `parent`: a variation whose stock is that of its product. */
  manage_stock: z.union([z.boolean(), z.literal('parent')]).default(false),
  stock_quantity: z.number().nullable().default(null),
  stock_status: z.string().max(50).default('instock'),
  backorders: z.string().max(50).default('no'),
  /** The product that a variation belongs to, 0 for every other. */
  parent_id: z.int().min(0).default(0),
  variations: z.array(z.int().positive()).max(1000).default([]),
  categories: z.array(termSchema).max(200).default([]),
  tags: z.array(termSchema).max(200).default([]),
});
export type Product = z.infer<typeof productSchema>;

export type ProductDocument = Searchable & {
  readonly _id: number;
  readonly product: Product;
  /** Grows with every write, and every write is guarded by the one it read. */
  readonly rev: number;
  /** Number of the last stock reduction that `product` reflects (stock-ledger.ts). */
  readonly reductions: number;
};

const productIndexes: readonly Index[] = [
  { name: 'name', key: { name: 1 } },
  { name: 'slug', key: { slug: 1 } },
  { name: 'sku', key: { sku: 1 } },
  wordIndex,
];

const termMark = (id: number): string => `term:${id}`;

/** Words of name, SKU, slug and id, and a mark for each term. */
function searchableProduct({ id, name, sku, slug, categories, tags }: Product): Searchable {
  const marks = [...categories, ...tags].map((term) => termMark(term.id));
  return searchable({ name, slug, sku, other: '' }, [String(id), ...marks]);
}

export type Edited = { readonly product: Product; readonly created: boolean };

export type Products = Awaited<ReturnType<typeof openProducts>>;

const withWords = (words: readonly string[]): Filter<ProductDocument> =>
  words.length === 0 ? {} : { words: { $all: words } };

const maxTries = 200;

export async function openProducts(store: Store, ledger: StockLedger) {
  const documents = await store.collection<ProductDocument>('products', productIndexes);
  const byIds = async (ids: readonly number[]) =>
    (await documents.find({ _id: { $in: ids } }).toArray()).map(shownDocument);

  /** Resolves with the positions of those that exist already, which are left as they are. */
  const insertMissing = async (products: readonly Product[]): Promise<readonly number[]> => {
    // A product that is there again reflects what was taken from it before: its stock is what the shop says now.
    const reductions = await ledger.lastNumbers(products.map(({ id }) => id));
    const added = products.map((product) => asDocument(product, reductions.get(product.id) ?? 0));
    return insertNew(documents, added);
  };
  const edit = async (
    ids: readonly number[],
    decide: (id: number, before: Product | undefined) => Product,
  ): Promise<Map<number, Edited>> => {
    const done = new Map<number, Edited>();
    let open = [...new Set(ids)];
    for (let tries = 0; open.length > 0; tries += 1) {
      if (tries === maxTries) throw new Error(`products ${open.join(', ')} changed ${maxTries} times under an edit`);
      const known = new Map((await byIds(open)).map((document) => [document._id, document]));
      const added = open.filter((id) => !known.has(id)).map((id) => decide(id, undefined));
      const raced = new Set(await insertMissing(added));
      for (const [index, product] of added.entries())
        if (!raced.has(index)) done.set(product.id, { product, created: true });
      const replace = async (before: ProductDocument): Promise<void> => {
        const product = decide(before._id, before.product);
        const $set = { product: storedNames(product), ...searchableProduct(product), rev: before.rev + 1 };
        const { matchedCount } = await documents.updateOne({ _id: before._id, rev: before.rev }, { $set });
        if (matchedCount === 1) done.set(before._id, { product, created: false });
      };
      await Promise.all([...known.values()].map(replace));
      open = open.filter((id) => !done.has(id));
    }
    return done;
  };
  return {
    documents,
    byIds,
    /** All of them where there are no words, by id. */
    search: async (words: readonly string[], skip: number, limit: number) =>
      (await documents.find(withWords(words), { sort: { _id: 1 }, skip, limit }).toArray()).map(shownDocument),
    count: (words: readonly string[]) => documents.countDocuments(withWords(words)),
    /** By name, SKU or slug, each at most `limit`. */
    beginning: async (text: string, limit: number): Promise<ProductDocument[]> => {
      const found = (['name', 'sku', 'slug'] as const).map((field) =>
        documents.find({ [field]: startingWith(text) }, { sort: { [field]: 1 as const }, limit }).toArray(),
      );
      return (await Promise.all(found)).flat().map(shownDocument);
    },
    remove: async (id: number): Promise<boolean> => (await documents.deleteMany({ _id: id })).deletedCount === 1,
    countOfTerm: (id: number) => documents.countDocuments(withWords([termMark(id)])),
    isEmpty: async () => (await documents.findOne({})) === null,
    /** Those that exist are left as they are. */
    insertNew: insertMissing,
    /**
     * Compare and set: `decide` gets each product as it is now, if it is there, and answers what it shall be. It runs again for a product that
     * somebody else changed meanwhile, an order that reduced its stock included.
     */
    edit,
    /** Applies the reduction of that number. False when it is applied, or the stock is managed otherwise than `quantity` assumes (null: not managed). */
    reduce: async (id: number, number: number, quantity: number | null): Promise<boolean> => {
      const before = { _id: id, reductions: number - 1 };
      const managed = { 'product.manage_stock': true, 'product.stock_quantity': { $exists: true, $ne: null } };
      const { matchedCount } = await documents.updateOne(
        { ...before, ...(quantity !== null && managed) },
        {
          $set: { reductions: number },
          $inc: { rev: 1, ...(quantity !== null && { 'product.stock_quantity': -quantity }) },
        },
      );
      return matchedCount === 1;
    },
    /** Whether these can be bought follows from what is left of them. */
    noteStockStatus: async (ids: readonly number[]): Promise<void> => {
      const managed = { _id: { $in: ids }, 'product.manage_stock': true };
      const left = (status: string) => ({ $set: { 'product.stock_status': status }, $inc: { rev: 1 } });
      await documents.updateMany(
        {
          ...managed,
          'product.stock_quantity': { $lte: 0 },
          'product.backorders': 'no',
          'product.stock_status': { $ne: 'outofstock' },
        },
        left('outofstock'),
      );
      await documents.updateMany(
        { ...managed, 'product.stock_quantity': { $gt: 0 }, 'product.stock_status': 'outofstock' },
        left('instock'),
      );
    },
  };
}

function asDocument(product: Product, reductions: number): ProductDocument {
  return { _id: product.id, rev: 1, product: storedNames(product), reductions, ...searchableProduct(product) };
}

const shownDocument = (document: ProductDocument): ProductDocument => ({
  ...document,
  product: shownNames(document.product),
});

/** What conditions need to know of a product. A variation is in the categories of its parent and of its type. `parents` has the category above each. */
export function factsOf(
  { id, name, virtual, downloadable, ...own }: Product,
  parent: Product | undefined,
  parents: ReadonlyMap<number, number>,
): ProductFacts {
  const { type, categories, tags } = parent ?? own;
  const category_ids = categories.map((category) => category.id);
  const above = categoriesAbove(category_ids, parents);
  return {
    id,
    name,
    type,
    category_ids,
    tag_ids: tags.map((tag) => tag.id),
    ...(above.length > 0 ? { parent_category_ids: above } : {}),
    virtual,
    downloadable,
  };
}
