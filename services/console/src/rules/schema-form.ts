import { inWords } from '../shell/format';
import operators from './operators.json';

/** Forms from the JSON Schemas of components: which control each field has, and which fields there are now. Pure. */

export type Schema = Readonly<Record<string, unknown>>;
export type Settings = Readonly<Record<string, unknown>>;
export type Option = { readonly value: string; readonly label: string };

export type Control =
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | { readonly kind: 'number'; readonly whole: boolean }
  | { readonly kind: 'time' }
  | { readonly kind: 'text'; readonly long: boolean }
  | { readonly kind: 'choices'; readonly options: readonly Option[] }
  /** Values that are typed or picked one by one; `source` names the search-content source. */
  | { readonly kind: 'list'; readonly source?: string };

export type FormField = {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly required: boolean;
  readonly placeholders: readonly string[];
  readonly examples: readonly string[];
  readonly control: Control;
};

type Property = {
  readonly type?: string;
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: Property;
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-search-source'?: string;
};

const propertiesOf = (schema: Schema): Readonly<Record<string, Property>> =>
  (schema.properties ?? {}) as Record<string, Property>;

/** The fields of a form for these settings: one that applies only in another case is left out. */
export function formOf(schema: Schema, settings: Settings): FormField[] {
  const required = new Set((schema.required ?? []) as string[]);
  const { fields, holds } = caseOf(schema, settings);
  for (const name of holds ? fields : []) required.add(name);
  return Object.entries(propertiesOf(schema))
    .filter(([name]) => holds || !fields.includes(name))
    .map(([name, property]) => fieldOf(name, property, required.has(name)));
}

/** `if` and `then` of the schema: the fields that are required in that case alone, and whether it is so. */
function caseOf(schema: Schema, settings: Settings): { fields: readonly string[]; holds: boolean } {
  const condition = schema.if as Schema | undefined;
  const consequence = schema.then as Schema | undefined;
  if (!condition || !consequence) return { fields: [], holds: true };
  const wanted = Object.entries((condition.properties ?? {}) as Record<string, { const?: unknown }>);
  const holds = wanted.every(([name, { const: value }]) => settings[name] === value);
  return { fields: (consequence.required ?? []) as string[], holds };
}

function fieldOf(name: string, property: Property, required: boolean): FormField {
  const { title = inWords(name), description = '', examples = [] } = property;
  const [hint = '', ...rest] = description.split(/(?=\{\{)/);
  const placeholders = [...description.matchAll(/\{\{[\w.]+\}\}/g)].map(([text]) => text);
  const listsThem = placeholders.length > 2;
  return {
    name,
    title,
    hint: (listsThem ? hint.replace(/Placeholders[^:]*:\s*$/, '') : hint + rest.join('')).trim(),
    required,
    placeholders: listsThem ? placeholders : [],
    examples: examples.flat().map(String),
    control: controlOf(property),
  };
}

/** Longer texts than this get an area of several lines. */
const longText = 1_000;

function controlOf(property: Property): Control {
  const { type, enum: values, items, maxLength = 0, pattern = '' } = property;
  if (type === 'boolean') return { kind: 'flag' };
  if (values) return { kind: 'choice', options: optionsOf(values) };
  if (type === 'number' || type === 'integer') return { kind: 'number', whole: type === 'integer' };
  if (type === 'array' && items?.enum) return { kind: 'choices', options: optionsOf(items.enum) };
  if (type === 'array') {
    const source = property['x-search-source'];
    return { kind: 'list', ...(source !== undefined && { source }) };
  }
  if (pattern.includes('[0-5][0-9]')) return { kind: 'time' };
  return { kind: 'text', long: maxLength > longText };
}

const words: Readonly<Record<string, string>> = operators.words;
const symbols: Readonly<Record<string, string>> = operators.symbols;

/** An operator as it stands between a value and what it is compared with. */
export const operatorText = (operator: unknown): string => {
  const id = typeof operator === 'string' ? (symbols[operator] ?? operator) : 'is';
  return words[id] ?? inWords(id).toLowerCase();
};

/** Each operator once: texts have `is` and `is_not`, which `eq` and `ne` are other names of. */
function optionsOf(values: readonly string[]): Option[] {
  const aliases = values.includes('is') ? ['eq', 'ne'] : [];
  return values
    .filter((value) => symbols[value] === undefined && !aliases.includes(value))
    .map((value) => ({ value, label: words[value] ?? inWords(value) }));
}

/** What a new component begins with: the defaults of its schema. */
export function defaultsOf(schema: Schema): Settings {
  const known = Object.entries(propertiesOf(schema)).filter(([, property]) => property.default !== undefined);
  return Object.fromEntries(known.map(([name, property]) => [name, property.default]));
}

/** Settings as the form shows them: one spelling of an operator. */
export function shownSettings(settings: Settings): Settings {
  const { operator } = settings;
  return typeof operator === 'string' && symbols[operator] ? { ...settings, operator: symbols[operator] } : settings;
}

/** Settings without the fields of another case, and without what is empty and optional. */
export function cleaned(schema: Schema, settings: Settings): Settings {
  const fields = new Map(formOf(schema, settings).map((field) => [field.name, field]));
  const kept = Object.entries(settings).filter(([name, value]) => {
    const field = fields.get(name);
    if (!field) return propertiesOf(schema)[name] === undefined;
    return field.required || value !== '';
  });
  return Object.fromEntries(kept);
}

/**
 * A number as people write it: `12.50`, `12,50`, `1.234,50`, `1,234.50`, `1 234`. The text itself where it is none, or might be
 * two: `1,234` is more than a thousand here and less than two there.
 */
export function numberOf(text: string, whole = false): number | string | undefined {
  const written = text.replace(/[\s'’]/g, '');
  if (written === '') return undefined;
  const [, groups = '', , decimals] = /^(-?\d{1,3}([.,])\d{3}(?:\2\d{3})*)(?:(?!\2)[.,](\d+))?$/.exec(written) ?? [];
  const isGrouped = groups !== '' && (whole || decimals !== undefined || /[.,].+[.,]/.test(groups));
  if (isGrouped) return Number(`${groups.replace(/[.,]/g, '')}.${decimals ?? 0}`);
  if (groups.includes(',') || !/^-?(?:\d+[.,]?\d*|[.,]\d+)$/.test(written)) return text;
  return Number(written.replace(',', '.'));
}

/** What is wrong with a field, as what to enter in it: the service says that a value is required, or must be a number. */
export function problemText(title: string, message: string | undefined): string | undefined {
  if (message === 'must be a number') return 'Write a number without separators of thousands, such as 1234.50.';
  if (!message?.startsWith('is required')) return message;
  const name = /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
  return `Enter the ${name}.`;
}
