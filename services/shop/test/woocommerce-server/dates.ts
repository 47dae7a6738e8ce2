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
 * Whether the order is in a list with this `modified_after`, `modified_before`, `after` and `before`; the second itself is left out. A `Z` makes WordPress turn the time into that of the
 * site, also when it is compared with UTC. Tables of their own have UTC alone: without `dates_are_gmt` they take any time for one of the site.
 */
export function isListed(order: Fields, query: URLSearchParams, site: Site): boolean {
  const is = (parameter: string, field: string, side: number) =>
    [null, side].includes(compared(order, query.get(parameter), field, query.get('dates_are_gmt') === 'true', site));
  const isModified = is('modified_after', 'date_modified', 1) && is('modified_before', 'date_modified', -1);
  return isModified && is('after', 'date_created', 1) && is('before', 'date_created', -1);
}

/** 1 where the date of the order is later than the one asked for, -1 where it is earlier, null where none is asked for. */
function compared(order: Fields, asked: string | null, field: string, isUtc: boolean, { zone, tables }: Site) {
  if (asked === null) return null;
  const written = asked.slice(0, 19);
  const at = Date.parse(`${written}Z`);
  const side = (date: unknown, bound: string) => Math.sign(String(date).localeCompare(bound));
  if (!isUtc && tables === 'new') {
    const offset = Date.parse(`${localOf(at, zone)}Z`) - at;
    return side(order[`${field}_gmt`], new Date(at - offset).toISOString().slice(0, 19));
  }
  const bound = asked.endsWith('Z') ? localOf(at, zone) : written;
  return side(order[isUtc ? `${field}_gmt` : field], bound);
}

export const modifiedIn = (order: Fields, { tables }: Site): string =>
  String(tables === 'new' ? order.date_modified_gmt : order.date_modified);
