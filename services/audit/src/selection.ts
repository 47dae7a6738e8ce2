import type { AuditFilters } from '@order-automation/contracts';
import type { Filter } from '@order-automation/store';
import type { EntryDocument } from './entry';
import { isShown } from './facets';

/** Filters, and what they mean for the entries that exist. */
export type Selection = {
  readonly filters: AuditFilters;
  /** The facets that are let through. */
  readonly facets: readonly string[];
  /** Whether that is every facet there is. */
  readonly every: boolean;
};

export function selectionOf(filters: AuditFilters, existing: readonly string[]): Selection {
  const facets = existing.filter((facet) => isShown(facet, filters));
  return { filters, facets, every: facets.length === existing.length };
}

/** Filters by what has many values, from the one that leaves the fewest entries to the one that leaves the most. */
const references = ['process_id', 'order_id', 'rule_id'] as const;
const otherFilters = ['status', 'event_type', 'source', 'date_from', 'date_to'] as const;

export const hasReference = (filters: AuditFilters): boolean => references.some((name) => filters[name] !== undefined);

/** Whether anything is filtered by but the flags. */
export const hasValues = (filters: AuditFilters): boolean =>
  hasReference(filters) || otherFilters.some((name) => filters[name] !== undefined);

/** Whether the filters let this entry through. */
export function matches(entry: EntryDocument, filters: AuditFilters): boolean {
  const { date_from, date_to } = filters;
  if (date_from !== undefined && entry.timestamp < date_from) return false;
  if (date_to !== undefined && entry.timestamp > date_to) return false;
  if (!isShown(entry.facet, filters)) return false;
  return references.every((name) => {
    const wanted: readonly unknown[] | undefined = filters[name];
    return wanted === undefined || wanted.includes(entry[name]);
  });
}

type Wanted = Filter<EntryDocument>;

function datesOf({ date_from, date_to }: AuditFilters): Wanted {
  if (date_from === undefined && date_to === undefined) return {};
  const from = date_from === undefined ? {} : { $gte: date_from };
  return { timestamp: { ...from, ...(date_to === undefined ? {} : { $lte: date_to }) } };
}

/**
 * The walks that together find what is selected, each along `_id` behind one value of an index: a value of the most selective reference, a
 * facet, or nothing. The other filters are conditions.
 */
export function walksOf(selection: Selection): Wanted[] {
  const { filters, facets, every } = selection;
  if (facets.length === 0) return [];
  const [leading, ...others] = references.filter((name) => filters[name] !== undefined);
  const conditions: Record<string, unknown> = { ...datesOf(filters) };
  for (const name of others) conditions[name] = { $in: filters[name] };
  if (leading === undefined) {
    const walks = every ? [{}] : facets.map((facet) => ({ facet: { $eq: facet } }));
    return walks.map((walk) => ({ ...walk, ...conditions }) as Wanted);
  }
  if (!every) conditions.facet = { $in: facets };
  return (filters[leading] ?? []).map((value) => ({ [leading]: { $eq: value }, ...conditions }) as Wanted);
}

/** What is to be counted; the same entries as the walks find, in as few queries as an index allows. */
export function countsOf(selection: Selection): Wanted[] {
  const { filters, facets, every } = selection;
  if (facets.length === 0) return [];
  if (hasReference(filters) || every) return walksOf(selection);
  return [{ facet: { $in: facets }, ...datesOf(filters) } as Wanted];
}
