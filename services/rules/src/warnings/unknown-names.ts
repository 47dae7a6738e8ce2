import {
  isGenericType,
  maxNamedRecords,
  type NamedSource,
  namedSources,
  orderStatuses,
  type RuleData,
  type RuleRecord,
  type RuleWarning,
} from '@order-automation/contracts';
import { plainStatus, type Registry } from '@order-automation/engine';
import type { RulesDeps } from '../deps';

/** `isTruncated` of more records than the shop is asked for at once. */
type Unknown = { readonly warnings: RuleWarning[]; readonly isTruncated: boolean };

/** Milliseconds for an answer. */
const timeout = 1_000;

type Asking = Pick<RulesDeps, 'bus' | 'registry' | 'telemetry'>;
type Named = Pick<RuleRecord, 'name' | 'rule'> & { readonly id?: number | null };

/**
 * Warns of triggers and conditions that name what the shop does not have. The shop is asked once, for the first 1,000 ids of products, categories and tags
 * each, and for each other list that is named. Of what it does not answer in time there are no such warnings.
 */
export async function unknownRecords(records: readonly Named[], deps: Asking): Promise<Unknown> {
  const named = records.flatMap(({ id, name, rule }) =>
    recordsNamedBy(rule, deps.registry).map((naming) => ({ rule_ids: id ? [id] : [], name, naming })),
  );
  const missing = new Map<string, ReadonlySet<string>>();
  const idsOf = (source: Source): string[] => [
    ...new Set(named.flatMap(({ naming }) => (naming.source === source ? naming.ids : []))),
  ];
  await Promise.all([
    missingByIds(idsOf, missing, deps),
    ...listedSources.map(async (source) => missing.set(source, await notListed(source, idsOf(source), deps))),
  ]);
  const warnings = named.flatMap(({ rule_ids, name, naming }): RuleWarning[] => {
    const problem = missingText(naming, missing.get(naming.source));
    return problem === null ? [] : [{ code: 'unknown_record', rule_ids, message: `Rule "${name}": ${problem}.` }];
  });
  return { warnings, isTruncated: namedSources.some((source) => idsOf(source).length > maxNamedRecords) };
}

/** Adds those products, categories and tags that the shop does not have. */
async function missingByIds(
  idsOf: (source: NamedSource) => string[],
  missing: Map<string, ReadonlySet<string>>,
  { bus, telemetry }: Asking,
): Promise<void> {
  const few = (source: NamedSource) => idsOf(source).slice(0, maxNamedRecords);
  const asked = { products: few('products'), categories: few('categories'), product_tags: few('product_tags') };
  if (namedSources.every((source) => asked[source].length === 0)) return;
  const known = await bus.request('shop.record.known.v1', asked, { timeout }).catch(telemetry.unchecked);
  for (const source of namedSources) missing.set(source, new Set(known?.missing[source]));
}

/** Lists of a shop that one page of the search shows whole. */
const listedSources = ['users', 'order_statuses', 'payment_methods', 'shipping_methods'] as const;
const wholePage = 100;
/** Where roles are hidden, `guest` is the only one. */
const unlisted: ReadonlySet<string> = new Set([...orderStatuses, 'auto-draft', 'guest']);

/** Those that the list does not have. A shipping method of a zone (`flat_rate:3`) is there where its kind is. */
async function notListed(
  source: (typeof listedSources)[number],
  ids: readonly string[],
  { bus, telemetry }: Asking,
): Promise<ReadonlySet<string>> {
  const named = ids.filter((id) => !unlisted.has(id));
  if (named.length === 0) return new Set();
  const asked = { source, search: '', limit: wholePage };
  const answer = await bus.request('shop.search.v1', asked, { timeout }).catch(telemetry.unchecked);
  const listed = (answer?.results ?? []).map(({ value }) => idOf(source, value)).filter((id) => id !== 'guest');
  if (listed.length === 0 || listed.length >= wholePage - 1) return new Set();
  return new Set(named.filter((id) => !listed.includes(id)));
}

type Source = NamedSource | (typeof listedSources)[number];

/** Records of the shop that a trigger or a condition names. `isOnly`: none passes but these. */
type Naming = {
  readonly source: Source;
  readonly by: string;
  readonly ids: readonly string[];
  readonly isOnly: boolean;
};

