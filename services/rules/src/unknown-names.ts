import {
  isGenericType,
  maxNamedRecords,
  type NamedRecords,
  type NamedSource,
  namedSources,
  type RuleData,
  type RuleRecord,
  type RuleWarning,
} from '@order-automation/contracts';
import type { Registry } from '@order-automation/engine';
import type { RulesDeps } from './deps';

/** `isTruncated` of more records than the shop is asked for at once. */
type Unknown = { readonly warnings: RuleWarning[]; readonly isTruncated: boolean };
const none: Unknown = { warnings: [], isTruncated: false };

/** Milliseconds for an answer. */
const timeout = 1_000;

/**
 * Warns of conditions that name a product, category or tag that the shop does not have. The shop is asked once, for the first 1,000 ids of each
 * kind. When it does not answer in time there are no such warnings.
 */
export async function unknownRecords(
  records: readonly Pick<RuleRecord, 'id' | 'name' | 'rule'>[],
  { bus, registry, telemetry }: Pick<RulesDeps, 'bus' | 'registry' | 'telemetry'>,
): Promise<Unknown> {
  const named = records.flatMap(({ id, name, rule }) =>
    recordsNamedBy(rule, registry).map((naming) => ({ id, name, naming })),
  );
  if (named.length === 0) return none;
  let isTruncated = false;
  const idsOf = (source: keyof NamedRecords): string[] => {
    const ids = new Set(named.flatMap(({ naming }) => (naming.source === source ? naming.ids : [])));
    isTruncated ||= ids.size > maxNamedRecords;
    return [...ids].slice(0, maxNamedRecords);
  };
  const asked = { products: idsOf('products'), categories: idsOf('categories'), product_tags: idsOf('product_tags') };
  const known = await bus.request('shop.record.known.v1', asked, { timeout }).catch(telemetry.unchecked);
  if (!known) return none;
  const warnings = named.flatMap(({ id, name, naming }): RuleWarning[] => {
    const problem = missingText(naming, known.missing);
    return problem === null ? [] : [{ code: 'unknown_record', rule_ids: [id], message: `Rule "${name}": ${problem}.` }];
  });
  return { warnings, isTruncated };
}

/** Ids of records of the shop that a condition names. */
type Naming = { readonly source: NamedSource; readonly label: string; readonly ids: readonly string[] };

const isNamed = (source: unknown): source is NamedSource => (namedSources as readonly unknown[]).includes(source);

/** The products, categories and tags that the conditions of a rule name: their settings of such an `x-search-source`. */
function recordsNamedBy({ conditions }: RuleData, registry: Registry): Naming[] {
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
function missingText({ source, label, ids }: Naming, missing: NamedRecords): string | null {
  const unknown = ids.filter((id) => missing[source].includes(id));
  if (unknown.length === 0) return null;
  const [one, many] = things[source];
  const named = unknown.length === 1 ? `${one} ${unknown[0]}` : `${many} ${unknown.join(', ')}`;
  return `its condition "${label}" names ${named}, which the shop does not have`;
}

const maxNames = 200;

/** Warns of a trigger on names of events that no gateway has sent. When intake does not answer in time there is no such warning. */
export async function unknownEvents(
  { id, name, rule }: Pick<RuleRecord, 'id' | 'name' | 'rule'>,
  { bus, telemetry }: Pick<RulesDeps, 'bus' | 'telemetry'>,
): Promise<RuleWarning[]> {
  const { event_types } = rule.trigger.settings;
  if (rule.trigger.id !== 'webhook_event' || !Array.isArray(event_types)) return [];
  const names = event_types.map(String).filter((one) => !isGenericType(one));
  if (names.length === 0) return [];
  const asked = { event_types: names.slice(0, maxNames) };
  const checked = await bus.request('intake.event-type.check.v1', asked, { timeout }).catch(telemetry.unchecked);
  const text = (event: string) =>
    `Rule "${name}": no gateway has sent an event named "${event}" yet. Check its spelling; the rule runs when one arrives.`;
  return (checked?.unknown ?? []).map((event) => ({ code: 'unknown_event', rule_ids: [id], message: text(event) }));
}
