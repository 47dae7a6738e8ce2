import { compareScalars } from '../src/sqlite/scalar';

export type Fields = Record<string, unknown>;

/** A path leads through objects alone. */
export function fieldAt(fields: Fields, path: string): unknown {
  let value: unknown = fields;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

export function isMatch(fields: Fields, filter: Fields): boolean {
  for (const path in filter) {
    const condition = filter[path];
    const value = path === '_id' ? fields._id : fieldAt(fields, path);
    if (typeof condition !== 'object' || condition === null) {
      if (!isEqual(value, condition)) return false;
    } else
      for (const operator in condition)
        if (!operators[operator]?.(value, (condition as Fields)[operator] as never)) return false;
  }
  return true;
}

/** Null is what is missing too; arrays and objects equal nothing. */
const isEqual = (value: unknown, other: unknown): boolean =>
  value === other || ((value ?? null) === null && (other ?? null) === null);

/** Undefined for values of different types. */
function compared(value: unknown, other: unknown): number | undefined {
  if (typeof value !== typeof other || typeof value === 'object' || value === undefined) return undefined;
  return compareScalars(value as never, other as never);
}

const isWithin = (test: (order: number) => boolean) => (value: unknown, other: unknown) => {
  const order = compared(value, other);
  return order !== undefined && test(order);
};

const operators: Readonly<Record<string, (value: unknown, operand: never) => boolean>> = {
  $eq: isEqual,
  $ne: (value, other) => !isEqual(value, other),
  $in: (value, others: readonly unknown[]) =>
    Array.isArray(value) ? value.some((one) => others.includes(one)) : others.some((other) => isEqual(value, other)),
  $gt: isWithin((order) => order > 0),
  $gte: isWithin((order) => order >= 0),
  $lt: isWithin((order) => order < 0),
  $lte: isWithin((order) => order <= 0),
  $exists: (value, wanted: boolean) => (value !== undefined) === wanted,
  $all: (value, words: readonly string[]) => Array.isArray(value) && words.every((word) => value.includes(word)),
  $elemMatch: (value, range: Fields) => Array.isArray(value) && value.some((one) => isMatch({ one }, { one: range })),
};

const ranks = ['undefined', 'null', 'number', 'string', 'object', 'boolean'];
const typeRank = (value: unknown): number => ranks.indexOf(value === null ? 'null' : typeof value);

/** The order of MongoDB's types, and of values within one; what is missing is null. */
export const rankOf = (value: unknown, other: unknown): number =>
  compared(value, other) ?? typeRank(value ?? null) - typeRank(other ?? null);

export function sorted<T extends { readonly fields: Fields }>(all: readonly T[], sort: Fields): T[] {
  const paths = Object.entries(sort) as [string, 1 | -1][];
  return [...all].sort((a, b) => {
    for (const [path, direction] of paths) {
      const order = rankOf(fieldAt(a.fields, path), fieldAt(b.fields, path));
      if (order !== 0) return order * direction;
    }
    return 0;
  });
}
