import { type MaskedEntry, wordsIn } from './entry';
import { aspectsOf, type EntryKind } from './facets';

/** A record is found by the words of its entries and by these, which no word is like. */
export const facetTerm = (facet: string): string => `f:${facet.replaceAll(' ', ':')}`;
export const kindTerm = (kind: EntryKind): string => `k:${kind}`;
export const orderTerm = (id: number): string => `o:${id}`;
export const ruleTerm = (id: number): string => `r:${id}`;
export const personTerm = (hash: string): string => `p:${hash}`;

export const termsOfOrder = (order_id: number): string[] => [
  ...wordsIn([{ summary: '', order_id }]),
  orderTerm(order_id),
];

export function termsOf(entries: readonly MaskedEntry[]): string[] {
  const facets = new Set<string>();
  const terms = new Set<string>();
  for (const entry of entries) {
    facets.add(entry.facet);
    if (entry.order_id !== undefined) terms.add(orderTerm(entry.order_id));
    if (entry.rule_id !== undefined) terms.add(ruleTerm(entry.rule_id));
    if (entry.email_hash !== undefined) terms.add(personTerm(entry.email_hash));
    if (entry.customer_hash !== undefined) terms.add(personTerm(entry.customer_hash));
  }
  for (const facet of facets) terms.add(facetTerm(facet)).add(kindTerm(aspectsOf(facet).kind));
  // No word is like any of these.
  return [...wordsIn(entries), ...terms];
}
