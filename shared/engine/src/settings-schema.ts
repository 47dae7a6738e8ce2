/** JSON Schema 2020-12 of the settings of a component. `x-search-source` names the search-content source that fills a field. */
export type SettingsSchema = Readonly<Record<string, unknown>>;

type Field = Readonly<Record<string, unknown>> & { readonly title: string; readonly description: string };

/** An object of these fields and no others. */
export function settingsOf(
  properties: Readonly<Record<string, Field>>,
  required: readonly string[] = [],
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

export function choice<T extends string>(title: string, description: string, values: readonly T[], standard: T): Field {
  return { type: 'string', title, description, enum: values, default: standard };
}

export function flag(title: string, description: string, standard: boolean): Field {
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
