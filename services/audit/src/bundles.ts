import type { NewAuditEntry } from '@order-automation/contracts';
import {
  duplicateKeyIndexes,
  type Filter,
  type IndexDescription,
  insertNew,
  type Store,
} from '@order-automation/store';
import { type BundleDocument, bundleOf, entriesOf, fitting } from './bundling';
import { listing } from './listing';
import type { LoggedEntry } from './logged-entry';
import type { ClosedRange } from './newest';
import { type Outline, openOutlines } from './outlines';
import { processesIn } from './processes';
import { openRuleLists } from './rule-lists';
import { bundleQueries, type Selection, selectionOf } from './selection';

/** Ids grow in the order of recording, so that every list is a walk along `_id` behind the value it filters by; but for those of a process. */
export const bundleIndexes: readonly IndexDescription[] = [
  // Of a process there are few bundles: they are sorted when they are found.
  { name: 'process', key: { process_id: 1, n: 1 }, unique: true },
  // Nearly every bundle is about an order, half of them are about no rule.
  { name: 'order', key: { order_id: 1, _id: -1 } },
  { name: 'rule', key: { rule_id: 1, _id: -1 }, partialFilterExpression: { rule_id: { $exists: true } } },
  { name: 'outline', key: { outline: 1, _id: -1 } },
  // Processes, by their first bundles.
  { name: 'timeline', key: { visibility: 1, started_at: -1, _id: -1 } },
];

/** A bundle, as it is or is to be stored, with its outline. */
export type Bundle = { readonly document: BundleDocument; readonly outline: Outline };

export type Bundles = Awaited<ReturnType<typeof openBundles>>;

/** Every query of the bundles, by name. */
export async function openBundles(store: Store) {
  const documents = await store.collection<BundleDocument>('bundles', bundleIndexes);
  const outlines = await openOutlines(store);
  const lists = await openRuleLists(store);

  const withOutlines = async (found: readonly BundleDocument[]): Promise<Bundle[]> => {
    const known = await outlines.resolve(found.map(({ outline }) => outline));
    return found.map((document) => {
      const outline = known.get(document.outline);
      if (!outline) throw new Error(`bundle ${document._id} has an outline that is not stored`);
      return { document, outline };
    });
  };
  const find = (filter: Filter<BundleDocument>): Promise<Bundle[]> =>
    documents.find(filter).toArray().then(withOutlines);
  const entriesIn = (bundles: readonly Bundle[]): Promise<LoggedEntry[]> =>
    lists.expand(bundles.flatMap(({ document, outline }) => entriesOf(document, outline)));

  return {
    documents,
    processes: processesIn(documents, withOutlines),
    /** The bundle of as many of these entries as one can hold, from the one at `from` on; masked, with known lists of rules named. */
    draft: (offered: readonly { readonly entry: NewAuditEntry }[], from: number, id: number, n: number): Bundle => {
      const fit = offered.slice(from, from + fitting(offered, from)).map(({ entry }) => entry);
      const shared = outlines.of(fit);
      const entries = shared ? fit : fit.slice(0, 1);
      const outline = shared ?? (outlines.of(entries) as Outline);
      return { document: bundleOf(entries, { id, n, outline: outline._id }, lists.shorten), outline };
    },
    /** To be awaited before `insertNew`: stores the outlines and the lists of rules that no bundle had before. */
    prepare: async (bundles: readonly Bundle[]): Promise<void> => {
      await outlines.ensure(bundles.map(({ outline }) => outline._id));
      await lists.ensure();
    },
    /** Resolves with the positions of those whose place in their process was taken. */
    insertNew: (bundles: readonly Bundle[]) =>
      insertNew(
        documents,
        bundles.map(({ document }) => document),
      ),
    /** One after the other until a place is taken. Resolves with how many were inserted. */
    insertInOrder: async (bundles: readonly Bundle[]): Promise<number> => {
      const rows = bundles.map(({ document }) => document);
      try {
        await documents.insertMany(rows, { ordered: true });
        return rows.length;
      } catch (error) {
        const [taken] = duplicateKeyIndexes(error) ?? [];
        if (taken === undefined) throw error;
        return taken;
      }
    },
    byIds: async (ids: readonly number[]) => entriesIn(await find(bundleQueries.byIds(ids))),
    uidsOfProcesses: (ids: readonly string[]) =>
      documents
        .find(bundleQueries.ofProcesses(ids), { projection: { process_id: 1, n: 1, 'entries.uid': 1 } })
        .toArray(),
    entriesOfProcesses: async (ids: readonly string[]) => entriesIn(await find(bundleQueries.ofProcesses(ids))),
    /** What cells count, of bundles with ids in a range, the lowest first. */
    countableIn: async ({ from, below }: ClosedRange, limit: number) => {
      const filter = { _id: { $gte: from, $lt: below } };
      const found = await documents
        .find(filter, { projection: { _id: 1, outline: 1, rule_id: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      return withOutlines(found);
    },
    /** What filters mean now: entries of a kind that nobody had before are not in it. */
    select: async (filters: Selection['filters']): Promise<Selection> => selectionOf(filters, await outlines.all()),
    ...listing(documents, { withOutlines, entriesIn }),
  };
}
