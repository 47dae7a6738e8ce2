import { type Html, html } from '@order-automation/service';
import type { JsonSchema } from '../openapi/json-schema';

/** The fields of a schema as a list: name, type, whether required, limits, description. Named schemas are linked to. */
export function fieldsOf(schema: JsonSchema): Html {
  const { $ref, anyOf, items } = schema as { $ref?: string; anyOf?: JsonSchema[]; items?: JsonSchema };
  if ($ref !== undefined) return html`<p>${typeOf(schema)}</p>`;
  if (anyOf) return html`<p>One of:</p>${anyOf.map((form) => fieldsOf(form))}`;
  if (items) return html`<p>A list of:</p>${fieldsOf(items)}`;
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return html`<p>${typeOf(schema)}</p>`;
  return html`<ul class="fields">${rows}</ul>`;
}

/** Fields of fields are listed down to here. */
const deepest = 3;

function rowsOf(schema: JsonSchema, prefix: string, depth = 1): Html[] {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const inner = (property.items as JsonSchema | undefined) ?? property;
    const below = depth < deepest ? rowsOf(inner, `${path}${property.items ? '[]' : ''}.`, depth + 1) : [];
    return [fieldRow(path, property, required.includes(name)), ...below];
  });
}

export function fieldRow(path: string, schema: JsonSchema, required: boolean): Html {
  const { description } = schema as { description?: string };
  const text = [description, limitsOf(schema)].filter(Boolean).join(' ');
  return html`<li><code>${path}</code> ${typeOf(schema)}${required ? ', required' : ''}${text === '' ? undefined : html`<p>${text}</p>`}</li>`;
}

function typeOf(schema: JsonSchema): Html {
  const {
    $ref,
    type,
    anyOf,
    oneOf,
    items,
    format,
    const: constant,
  } = schema as {
    $ref?: string;
    type?: string;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    items?: JsonSchema;
    format?: string;
    const?: unknown;
  };
  if ($ref !== undefined) return namedLink($ref.split('/').at(-1) ?? '');
  if (constant !== undefined) return html`<code>${JSON.stringify(constant)}</code>`;
  const forms = anyOf ?? oneOf;
  if (forms) return html`${forms.map((form, index) => [index > 0 && ' or ', typeOf(form)])}`;
  if (type === 'array') return html`list of ${items ? typeOf(items) : 'anything'}`;
  return html`${format ?? type ?? 'anything'}`;
}

function namedLink(name: string): Html {
  return html`<a href="objects#schema-${name}">${name}</a>`;
}

function limitsOf({
  minimum,
  maximum,
  minLength,
  maxLength,
  maxItems,
  enum: values,
  default: standard,
}: JsonSchema): string {
  const far = (limit: unknown) => typeof limit !== 'number' || Math.abs(limit) >= Number.MAX_SAFE_INTEGER;
  return [
    Array.isArray(values) && `One of ${values.join(', ')}.`,
    !far(minimum) && !far(maximum) && `From ${minimum} to ${maximum}.`,
    !far(minimum) && far(maximum) && `At least ${minimum}.`,
    typeof minLength === 'number' && minLength > 0 && typeof maxLength !== 'number' && 'Not empty.',
    typeof maxLength === 'number' && `At most ${maxLength} characters.`,
    typeof maxItems === 'number' && `At most ${maxItems} items.`,
    standard !== undefined && `Default ${JSON.stringify(standard)}.`,
  ]
    .filter((text) => text !== false)
    .join(' ');
}
