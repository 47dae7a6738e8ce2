import type { Query } from '../shell/match';
import names from './filter-names.json';

/** Filters of the log as they stand in the address and as the service takes them, with what each asks for. */
export type FilterName = keyof typeof names;
const filterNames = Object.keys(names) as FilterName[];
export type Filters = Readonly<Partial<Record<FilterName, string>>>;

/** The filters of an address. An e-mail address never stands there: `words` are those that the page keeps to itself. */
export function filtersOf(query: Query, words = ''): Filters {
  const kept = filterNames.flatMap((name) => (query[name] ? [[name, query[name]] as const] : []));
  return { ...Object.fromEntries(kept), ...(words !== '' && { search: words }) };
}

/** Words that name a person stay out of the address. */
export const isPersonal = (words: string): boolean => words.includes('@');
