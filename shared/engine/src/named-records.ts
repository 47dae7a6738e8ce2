import { type NamedRecords, type NamedSource, namedSources, type RuleData } from '@order-automation/contracts';
import type { Registry } from './registry';

/** Ids of records of the shop that a condition names. */
export type Naming = { readonly source: NamedSource; readonly label: string; readonly ids: readonly string[] };

const isNamed = (source: unknown): source is NamedSource => (namedSources as readonly unknown[]).includes(source);

/** The products, categories and tags that the conditions of a rule name: their settings of such an `x-search-source`. */
export function recordsNamedBy({ conditions }: RuleData, registry: Registry): Naming[] {
  return conditions.flatMap(({ id, settings }) => {
    const component = registry.conditions.get(id)?.component;
    if (!component) return [];
    const fields = (component.schema.properties ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    return Object.entries(fields).flatMap(([name, field]) => {
      const source = field['x-search-source'];
      if (!isNamed(source)) return [];
      const values: unknown[] = [settings[name]].flat();
      return [{ source, label: component.label, ids: values.filter((value) => typeof value === 'string') }];
    });
  });
}

const things: Readonly<Record<NamedSource, readonly [one: string, many: string]>> = {
  products: ['product', 'products'],
  categories: ['category', 'categories'],
  product_tags: ['product tag', 'product tags'],
};

/** What to say about those that the shop does not have; null when it has them all. */
export function missingText({ source, label, ids }: Naming, missing: NamedRecords): string | null {
  const unknown = ids.filter((id) => missing[source].includes(id));
  if (unknown.length === 0) return null;
  const [one, many] = things[source];
  const named = unknown.length === 1 ? `${one} ${unknown[0]}` : `${many} ${unknown.join(', ')}`;
  return `its condition "${label}" names ${named}, which the shop does not have`;
}
