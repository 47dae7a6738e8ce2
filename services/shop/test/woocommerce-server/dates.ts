import type { Fields } from './replies';

/** A site: the zone of its clock, and whether orders are in tables of their own (HPOS) or among the posts. */
export type Site = { readonly zone: string; readonly tables: 'new' | 'old' };

/** Both forms of a date: by the clock of the site and in UTC; neither says which. */
export function dated(name: string, at: number, { zone }: Site): Fields {
  return { [name]: localOf(at, zone), [`${name}_gmt`]: new Date(at).toISOString().slice(0, 19) };
}

function localOf(at: number, zone: string): string {
  const hours = /^([+-]\d\d):00$/.exec(zone)?.[1];
  if (hours !== undefined) return new Date(at + Number(hours) * 3_600_000).toISOString().slice(0, 19);
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T');
}

/**
 * Whether the order is in a list with this `modified_after`; the second itself is left out. A `Z` makes WordPress turn the time into that of the
 * site, also when it is compared with UTC. Tables of their own have UTC alone: without `dates_are_gmt` they take any time for one of the site.
 */
export function isModifiedAfter(order: Fields, query: URLSearchParams, { zone, tables }: Site): boolean {
  const after = query.get('modified_after');
  if (after === null) return true;
  const written = after.slice(0, 19);
  const at = Date.parse(`${written}Z`);
  const isUtc = query.get('dates_are_gmt') === 'true';
  if (!isUtc && tables === 'new') {
    const offset = Date.parse(`${localOf(at, zone)}Z`) - at;
    return String(order.date_modified_gmt) > new Date(at - offset).toISOString().slice(0, 19);
  }
  const bound = after.endsWith('Z') ? localOf(at, zone) : written;
  return String(order[isUtc ? 'date_modified_gmt' : 'date_modified']) > bound;
}

export const modifiedIn = (order: Fields, { tables }: Site): string =>
  String(tables === 'new' ? order.date_modified_gmt : order.date_modified);
