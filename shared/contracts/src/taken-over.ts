import type { z } from 'zod';

/** A fresh copy of a part of a message that lies `depth` containers deep. */
export type Copy = (part: unknown, depth: number) => unknown;

/** Puts copies in the place of what a parsed value shares with the value it was parsed from; gives back the value. */
export type Unshare = (value: unknown, copy: Copy) => unknown;

type Fields = Record<string, unknown>;

/**
 * Parsing makes objects and arrays anew, but takes over as it is what the schema does not describe. Says once for a schema where that
 * may be; undefined: nowhere. Objects that may hold `undefined`, which no message has, are copied whole.
 */
export function unshareOf(schema: z.core.$ZodType, depth = 0): Unshare | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'literal':
    case 'enum':
      return undefined;
    case 'nullable':
      return unshareOf(def.innerType, depth);
    case 'union':
      return def.options.every((option) => unshareOf(option, depth) === undefined) ? undefined : whole(depth);
    case 'array':
      return mayBeMissing(def.element) ? whole(depth) : itemsOf(unshareOf(def.element, depth + 1));
    case 'object':
      return def.catchall || Object.values(def.shape).some(mayBeMissing)
        ? whole(depth)
        : fieldsOf(Object.entries(def.shape), depth + 1);
    default:
      return whole(depth);
  }
}

function whole(depth: number): Unshare {
  return (value, copy) => copy(value, depth);
}

const alwaysThere = new Set<string>([
  'string',
  'number',
  'boolean',
  'null',
  'literal',
  'enum',
  'nullable',
  'union',
  'array',
  'object',
  'record',
  'custom',
]);

function mayBeMissing(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'nullable') return mayBeMissing(def.innerType);
  if (def.type === 'union') return def.options.some(mayBeMissing);
  return !alwaysThere.has(def.type);
}

function itemsOf(item: Unshare | undefined): Unshare | undefined {
  if (!item) return undefined;
  return (value, copy) => {
    if (!Array.isArray(value)) return value;
    for (let index = 0; index < value.length; index += 1) value[index] = item(value[index], copy);
    return value;
  };
}

function fieldsOf(shape: readonly [string, z.core.$ZodType][], depth: number): Unshare | undefined {
  const fields = shape.flatMap(([key, schema]) => {
    const unshare = unshareOf(schema, depth);
    return unshare ? [{ key, unshare }] : [];
  });
  if (fields.length === 0) return undefined;
  return (value, copy) => {
    if (value === null) return null;
    for (const { key, unshare } of fields) (value as Fields)[key] = unshare((value as Fields)[key], copy);
    return value;
  };
}
