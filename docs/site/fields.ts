import type { z } from 'zod';

/** A JSON Schema whose parts are schemas too. */
export type FieldSchema = z.core.JSONSchema.BaseSchema & {
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
};

/** The fields of a schema as Markdown: name, type, whether required, limits, description. Named schemas are linked to. */
export function fieldsOf(schema: FieldSchema): string {
  const { $ref, anyOf, items } = schema;
  if ($ref !== undefined) return typeOf(schema);
  if (anyOf) return ['One of:', ...anyOf.map(fieldsOf)].join('\n\n');
  if (items) return `A list of:\n\n${fieldsOf(items)}`;
  return rowsOf(schema, '').join('\n') || typeOf(schema);
}

/** Fields of fields are listed down to here. */
const deepest = 3;

function rowsOf({ properties = {}, required = [] }: FieldSchema, prefix: string, depth = 1): string[] {
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const inner = property.items ?? property;
    const below = depth < deepest ? rowsOf(inner, `${path}${property.items ? '[]' : ''}.`, depth + 1) : [];
    return [fieldRow(path, property, required.includes(name)), ...below];
  });
}

export function fieldRow(path: string, schema: FieldSchema, required = false): string {
  const text = [schema.description?.replaceAll(/\s+/g, ' '), ...limitsOf(schema)].filter(Boolean).join(' ');
  return `- \`${path}\` ${typeOf(schema)}${required ? ', required' : ''}${text === '' ? '' : `\\\n  ${text}`}`;
}

function typeOf({ $ref, type, format, anyOf, oneOf, items, const: constant }: FieldSchema): string {
  const name = $ref?.split('/').at(-1);
  if (name !== undefined) return `[${name}](objects#schema-${name})`;
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``;
  const forms = anyOf ?? oneOf;
  if (forms) return forms.map(typeOf).join(' or ');
  if (type === 'array') return `list of ${items ? typeOf(items) : 'anything'}`;
  return String(format ?? type ?? 'anything');
}

function limitsOf({ minimum, maximum, minLength = 0, maxLength, maxItems, ...schema }: FieldSchema): string[] {
  const far = (limit = Number.POSITIVE_INFINITY) => Math.abs(limit) >= Number.MAX_SAFE_INTEGER;
  const limits: [boolean, string][] = [
    [schema.enum !== undefined, `One of ${schema.enum?.map((value) => `\`${value}\``).join(', ')}.`],
    [!far(minimum) && !far(maximum), `From ${minimum} to ${maximum}.`],
    [!far(minimum) && far(maximum), `At least ${minimum}.`],
    [minLength > 0 && maxLength === undefined, 'Not empty.'],
    [maxLength !== undefined, `At most ${maxLength} characters.`],
    [maxItems !== undefined, `At most ${maxItems} items.`],
    [schema.default !== undefined, `Default \`${JSON.stringify(schema.default)}\`.`],
  ];
  return limits.filter(([holds]) => holds).map(([, text]) => text);
}
