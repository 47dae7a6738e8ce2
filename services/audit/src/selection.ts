import type { AuditFilters } from '@order-automation/contracts';
import { type Filter, wordsOf } from '@order-automation/store';
import type { ChainKeys } from './chain/keys';
import type { EntryDocument } from './entry';
import { isShown } from './facets';
import { emailHashes } from './person';

/** Filters, and what they mean for the entries that exist. */
export type Selection = {
  readonly filters: AuditFilters;
  /** The facets that are let through. */
  readonly facets: readonly string[];
  /** Whether that is every facet there is. */
  readonly every: boolean;
  readonly sought: Sought | undefined;
};

/** What a search looks for: entries with all of these words, or about the person with one of these hashes. */
export type Sought = { readonly words: readonly string[] } | { readonly emails: readonly string[] };

export function selectionOf(filters: AuditFilters, existing: readonly string[], keys: ChainKeys): Selection {
  const sought = filters.search === undefined ? undefined : soughtBy(filters.search, keys);
  const impossible = sought !== undefined && 'words' in sought && sought.words.length === 0;
  const facets = impossible ? [] : existing.filter((facet) => isShown(facet, filters));
  return { filters, facets, every: facets.length === existing.length, sought };
}

/** A whole e-mail address is looked for by its keyed hash, because the log does not hold it; anything else by its words. */
function soughtBy(search: string, keys: ChainKeys): Sought {
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(search.trim());
  return isAddress ? { emails: emailHashes(search, keys) } : { words: wordsOf(search) };
}

/** Filters by what has many values, from the one that leaves the fewest entries to the one that leaves the most. */
const references = ['process_id', 'order_id', 'rule_id'] as const;
const otherFilters = ['status', 'event_type', 'source', 'date_from', 'date_to', 'search'] as const;

export const hasReference = (filters: AuditFilters): boolean => references.some((name) => filters[name] !== undefined);

/** Whether anything is filtered by but the flags. */
export const hasValues = (filters: AuditFilters): boolean =>
  hasReference(filters) || otherFilters.some((name) => filters[name] !== undefined);

/** Whether the selection has this entry. */
export function matches(entry: EntryDocument, { filters, sought }: Pick<Selection, 'filters' | 'sought'>): boolean {
  const { date_from, date_to } = filters;
  if (sought && !isSought(entry, sought)) return false;
  if (date_from !== undefined && entry.timestamp < date_from) return false;
  if (date_to !== undefined && entry.timestamp > date_to) return false;
  if (!isShown(entry.facet, filters)) return false;
  return references.every((name) => {
    const wanted: readonly unknown[] | undefined = filters[name];
    return wanted === undefined || wanted.includes(entry[name]);
  });
}

function isSought({ words = [], email_hash = '' }: EntryDocument, sought: Sought): boolean {
  if ('emails' in sought) return sought.emails.includes(email_hash);
  return sought.words.every((word) => words.includes(word));
}

type Wanted = Filter<EntryDocument>;

function datesOf({ date_from, date_to }: AuditFilters): Wanted {
  if (date_from === undefined && date_to === undefined) return {};
  const from = date_from === undefined ? {} : { $gte: date_from };
  return { timestamp: { ...from, ...(date_to === undefined ? {} : { $lte: date_to }) } };
}

const conditionOf = (sought: Sought): Wanted =>
  'emails' in sought ? { email_hash: { $in: sought.emails } } : { words: { $all: sought.words } };

const soughtIn = (sought: Sought): Wanted[] =>
  'emails' in sought ? sought.emails.map((hash) => ({ email_hash: { $eq: hash } })) : [conditionOf(sought)];

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
  if (leading === undefined && selection.sought) {
    // An index leads to the few entries that are sought; their facets are a condition.
    const more = every ? {} : { facet: { $in: facets } };
    return soughtIn(selection.sought).map((walk) => ({ ...conditions, ...walk, ...more }) as Wanted);
  }
  if (leading === undefined) {
    const walks = every ? [{}] : facets.map((facet) => ({ facet: { $eq: facet } }));
    return walks.map((walk) => ({ ...walk, ...conditions }) as Wanted);
  }
  if (!every) conditions.facet = { $in: facets };
  if (selection.sought) Object.assign(conditions, conditionOf(selection.sought));
  return (filters[leading] ?? []).map((value) => ({ [leading]: { $eq: value }, ...conditions }) as Wanted);
}

/** What is to be counted; the same entries as the walks find, in as few queries as an index allows. */
export function countsOf(selection: Selection): Wanted[] {
  const { filters, facets, every } = selection;
  if (facets.length === 0) return [];
  if (hasReference(filters) || every || selection.sought) return walksOf(selection);
  return [{ facet: { $in: facets }, ...datesOf(filters) } as Wanted];
}
