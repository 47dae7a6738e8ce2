import { BusError } from './errors';

/** Deeper values are refused. */
export const maxDepth = 128;

type Fields = Record<string, unknown>;

/**
 * A fresh value, as if the old one had travelled as JSON, except that every Uint8Array in it is copied as what it is.
 * `depth` is how many containers it lies in. Throws BusError `invalid_message` when it cannot travel (too deep, a cycle, a bigint).
 */
export function copyOf(value: unknown, depth = 0): unknown {
  const copy = copied(value, '', depth);
  if (copy === undefined) throw unwritable();
  return copy;
}

function copied(value: unknown, key: string | number, depth: number): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value + 0 : null;
    case 'object':
      return value === null ? null : copiedObject(value, key, depth);
    case 'bigint':
      throw unwritable();
    default:
      return undefined;
  }
}

function copiedObject(value: object, key: string | number, depth: number): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return copiedPlain(value, depth);
  const plain: unknown = toJSON.call(value, String(key));
  return typeof plain === 'object' && plain !== null ? copiedPlain(plain, depth) : copied(plain, key, depth);
}

function copiedPlain(value: object, depth: number): unknown {
  if (depth >= maxDepth) throw new BusError('invalid_message', `The message is nested deeper than ${maxDepth}.`);
  return Array.isArray(value) ? copiedItems(value, depth) : copiedFields(value as Fields, depth);
}

function copiedItems(items: readonly unknown[], depth: number): unknown[] {
  const copy: unknown[] = [];
  for (let index = 0; index < items.length; index += 1) copy.push(copied(items[index], index, depth + 1) ?? null);
  return copy;
}

function copiedFields(fields: Fields, depth: number): Fields {
  const copy: Fields = {};
  for (const key of Object.keys(fields)) {
    const field = copied(fields[key], key, depth + 1);
    if (field === undefined) continue;
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: field, writable: true, enumerable: true, configurable: true });
    else copy[key] = field;
  }
  return copy;
}

/** Roughly what a copied value weighs in memory, in bytes. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 4;
  if (typeof value !== 'object' || value === null) return 8;
  if (value instanceof Uint8Array) return value.length;
  let sum = 8;
  if (Array.isArray(value)) for (const item of value) sum += weightOf(item);
  else for (const key in value) sum += key.length + 8 + weightOf((value as Fields)[key]);
  return sum;
}

function unwritable(): BusError {
  return new BusError('invalid_message', 'The message cannot be written as JSON.');
}
