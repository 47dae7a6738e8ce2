import { z } from 'zod';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = { [key: string]: unknown };

export type OpenApi = JsonSchema & {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, JsonSchema>>;
};

export type ServedOpenApi = { readonly document: OpenApi; readonly tag: string };

export type NamedSchemas = ReadonlyMap<z.ZodType, string>;

/** What a schema takes, with references to the named ones. */
export function jsonSchemaOf(schema: z.ZodType, named: NamedSchemas): JsonSchema {
  const name = named.get(schema);
  return name === undefined ? converted(schema, named) : reference(name);
}

export const componentSchemas = (named: NamedSchemas): Record<string, JsonSchema> =>
  Object.fromEntries([...named].map(([schema, name]) => [name, converted(schema, named)]));

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function converted(root: z.ZodType, named: NamedSchemas): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(root, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const schema = zodSchema as unknown as z.ZodType;
      const name = schema === root ? undefined : named.get(schema);
      if (name !== undefined) replace(jsonSchema as JsonSchema, reference(name));
      else stated(schema, jsonSchema as JsonSchema);
    },
  }) as JsonSchema;
  return schema;
}

/** A type or a reference that the schema itself states (`.meta`) takes the place of what zod finds: text that means a number is a number. */
function stated(schema: z.ZodType, found: JsonSchema): void {
  const meta = z.globalRegistry.get(schema) as JsonSchema | undefined;
  if (meta?.type !== undefined || meta?.$ref !== undefined) replace(found, meta);
  if (schema instanceof z.ZodDefault) found.default = schema.def.defaultValue;
  if ('propertyNames' in found) delete found.propertyNames;
}

function replace(target: JsonSchema, content: JsonSchema): void {
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, content);
}
