import { UnsupportedQueryError } from '../errors';

/** The kinds of scalars, in MongoDB's order (manual, "Comparison/Sort Order"); missing counts as null. */
export type Kind = 'null' | 'number' | 'text' | 'boolean';

const order: readonly Kind[] = ['null', 'number', 'text', 'boolean'];

/** The kind of an operand at a path. Refuses arrays and objects: no condition compares them. */
export function kindOf(value: unknown, path: string): Kind {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return 'number';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'boolean') return 'boolean';
  throw new UnsupportedQueryError(`${path}: an array or an object cannot be compared`);
}

/** Negative, zero or positive, by kind and then by value. */
export function compareScalars(a: unknown, b: unknown): number {
  const [kind, other] = [kindOf(a, 'operand'), kindOf(b, 'operand')];
  if (kind !== other) return order.indexOf(kind) - order.indexOf(other);
  // By UTF-8 bytes, which differs from JavaScript's order beyond the basic plane.
  if (kind === 'text') return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
  return Number(a) - Number(b);
}

/** A number as SQLite reads it: beyond 2^53 JSON has the shortest digits that mean it, which SQLite takes as an integer while they fit into 64 bits. */
export function numberInJson(value: number): number | bigint {
  if (Number.isSafeInteger(value)) return BigInt(value);
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(String(value)) : value;
}
