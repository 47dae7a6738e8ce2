import { insertNew, type Store } from '@order-automation/store';
import type { Product } from './products';

export type TermDocument = {
  readonly _id: number;
  readonly taxonomy: 'product_cat' | 'product_tag';
  readonly name: string;
  readonly slug: string;
};

/** Terms of one taxonomy that a search looks through. */
const mostTerms = 10_000;

export type Terms = Awaited<ReturnType<typeof openTerms>>;

/** Categories and tags of products. */
export async function openTerms(store: Store) {
  const documents = await store.collection<TermDocument>('terms', [{ name: 'taxonomy', key: { taxonomy: 1, _id: 1 } }]);
  return {
    documents,
    ofTaxonomy: (taxonomy: TermDocument['taxonomy']) =>
      documents.find({ taxonomy }).sort({ _id: 1 }).limit(mostTerms).toArray(),
    /** Terms that exist keep their name. */
    insertNew: async (terms: readonly TermDocument[]): Promise<void> => {
      await insertNew(documents, terms);
    },
  };
}

/** The terms that products carry, each once. */
export function termsOf(products: readonly Product[]): TermDocument[] {
  const terms = new Map<number, TermDocument>();
  for (const { categories, tags } of products) {
    for (const { id, name, slug } of categories) terms.set(id, { _id: id, taxonomy: 'product_cat', name, slug });
    for (const { id, name, slug } of tags) terms.set(id, { _id: id, taxonomy: 'product_tag', name, slug });
  }
  return [...terms.values()];
}
