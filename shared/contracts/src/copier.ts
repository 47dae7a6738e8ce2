import type { z } from 'zod';

/**
 * A fresh copy of a part that the schema leaves open, `depth` containers deep and found under `key`; undefined when nothing of it would
 * travel.
 */
export type CopyPart = (part: unknown, key: string, depth: number) => unknown;

/** Copies what the schema finds valid: fields it names, with its defaults, and nothing shared with the original. */
export type Copier = (valid: unknown) => unknown;

/** Gives a value a name in the code that is generated. */
type Refer = (value: unknown) => string;

/** The code of a copy of what `source`, a short expression, stands for. */
type Code = (source: string, refer: Refer) => string;

/** Where the schema is used: the name of the field and how many containers it lies in. */
type Place = { readonly key: string; readonly depth: number; readonly copyPart: CopyPart };

const asItIs: Code = (source) => source;

/**
 * The code that copies what one schema describes, with a literal for each object, so that copies have one shape each. Undefined when the schema
 * holds what a copier does not know: then what it is parsed to must be copied whole.
 */
export function copierOf(schema: z.core.$ZodType, copyPart: CopyPart): Copier | undefined {
  const code = codeOf(schema, { key: '', depth: 0, copyPart });
  return code && functionOf(code);
}

function inside({ depth, copyPart }: Place, key: string): Place {
  return { key, depth: depth + 1, copyPart };
}

function functionOf(code: Code): Copier {
  return generated((refer) => `return (v) => ${code('v', refer)};`) as Copier;
}

/** What the body gives back, in which the values it refers to have names. */
function generated(bodyOf: (refer: Refer) => string): unknown {
  const values: unknown[] = [];
  const body = bodyOf((value) => `c${values.push(value) - 1}`);
  return new Function(...values.map((_, index) => `c${index}`), body)(...values);
}

function codeOf(schema: z.core.$ZodType, place: Place): Code | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (rewrites(def)) return undefined;
  switch (def.type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'literal':
    case 'enum':
      return asItIs;
    case 'number':
      return (source) => `(${source} + 0)`;
    case 'nullable':
      return unlessNull(codeOf(def.innerType, place));
    case 'default':
      return orDefault(codeOf(def.innerType, place), () => def.defaultValue);
    case 'array':
      return itemsOf(def.element, place);
    case 'object':
      return fieldsOf(def, place);
    case 'union':
      return choiceOf(def, place);
    case 'record':
      return isOpen(def.valueType) ? recordOf(place) : undefined;
    case 'unknown':
    case 'custom':
      return partOf(place);
    default:
      return undefined;
  }
}

function unlessNull(inner: Code | undefined): Code | undefined {
  if (!inner || inner === asItIs) return inner;
  return (source, refer) => `(${source} === null ? null : ${inner(source, refer)})`;
}

function orDefault(inner: Code | undefined, value: () => unknown): Code | undefined {
  if (!inner) return undefined;
  const fresh = (): unknown => structuredClone(value());
  return (source, refer) => `(${source} === undefined ? ${refer(fresh)}() : ${inner(source, refer)})`;
}

function itemsOf(element: z.core.$ZodType, place: Place): Code | undefined {
  const item = codeOf(element, inside(place, ''));
  if (!item || mayBeMissing(element)) return undefined;
  const copyItem = functionOf(item);
  const copyItems = (items: readonly unknown[]): unknown[] => {
    const copy = new Array<unknown>(items.length);
    for (let index = 0; index < items.length; index += 1) copy[index] = copyItem(items[index]);
    return copy;
  };
  return (source, refer) => `${refer(copyItems)}(${source})`;
}

function rewrites({ checks }: z.core.$ZodTypeDef): boolean {
  return checks?.some((check) => check._zod.def.check === 'overwrite') ?? false;
}

