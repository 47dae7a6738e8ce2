/** What a sample is made from: its objects by their kind, and where those of an event differ from others of their kind. */
export type Samples = Readonly<
  Record<'objects' | 'events', Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

/** The part of a sample with values in the place of their names, as `{order}`. A text that is a name alone becomes the value as it is. */
export function filled(part: unknown, values: Readonly<Record<string, string | number>>): unknown {
  if (typeof part === 'string') return values[part] ?? part.replace(/\{\w+\}/g, (name) => String(values[name] ?? name));
  if (Array.isArray(part)) return part.map((one) => filled(one, values));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, filled(one, values)]));
}
