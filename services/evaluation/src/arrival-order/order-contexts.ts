import { type ComponentChoice, isoTime, orderSchema, type RuleRecord } from '@order-automation/contracts';
import { compileRule, type Facts, type Registry, withChanges } from '@order-automation/engine';

/** Conditions on what the life of a payment brings about. */
const ofLife: ReadonlySet<string> = new Set(['order_status', 'event_type', 'source_gateway', 'event_verified']);

function plainFacts(now: number, timeZone: string): Facts {
  const at = isoTime(now);
  const money = { status: 'pending', currency: 'EUR', total: '100.00', date_created: at, date_modified: at };
  const line_items = [{ product_id: 1, quantity: 1 }];
  const order = orderSchema.parse({
    id: 1,
    number: '1',
    ...money,
    customer_id: 1,
    billing: {},
    shipping: {},
    line_items,
  });
  const products = [{ id: 1, name: 'Product', type: 'simple', category_ids: [], tag_ids: [] }];
  const customer = { role: 'customer', order_count: 0 };
  return { context: { order, products }, occurrence: null, customer, now, timeZone };
}

type OfOrder = {
  readonly record: RuleRecord;
  /** Another rule may look at what it does. */
  readonly isNoticed: boolean;
  readonly holds: (facts: Facts) => boolean;
  readonly changed: (facts: Facts) => Facts;
};

/** The conditions of a rule that are about the order alone, and what would fulfil them. */
function ofOrder(record: RuleRecord, fieldsSet: ReadonlySet<unknown>, registry: Registry): OfOrder {
  const isOfOrder = ({ id, settings }: ComponentChoice): boolean =>
    !ofLife.has(id) && !(id === 'order_meta' && fieldsSet.has(settings.key));
  const rule = { ...record.rule, conditions: record.rule.conditions.filter(isOfOrder) };
  const { match, conditions } = compileRule({ ...record, rule }, registry);
  const changed = (facts: Facts): Facts => {
    try {
      return conditions.reduce((so, one) => withChanges(so, one.nearest(so) ?? []), facts);
    } catch {
      // A condition of an extension may throw.
      return facts;
    }
  };
  const isNoticed = rule.primaryAction !== null || rule.secondaryActions.some(({ id }) => id === 'set_order_meta');
  return { record, isNoticed, holds: (facts) => match(facts).matched, changed };
}

/** An order changed for one rule after the other, as long as those before still hold. */
function fulfilling(rules: readonly OfOrder[], plain: Facts) {
  let facts = plain;
  const kept: OfOrder[] = [];
  for (const rule of rules) {
    const tried = rule.holds(facts) ? facts : rule.changed(facts);
    if (![...kept, rule].every(({ holds }) => holds(tried))) continue;
    facts = tried;
    kept.push(rule);
  }
  return { facts, kept };
}

/** Orders that are made up for one set of rules. */
const maxContexts = 60;

/**
 * Orders such that any two rules which can hold for one order do so in one of them. `unreached`: rules whose conditions no order fulfils that was made up.
 * `isTruncated`: some orders may be missing.
 */
export function orderContexts(records: readonly RuleRecord[], registry: Registry, now: number, timeZone: string) {
  const actions = records.flatMap(({ rule }) => rule.secondaryActions);
  const fieldsSet = new Set(actions.flatMap(({ id, settings }) => (id === 'set_order_meta' ? [settings.key] : [])));
  const all = records.map((record) => ofOrder(record, fieldsSet, registry));
  const plain = plainFacts(now, timeZone);
  const contexts: ReturnType<typeof fulfilling>[] = [];
  const isMissing = (pair: readonly OfOrder[]) =>
    (pair.length === 1 || pair.some(({ isNoticed }) => isNoticed)) &&
    !contexts.some(({ kept }) => pair.every((rule) => kept.includes(rule))) &&
    fulfilling(pair, plain).kept.length === pair.length;
  for (const one of all)
    for (const other of all)
      if (contexts.length < maxContexts && isMissing([...new Set([one, other])]))
        contexts.push(fulfilling([...new Set([one, other, ...all])], plain));
  const unreached = all.filter((rule) => !contexts.some(({ kept }) => kept.includes(rule)));
  return { contexts, unreached: unreached.map(({ record }) => record), isTruncated: contexts.length === maxContexts };
}