/** Whether parsing takes its values as they are, however deep: anything, texts, lists of those. */
function isOpen(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (rewrites(def)) return false;
  return def.type === 'unknown' || def.type === 'string' || (def.type === 'array' && isOpen(def.element));
}

function partOf({ key, depth, copyPart }: Place): Code {
  const copyThis = (part: unknown): unknown => copyPart(part, key, depth);
  return (source, refer) => `${refer(copyThis)}(${source})`;
}

function recordOf({ key, depth, copyPart }: Place): Code {
  const copyRecord = (record: unknown): unknown => {
    const copy = copyPart(record, key, depth) ?? {};
    // Parsing drops it.
    if (Object.hasOwn(copy, '__proto__')) Reflect.deleteProperty(copy, '__proto__');
    return copy;
  };
  return (source, refer) => `${refer(copyRecord)}(${source})`;
}

function choiceOf(def: z.core.$ZodUnionDef, place: Place): Code | undefined {
  const options = def.options.map((option) => ({ option, code: codeOf(option, place) }));
  if (options.every(({ code }) => code === asItIs)) return asItIs;
  const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef;
  if (discriminator === undefined) return undefined;
  const copiers = new Map<unknown, Copier>();
  for (const { option, code } of options) {
    const values = option._zod.propValues?.[discriminator];
    if (!values || !code) return undefined;
    for (const value of values) copiers.set(value, functionOf(code));
  }
  const copyChosen = (chosen: Record<string, unknown>): unknown => copiers.get(chosen[discriminator])?.(chosen);
  return (source, refer) => `${refer(copyChosen)}(${source})`;
}

function fieldsOf(def: z.core.$ZodObjectDef, place: Place): Code | undefined {
  const fields = Object.entries(def.shape).map(([key, schema]) => fieldOf(key, schema, inside(place, key)));
  const catchall = def.catchall?._zod.def.type ?? 'never';
  if (!fields.every((field) => field !== undefined) || !['never', 'unknown'].includes(catchall)) return undefined;
  const others = catchall === 'unknown' ? othersOf(Object.keys(def.shape), inside(place, '')) : undefined;
  const copyFields = generated((refer) => {
    const always = fields.filter(({ missing }) => !missing).map(({ name, code }) => `${name}: ${code(refer)}`);
    const perhaps = fields.filter(({ missing }) => missing).map(({ name, code }) => unlessMissing(name, code(refer)));
    const rest = others ? `${refer(others)}(v, copy);` : '';
    return `return (v) => { const copy = { ${always.join(', ')} }; ${perhaps.join(' ')} ${rest} return copy; };`;
  });
  return (source, refer) => `${refer(copyFields)}(${source})`;
}

type Field = { readonly name: string; readonly missing: boolean; readonly code: (refer: Refer) => string };

function fieldOf(key: string, schema: z.core.$ZodType, place: Place): Field | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const code = codeOf(def.type === 'optional' ? def.innerType : schema, place);
  if (!code || key === '__proto__') return undefined;
  const name = JSON.stringify(key);
  return { name, missing: mayBeMissing(schema), code: (refer) => code(`v[${name}]`, refer) };
}

function unlessMissing(name: string, code: string): string {
  return `{ const part = v[${name}] === undefined ? undefined : ${code}; if (part !== undefined) copy[${name}] = part; }`;
}

function othersOf(shape: readonly string[], { depth, copyPart }: Place) {
  const named = new Set([...shape, '__proto__']);
  return (from: Record<string, unknown>, to: Record<string, unknown>): void => {
    for (const key in from) {
      if (named.has(key)) continue;
      const part = copyPart(from[key], key, depth);
      if (part !== undefined) to[key] = part;
    }
  };
}

/** Whether a valid value may be undefined, or may have nothing that travels. */
function mayBeMissing(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'unknown':
      return true;
    case 'nullable':
      return mayBeMissing(def.innerType);
    case 'union':
      return def.options.some(mayBeMissing);
    default:
      return false;
  }
}
