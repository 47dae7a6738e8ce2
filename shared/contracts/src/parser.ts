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

const openRecord = z.custom(isOpenRecord);

/** The schema, but that it does not walk through records of anything: in the code for those every field is copied, to be thrown away. */
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
      return isPlain(def.keyType) && def.valueType._zod.def.type === 'unknown' ? openRecord : schema;
    default:
      return schema;
  }
}

function isPlain({ _zod: { def } }: z.core.$ZodType): boolean {
  return def.type === 'string' && def.checks === undefined;
}

function isOpenRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.getPrototypeOf(value) === Object.prototype && Object.getOwnPropertySymbols(value).length === 0;
}
