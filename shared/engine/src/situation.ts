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

const roots: Readonly<Record<string, (facts: Facts) => unknown>> = {
  order: ({ context }) => context.order,
  products: ({ context }) => context.products,
  occurrence: ({ occurrence }) => occurrence,
  customer: ({ customer }) => customer,
};

/**
 * The facts after changes whose fields are paths such as `order.total`, `order.line_items.0.quantity`, `products`, `customer.role` and `now`. A
 * field of nothing (`order.refunds.3`) is left as it is.
 */
export function withChanges(facts: Facts, changes: readonly FieldChange[]): Facts {
  const copy = structuredClone(facts) as { -readonly [Key in keyof Facts]: Facts[Key] };
  for (const { field, to } of changes) {
    const [root = '', ...path] = field.split('.');
    if (root === 'now') copy.now = to as number;
    else if (root === 'products' && path.length === 0) copy.context = { ...copy.context, products: to as never };
    else setAt(roots[root]?.(copy), path, to);
  }
  return copy;
}

function setAt(target: unknown, path: readonly string[], to: unknown): void {
  const last = path.at(-1);
  let at = target;
  for (const key of path.slice(0, -1)) at = isObject(at) ? at[key] : undefined;
  if (isObject(at) && last !== undefined) at[last] = to;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
