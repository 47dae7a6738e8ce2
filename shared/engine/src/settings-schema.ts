/** JSON Schema 2020-12 of the settings of a component. `x-search-source` names the search-content source that fills a field. */
export type SettingsSchema = Readonly<Record<string, unknown>>;

export type Field = Readonly<Record<string, unknown>> & { readonly title: string; readonly description: string };

/** An object of these fields and no others. Unless it is said otherwise, those without a default are required. */
export function settingsOf(
  properties: Readonly<Record<string, Field>>,
  required: readonly string[] = Object.keys(properties).filter((name) => properties[name]?.default === undefined),
  further: Readonly<Record<string, unknown>> = {},
): SettingsSchema {
  return { type: 'object', properties, required, additionalProperties: false, ...further };
}

export const noSettings: SettingsSchema = settingsOf({});

/** Most values of a selection. */
const maxChosen = 200;

/** A list of different short texts, at least `atLeast` of them. */
export function textList(title: string, description: string, { atLeast = 1, ...more }: ListOptions = {}): Field {
  return {
    type: 'array',
    title,
    description,
    items: { type: 'string', minLength: 1, maxLength: 200 },
    minItems: atLeast,
    maxItems: maxChosen,
    uniqueItems: true,
    ...(atLeast === 0 ? { default: [] } : {}),
    ...more,
  };
}

type ListOptions = { readonly atLeast?: number } & Readonly<Record<string, unknown>>;

export function choiceList(
  title: string,
  description: string,
  values: readonly string[],
  options: ListOptions = {},
): Field {
  return { ...textList(title, description, options), items: { type: 'string', enum: values } };
}

/** Unless it is said otherwise, the first value is the default. */
export function choice<T extends string>(
  title: string,
  description: string,
  values: readonly T[],
  standard: T | undefined = values[0],
): Field {
  return { type: 'string', title, description, enum: values, default: standard };
}

export function flag(title: string, description: string, standard = false): Field {
  return { type: 'boolean', title, description, default: standard };
}

export function text(
  title: string,
  description: string,
  longest: number,
  more: Readonly<Record<string, unknown>> = {},
): Field {
  return { type: 'string', title, description, minLength: 1, maxLength: longest, ...more };
}
