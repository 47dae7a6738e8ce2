import { types } from 'node:util';

/** MongoDB's order of types (manual, "Comparison/Sort Order"); missing sorts as null. */
export function rank(value: unknown): number {
  if (value === null || value === undefined) return 1;
  if (typeof value === 'number') return 2;
  if (typeof value === 'string') return 3;
  if (typeof value === 'boolean') return 8;
  if (Array.isArray(value)) return 5;
  return types.isDate(value) ? 9 : 4;
}

/** Negative, zero or positive, by type and then by value, as MongoDB orders. */
export function compareValues(a: unknown, b: unknown): number {
  const types = rank(a) - rank(b);
  if (types !== 0) return types;
  switch (rank(a)) {
    case 1:
      return 0;
    case 3:
      return compareTexts(a as string, b as string);
    case 4:
      return compareLists(Object.entries(a as object).flat(), Object.entries(b as object).flat());
    case 5:
      return compareLists(a as unknown[], b as unknown[]);
    default:
      return Number(a) - Number(b);
  }
}

const surrogate = /[\ud800-\udfff]/;

/** By UTF-8 bytes, which differs from JavaScript's order beyond the basic plane. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  if (surrogate.test(a) || surrogate.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const order = compareValues(a[index], b[index]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Equal in type and value; objects also in the order of their fields, as MongoDB has it. */
export function sameValue(a: unknown, b: unknown): boolean {
  return compareValues(a, b) === 0;
}
