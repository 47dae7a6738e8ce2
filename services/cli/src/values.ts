import { usageError } from './failure';

/** Without the members that are undefined. */
export function present<Values extends Record<string, unknown>>(values: Values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}

export function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (!/^\d{1,15}$/.test(text) || value < 1)
    throw usageError(`${name} must be a whole number from 1, not ${JSON.stringify(text)}.`);
  return value;
}

/** Hours of `--overlap`, from 0. */
export function overlapOf(text: string): number {
  const hours = Number(text);
  if (text.trim() === '' || !(hours >= 0))
    throw usageError(`--overlap must be a number of hours, not ${JSON.stringify(text)}.`);
  return hours;
}

export const limitOf = (text: string, max: number): number => Math.min(wholeNumber(text, '--limit'), max);

/** A day as the instant at which it begins, or ends; an instant as it is. For bodies, which take instants alone. */
export function instantOf(text: string, end: 'start' | 'end'): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  return `${text}T${end === 'start' ? '00:00:00.000' : '23:59:59.999'}Z`;
}

/** Options that narrow a list: the parameter of the interface that each becomes, and what its help says. */
type Filters = Readonly<Record<string, readonly string[]>>;
export type Limited = { readonly limit: string };

export const optionsOf = (filters: Filters): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).map(([name, [, about = '']]) => [`--${name} <${valueNames[name] ?? name}>`, about]),
  );

/** What asks for the first rows that pass the filters. */
export const pageOf = (given: Limited, filters: Filters = {}, max = 200) => ({
  query: { ...filterOf(filters, given), per_page: limitOf(given.limit, max) },
});

type Given = Readonly<Record<string, unknown>>;

const valueNames: Readonly<Record<string, string>> = {
  order: 'id',
  rule: 'id',
  process: 'id',
  gateway: 'name',
  from: 'time',
  to: 'time',
};

/** The parameters of the options that were given; days as instants. */
export function filterOf(filters: Filters, given: Given): Record<string, string> {
  const entries = Object.entries(filters).flatMap(([name, [parameter = name]]) => {
    const value = given[name];
    if (typeof value !== 'string') return [];
    const isTime = name === 'from' || name === 'to';
    return [[parameter, isTime ? instantOf(value, name === 'from' ? 'start' : 'end') : value]];
  });
  return Object.fromEntries(entries);
}

/** As `filterOf`, for bodies, in which ids are numbers. */
export const bodyFilterOf = (filters: Filters, given: Given): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(filterOf(filters, given)).map(([name, value]) =>
      name === 'order_id' || name === 'rule_id' ? [name, Number(value)] : [name, value],
    ),
  );
