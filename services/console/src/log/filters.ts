import type { Query } from '../shell/match';

/** Filters of the log as they stand in the address and as the service takes them. */
const filterNames = [
  'search',
  'status',
  'event_type',
  'source',
  'order_id',
  'rule_id',
  'process_id',
  'date_from',
  'date_to',
  'include_test',
  'include_debug',
  'filter',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The filters of an address. An e-mail address never stands there: `words` are those that the page keeps to itself. */
export function filtersOf(query: Query, words = ''): Filters {
  const kept = filterNames.flatMap((name): [FilterName, string][] => {
    const value = query[name];
    return value === undefined || value === '' ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(kept), ...(words !== '' && { search: words }) };
}

/** Words that name a person stay out of the address. */
export function isPersonal(words: string): boolean {
  return words.includes('@');
}

export function includes(list: string | undefined, value: string): boolean {
  return (list ?? '').split(',').includes(value);
}
