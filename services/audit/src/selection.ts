import type { AuditFilters } from '@order-automation/contracts';
import type { Filter } from '@order-automation/store';
import type { BundleDocument } from './bundling';
import { isShown } from './facets';
import { hasReference, references } from './logged-entry';
import type { IdRange } from './newest';
import type { Outline } from './outlines';

/** Filters, and what they let through of the bundles that exist. */
export type Selection = {
  readonly filters: AuditFilters;
  /** The outlines of which something is let through, by how many entries of a bundle that is. */
  readonly outlines: ReadonlyMap<number, readonly string[]>;
  /** Whether that is all outlines that such a bundle can have. */
  readonly every: boolean;
};

/**
 * How many entries of a bundle with this outline the filters let through, where order, rule and process of the bundle are those asked for;
 * undefined when it cannot be such a bundle.
 */
function shownIn({ parts }: Outline, { order_id, rule_id, ...filters }: AuditFilters): number | undefined {
  if (order_id !== undefined && !parts.some(({ order }) => order)) return undefined;
  if (rule_id !== undefined && !parts.some(({ rule }) => rule)) return undefined;
  const shown = parts.filter(
    ({ facet, order, rule }) =>
      (order_id === undefined || order) && (rule_id === undefined || rule) && isShown(facet, filters),
  );
  return shown.length;
}

export function selectionOf(filters: AuditFilters, existing: readonly Outline[]): Selection {
  const outlines = new Map<number, string[]>();
  let every = true;
  for (const outline of existing) {
    const shown = shownIn(outline, filters);
    if (shown === undefined) continue;
    if (shown === 0) every = false;
    else outlines.set(shown, [...(outlines.get(shown) ?? []), outline._id]);
  }
  return { filters, outlines, every };
}

/** Entries that every bundle of the selection has at least. */
export const fewest = ({ outlines }: Selection): number => Math.min(...outlines.keys());

type Wanted = Filter<BundleDocument>;

/**
 * Only the most selective value is an equality, the others are ranges of one value: a planner without statistics then walks the right
 * index, and in the order of ids.
 */
function referencesOf(filters: AuditFilters): Wanted {
  const given = references.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  const conditions = given.map(([name, value], index) => [
    name,
    index === 0 ? { $eq: value } : { $gte: value, $lte: value },
  ]);
  return Object.fromEntries(conditions) as Wanted;
}

function idsIn({ from, below }: IdRange): Wanted {
  if (from === undefined && below === undefined) return {};
  return { _id: { ...(from === undefined ? {} : { $gte: from }), ...(below === undefined ? {} : { $lt: below }) } };
}

const hasOne = (outlines: readonly string[]): Wanted => ({ outline: { $in: outlines } });

export const bundleQueries = {
  byIds: (ids: readonly number[]): Wanted => ({ _id: { $in: ids } }),
  ofProcesses: (processIds: readonly string[]): Wanted => ({ process_id: { $in: processIds } }),
  within: (range: IdRange, filter: Wanted): Wanted => ({ ...idsIn(range), ...filter }),
  /** What is to be counted, and what each counts for. Counted in an index alone, unless there is a reference. */
  counted: ({ filters, outlines, every }: Selection, range: IdRange): (readonly [times: number, filter: Wanted])[] => {
    const all = every && outlines.size === 1 && hasReference(filters);
    return [...outlines].map(([times, ids]) => [
      times,
      { ...idsIn(range), ...referencesOf(filters), ...(all ? {} : hasOne(ids)) },
    ]);
  },
  /** The walks that together find what is selected, each in the order of ids. */
  walks: ({ filters, outlines, every }: Selection): Wanted[] => {
    const ids = [...outlines.values()].flat();
    if (ids.length === 0) return [];
    if (hasReference(filters)) return [{ ...referencesOf(filters), ...(every ? {} : hasOne(ids)) }];
    return every ? [{}] : ids.map((outline) => ({ outline: { $eq: outline } }));
  },
};
