import type { AuditFilters } from '@order-automation/contracts';
import { wordsOf } from '@order-automation/store';
import type { ChainKeys } from '../chain/keys';
import { emailHashes } from '../deletion/person';
import { type Entry, wordsIn } from '../records/entry';
import { type EntryKind, isKindShown, isShown } from '../records/facets';
import type { Wanted } from '../records/record-queries';
import { facetTerm, kindTerm, orderTerm, personTerm, ruleTerm } from '../records/terms';

/** Filters, and what they mean for the entries that exist. */
export type Selection = {
  readonly filters: AuditFilters;
  /** The facets that are let through, of those that entries have by now. */
  readonly facets: ReadonlySet<string>;
  readonly sought: Sought | undefined;
};

/** What a search looks for: entries with all of these words, or about the person with one of these hashes. */
export type Sought = { readonly words: readonly string[] } | { readonly emails: readonly string[] };

export function selectionOf(filters: AuditFilters, existing: readonly string[], keys: ChainKeys): Selection {
  const sought = filters.search === undefined ? undefined : soughtBy(filters.search, keys);
  const impossible = sought !== undefined && 'words' in sought && sought.words.length === 0;
  return { filters, facets: new Set(impossible ? [] : existing.filter((facet) => isShown(facet, filters))), sought };
}

/** A whole e-mail address is looked for by its keyed hash, because the log does not hold it; anything else by its words. */
function soughtBy(search: string, keys: ChainKeys): Sought {
  const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(search.trim());
  return isAddress ? { emails: emailHashes(search, keys) } : { words: wordsOf(search) };
}

const references = ['process_id', 'order_id', 'rule_id'] as const;
const aspects = ['status', 'event_type', 'source'] as const;
const names = [...references, ...aspects, 'date_from', 'date_to', 'search'] as const;

/** Whether anything is filtered by but the flags. */
export const hasValues = (filters: AuditFilters): boolean => names.some((name) => filters[name] !== undefined);

export function matches(entry: Entry, { filters, facets, sought }: Selection): boolean {
  const { date_from, date_to } = filters;
  if (date_from !== undefined && entry.timestamp < date_from) return false;
  if (date_to !== undefined && entry.timestamp > date_to) return false;
  if (!facets.has(entry.facet)) return false;
  for (const name of references) {
    const wanted: readonly unknown[] | undefined = filters[name];
    if (wanted !== undefined && !wanted.includes(entry[name])) return false;
  }
  return sought === undefined || isSought(entry, sought);
}

function isSought(entry: Entry, sought: Sought): boolean {
  if ('emails' in sought) return sought.emails.includes(entry.email_hash ?? '');
  const words = wordsIn([entry]);
  return sought.words.every((word) => words.includes(word));
}

/** Walks at most; what is left over is tested entry by entry. */
const maxWalks = 32;

/** Which records may hold what is selected: those of a process, or those with all of some terms. Each such record is in one of the walks. */
export function walksOf({ filters, facets, sought }: Selection): Wanted[] {
  if (facets.size === 0) return [];
  if (filters.process_id) return [...new Set(filters.process_id)].map((process_id) => ({ process_id }));
  const byAspect = aspects.some((name) => filters[name]) ? [...facets].map((facet) => [facetTerm(facet)]) : [];
  const isFew = byAspect.length > 0 && byAspect.length <= maxWalks;
  const narrow = narrowing(filters, sought).filter(({ length }) => length > 0);
  const byKind = narrow.length === 0 && !isFew ? kindTerms(filters) : [];
  let walks: string[][] = [[]];
  for (const alternatives of [...narrow, isFew ? byAspect : byKind]) {
    const product = walks.flatMap((terms) => alternatives.map((more) => [...terms, ...more]));
    if (product.length > 0 && product.length <= maxWalks) walks = product;
  }
  return walks.map((terms) => (terms.length === 0 ? {} : { terms: { $all: terms } }));
}

/** Alternatives for each filter that leaves few records, from the one that leaves the fewest. */
function narrowing({ order_id, rule_id }: AuditFilters, sought: Sought | undefined): string[][][] {
  const emails = sought && 'emails' in sought ? sought.emails.map((hash) => [personTerm(hash)]) : [];
  const words = sought && 'words' in sought ? [[...sought.words]] : [];
  return [emails, words, (order_id ?? []).map((id) => [orderTerm(id)]), (rule_id ?? []).map((id) => [ruleTerm(id)])];
}

const allKinds: readonly EntryKind[] = ['normal', 'test', 'debug', 'both'];

function kindTerms(filters: AuditFilters): string[][] {
  const kinds = allKinds.filter((kind) => isKindShown(kind, filters));
  return kinds.length === allKinds.length ? [] : kinds.map((kind) => [kindTerm(kind)]);
}

/** Whether the selection is made of what takes few values: it may let most of the log through. */
export const mayBeBroad = ({ filters, sought }: Selection): boolean =>
  sought === undefined && references.every((name) => filters[name] === undefined);