const isSource = (source: unknown): source is Source => typeof source === 'string' && source in things;

const idOf = (source: Source, id: string): string => {
  if (source === 'order_statuses') return plainStatus(id);
  return source === 'shipping_methods' ? id.replace(/:.*/s, '') : id;
};

/** What the trigger and the conditions of a rule name: their settings with an `x-search-source`. */
function recordsNamedBy({ trigger, conditions }: RuleData, registry: Registry): Naming[] {
  const parts = [
    { kind: 'trigger', component: registry.triggers.get(trigger.id)?.component, settings: trigger.settings },
    ...conditions.map(({ id, settings }) => ({
      kind: 'condition',
      component: registry.conditions.get(id)?.component,
      settings,
    })),
  ];
  return parts.flatMap(({ kind, component, settings }) => {
    if (!component) return [];
    const fields = (component.schema.properties ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    return Object.entries(fields).flatMap(([name, { 'x-search-source': source }]): Naming[] => {
      if (!isSource(source)) return [];
      const ids = [settings[name]].flat().filter((value) => typeof value === 'string');
      const by = `its ${kind} "${component.label}"`;
      return [{ source, by, ids: ids.map((id) => idOf(source, id)), isOnly: settings.match !== 'none' }];
    });
  });
}

const things: Readonly<Record<Source, readonly [one: string, many: string]>> = {
  products: ['product', 'products'],
  categories: ['category', 'categories'],
  product_tags: ['product tag', 'product tags'],
  users: ['role', 'roles'],
  order_statuses: ['order status', 'order statuses'],
  payment_methods: ['payment method', 'payment methods'],
  shipping_methods: ['shipping method', 'shipping methods'],
};

/** What to say about those that the shop does not have; null when it has them all. */
function missingText({ source, by, ids, isOnly }: Naming, missing: ReadonlySet<string> | undefined): string | null {
  const unknown = ids.filter((id) => missing?.has(id));
  if (unknown.length === 0) return null;
  const [one, many] = things[source];
  const named = unknown.length === 1 ? `${one} ${unknown[0]}` : `${many} ${unknown.join(', ')}`;
  const isAll = isOnly && unknown.length === ids.length;
  // Orders may have what no list has any more, and the built-in shop lists no plugin's methods.
  if (source === 'payment_methods' || source === 'shipping_methods')
    return `${by} names ${named}, which the shop does not list${isAll ? '; the rule matches no order without it' : ''}`;
  return `${by} names ${named}, which the shop does not have${isAll ? '; the rule matches no order until it has' : ''}`;
}

const maxNames = 200;

/** Warns of events that no gateway has sent, and of senders that are neither a gateway nor a connection. When intake does not answer in time there is no such warning. */
export async function unknownToIntake(
  { id, name, rule }: Pick<RuleRecord, 'id' | 'name' | 'rule'>,
  { bus, telemetry }: Pick<RulesDeps, 'bus' | 'telemetry'>,
): Promise<RuleWarning[]> {
  const named = (field: 'event_types' | 'gateways'): string[] =>
    [rule.trigger, ...rule.conditions].flatMap(({ settings }) => [settings[field] ?? []].flat().map(String));
  const event_types = named('event_types').filter((one) => !isGenericType(one));
  const asked = { event_types: event_types.slice(0, maxNames), senders: named('gateways').slice(0, maxNames) };
  if (asked.event_types.length + asked.senders.length === 0) return [];
  const checked = await bus.request('intake.event-type.check.v1', asked, { timeout }).catch(telemetry.unchecked);
  const events = (checked?.unknown ?? []).map((event): RuleWarning => {
    const message = `Rule "${name}": no gateway has sent an event named "${event}" yet. Check its spelling; the rule runs when one arrives.`;
    return { code: 'unknown_event', rule_ids: [id], message };
  });
  const senders = (checked?.unknown_senders ?? []).map((sender): RuleWarning => {
    const message = `Rule "${name}": there is no gateway and no connection "${sender}". Check its spelling, or connect it.`;
    return { code: 'unknown_sender', rule_ids: [id], message };
  });
  return [...events, ...senders];
}
