import { insertNew, type Store } from '@order-automation/store';

type FacetDocument = { readonly _id: string };

/** The facets that entries have, each stored before the first entry that has it: filters by status, type and source walk these. */
export async function openFacets(store: Store) {
  const documents = await store.collection<FacetDocument>('facets');
  const stored = new Set<string>();
  const load = async (): Promise<void> => {
    for (const { _id } of await documents.find({}).toArray()) stored.add(_id);
  };
  return {
    /** Resolves when these are stored. */
    ensure: async (facets: Iterable<string>): Promise<void> => {
      const missing = new Set<string>();
      for (const facet of facets) if (!stored.has(facet)) missing.add(facet);
      if (missing.size === 0) return;
      await insertNew(
        documents,
        [...missing].map((_id) => ({ _id })),
      );
      for (const facet of missing) stored.add(facet);
    },
    /** All that are stored by now. */
    all: async (): Promise<readonly string[]> => {
      await load();
      return [...stored];
    },
  };
}
