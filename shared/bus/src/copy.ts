import { BusError } from './errors';

/** Deeper values are refused. */
export const maxDepth = 128;

type Fields = Record<string, unknown>;

/**
 * A fresh value, as if the old one had travelled as JSON, except that every Uint8Array in it is copied as what it is.
 * Throws BusError `invalid_message` when it cannot travel (too deep, a cycle, a bigint).
 */
export function copyOf(value: unknown): unknown {
  const copy = copyPart(value, '', 0);
  if (copy === undefined) throw unwritable();
  return copy;
}

/** The same of a part found under `key`, `depth` containers deep; undefined when it is nothing that travels. */
export function copyPart(value: unknown, key: string | number, depth: number): unknown {
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
  if (Object.getPrototypeOf(value) === Object.prototype) return copiedPlain(value as Fields, key, depth);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return copiedAsTold(value, key, depth);
}

/** With `toJSON`, if it has one, as JSON.stringify does. */
function copiedAsTold(value: object, key: string | number, depth: number): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return copiedContainer(value, depth);
  const told: unknown = toJSON.call(value, String(key));
  return typeof told === 'object' && told !== null ? copiedContainer(told, depth) : copyPart(told, key, depth);
}

function copiedContainer(value: object, depth: number): unknown {
  mustNotBeDeeper(depth);
  return Array.isArray(value) ? copiedItems(value, depth) : copiedFields(value as Fields, depth);
}

function mustNotBeDeeper(depth: number): void {
  if (depth >= maxDepth) throw new BusError('invalid_message', `The message is nested deeper than ${maxDepth}.`);
}

function copiedItems(items: readonly unknown[], depth: number): unknown[] {
  const copy = new Array<unknown>(items.length);
  for (let index = 0; index < items.length; index += 1) copy[index] = copyPart(items[index], index, depth + 1) ?? null;
  return copy;
}

function copiedFields(fields: Fields, depth: number): Fields {
  const copy: Fields = {};
  for (const key of Object.keys(fields)) {
    const field = copyPart(fields[key], key, depth + 1);
    if (field !== undefined) set(copy, key, field);
  }
  return copy;
}

/** The same for an object literal, as nearly all there is: `for in` needs no list of its keys. */
function copiedPlain(fields: Fields, key: string | number, depth: number): unknown {
  mustNotBeDeeper(depth);
  const copy: Fields = {};
  for (const name in fields) {
    const field = fields[name];
    if (typeof field === 'string') set(copy, name, field);
    else {
      if (typeof field === 'function' && name === 'toJSON') return copiedAsTold(fields, key, depth);
      const own = copyPart(field, name, depth + 1);
      if (own !== undefined) set(copy, name, own);
    }
  }
  return copy;
}

function set(fields: Fields, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
  else fields[key] = value;
}

/** Roughly what a copied value weighs in memory, in bytes. */
export function weightOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 4;
  return typeof value === 'object' && value !== null ? weightOfObject(value) : 8;
}

function weightOfObject(value: object): number {
  if (value instanceof Uint8Array) return value.length;
  let sum = 8;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index += 1) sum += weightOf(value[index]);
  else
    for (const key in value) {
      const field = (value as Fields)[key];
      sum += key.length + (typeof field === 'string' ? field.length + 12 : 8 + weightOf(field));
    }
  return sum;
}

function unwritable(): BusError {
  return new BusError('invalid_message', 'The message cannot be written as JSON.');
}
