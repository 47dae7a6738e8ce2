import { derivedId, type NewAuditEntry } from '@order-automation/contracts';
import { insertNew, type Store } from '@order-automation/store';
import { facetOf } from './facets';

/** What lists filter by, of one entry of a bundle: its facet, and whether the order and the rule of the bundle are its own. */
export type Part = { readonly facet: string; readonly order: boolean; readonly rule: boolean };

/** What bundles have in common that look alike to lists, whatever their order, rule and process. */
export type Outline = { readonly _id: string; readonly parts: readonly Part[] };

/**
 * So many outlines that more than one entry has. A filter by status, type or source walks each outline that has such an entry; entries that would need
 * one more are stored one by one, and of those there are only so many outlines as there are kinds of entries.
 */
export const mostOutlines = 128;

/** A step on the way to an outline: by facet, for each of the four ways to be about an order and a rule. */
type Node = { readonly next: readonly Map<string, Node>[]; outline?: Outline };
const newNode = (): Node => ({ next: [new Map(), new Map(), new Map(), new Map()] });
const way = (node: Node, order: boolean, rule: boolean): Map<string, Node> =>
  node.next[(order ? 1 : 0) + (rule ? 2 : 0)] as Map<string, Node>;

export type Outlines = Awaited<ReturnType<typeof openOutlines>>;

type Given = Pick<NewAuditEntry, 'source' | 'status' | 'event_type' | 'is_test' | 'is_debug' | 'order_id' | 'rule_id'>;

const partOf = (entry: Given): Part => ({
  facet: facetOf(entry),
  order: entry.order_id !== null,
  rule: entry.rule_id !== null,
});

/** The outlines that bundles have, each stored before the first bundle that has it. */
export async function openOutlines(store: Store) {
  const documents = await store.collection<Outline>('outlines');
  const known = new Map<string, Outline>();
  const stored = new Set<string>();
  const root = newNode();
  let shared = 0;

  const learn = (outline: Outline): Outline => {
    const before = known.get(outline._id);
    if (before) return before;
    known.set(outline._id, outline);
    if (outline.parts.length > 1) shared += 1;
    let node = root;
    for (const { facet, order, rule } of outline.parts) {
      const next = way(node, order, rule);
      const after = next.get(facet) ?? newNode();
      next.set(facet, after);
      node = after;
    }
    node.outline = outline;
    return outline;
  };

  const load = async (): Promise<void> => {
    for (const outline of await documents.find({}).toArray()) {
      learn(outline);
      stored.add(outline._id);
    }
  };
  await load();

  return {
    documents,
    /** The outline of a bundle of these entries; undefined when there are too many already. */
    of: (entries: readonly Given[]): Outline | undefined => {
      let node: Node | undefined = root;
      for (const entry of entries)
        node = node && way(node, entry.order_id !== null, entry.rule_id !== null).get(facetOf(entry));
      if (node?.outline) return node.outline;
      if (entries.length > 1 && shared >= mostOutlines) return undefined;
      const parts = entries.map(partOf);
      return learn({ _id: derivedId(JSON.stringify(parts)).slice(0, 16), parts });
    },
    /** Resolves when the outlines of these ids are stored. */
    ensure: async (ids: Iterable<string>): Promise<void> => {
      const missing = new Set<Outline>();
      for (const id of ids) {
        const outline = stored.has(id) ? undefined : known.get(id);
        if (outline) missing.add(outline);
      }
      await insertNew(documents, [...missing]);
      for (const { _id } of missing) stored.add(_id);
    },
    /** All that are stored by now. */
    all: async (): Promise<Outline[]> => {
      await load();
      return [...stored].flatMap((id) => known.get(id) ?? []);
    },
    /** The outlines of bundles that were read. */
    resolve: async (ids: readonly string[]): Promise<ReadonlyMap<string, Outline>> => {
      if (!ids.every((id) => known.has(id))) await load();
      return known;
    },
  };
}
