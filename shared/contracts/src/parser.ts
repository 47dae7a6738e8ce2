import { z } from 'zod';

export type Parser = (value: unknown) => z.ZodSafeParseResult<unknown>;

/**
 * Parses by a schema as the schema itself does. Code for what is valid is generated on the first call, so that a process pays for what
 * it uses; whatever is not valid is parsed once more by the schema, which words the issues.
 */
export function parserOf(schema: z.ZodType): Parser {
  let compiled: z.ZodType | undefined;
  return (value) => {
    compiled ??= z.compile(schema);
    return compiled.safeParse(value);
  };
}
