import { z } from 'zod';

export type Parser = {
  /** True when the value fits; false when it does not, or when only `parse` can tell. */
  fits(value: unknown): boolean;
  /** Parses as the schema itself does. */
  parse(value: unknown): z.ZodSafeParseResult<unknown>;
};

/**
 * Code for what is valid is generated on the first call, so that a process pays for what it uses; whatever is not valid is parsed
 * once more by the schema, which words the issues.
 */
export function parserOf(schema: z.ZodType): Parser {
  let parsing: z.ZodType | undefined;
  let checking: z.core.$ZodType | undefined;
  return {
    fits: (value) => {
      checking ??= z.compile(checkOf(schema));
      return z.validate(checking, value);
    },
    parse: (value) => {
      parsing ??= z.compile(schema);
      return parsing.safeParse(value);
    },
  };
}

/** The schema with checks of our own for records: the code made for those copies each of them, to be thrown away. */
function checkOf(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const shape = Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, checkOf(field)]));
      const checked: z.core.$ZodObjectDef = { ...def, shape };
      return z.core.clone(schema, checked);
    }
    case 'array': {
      const checked: z.core.$ZodArrayDef = { ...def, element: checkOf(def.element) };
      return z.core.clone(schema, checked);
    }
    case 'nullable': {
      const checked: z.core.$ZodNullableDef = { ...def, innerType: checkOf(def.innerType) };
      return z.core.clone(schema, checked);
    }
    case 'record':
      return isText(def.keyType) ? (recordCheckOf(def.valueType) ?? schema) : schema;
    default:
      return schema;
  }
}

const anyRecord = z.custom(isRecord);
const recordOfLists = z.custom((value) => isRecord(value) && Object.values(value).every(isListOfTexts));

/** Undefined where nothing is gained. */
function recordCheckOf(values: z.core.$ZodType): z.core.$ZodType | undefined {
  const { def } = (values as z.core.$ZodTypes)._zod;
  if (def.type === 'unknown') return anyRecord;
  return def.type === 'array' && def.checks === undefined && isText(def.element) ? recordOfLists : undefined;
}

/** Text of any length. */
function isText({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === 'string' && def.checks === undefined && !('format' in def);
}

function isRecord(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertySymbols(value).length === 0;
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
