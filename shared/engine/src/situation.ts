import type { CustomerFacts, FieldChange, Occurrence, OrderContext } from '@order-automation/contracts';

/**
 * All that a rule may look at: the order as it is, what happened, the customer where a condition asks for it, and the time. `now` is in
 * milliseconds since the epoch, `timeZone` an IANA name. There is no occurrence when a rule is only tested.
 */
export type Facts = {
  readonly context: OrderContext;
  readonly occurrence: Occurrence | null;
  readonly customer: CustomerFacts | null;
  readonly now: number;
  readonly timeZone: string;
};

/** The facts, and the rule that looks at them. */
export type Situation = Facts & { readonly rule: { readonly id: number; readonly name: string } };

/** What a component may ask for beyond the order: loaded once per event, and only when a rule that listens needs it. */
export type Need = 'customer';

/** Where the fields of a change begin in the facts. */
const places: Readonly<Record<string, readonly string[]>> = {
  order: ['context', 'order'],
  products: ['context', 'products'],
  occurrence: ['occurrence'],
  customer: ['customer'],
  now: ['now'],
};

/**
 * The facts after changes whose fields are paths such as `order.total`, `order.line_items.0.quantity`, `products`, `customer.role` and `now`. A
 * field of nothing (`order.refunds.3`) is left as it is. What no change is about is shared with the facts before.
 */
export function withChanges(facts: Facts, changes: readonly FieldChange[]): Facts {
  return changes.reduce((changed, { field, to }) => {
    const [root = '', ...path] = field.split('.');
    const place = places[root];
    return place ? (withValue(changed, [...place, ...path], to) as Facts) : changed;
  }, facts);
}

function withValue(target: unknown, [key, ...path]: readonly string[], to: unknown): unknown {
  if (key === undefined) return to;
  if (typeof target !== 'object' || target === null) return target;
  const copy = (Array.isArray(target) ? [...target] : { ...target }) as Record<string, unknown>;
  if (path.length === 0 || key in copy) copy[key] = withValue(copy[key], path, to);
  return copy;
}
