import {
  type CustomerFacts,
  type FieldChange,
  isoTime,
  type Occurrence,
  type Order,
  type OrderContext,
  orderSchema,
  type ProductFacts,
} from '@order-automation/contracts';
import type { Facts } from '@order-automation/engine';
import { isSensitiveName, redactText } from '@order-automation/service';
import type { EvaluationDocument, RuleStep } from '../evaluation-document';

/**
 * What an event found, as far as conditions read it, so that a rule can be tried on it later: no names, addresses, e-mail addresses, phone numbers or
 * notes. Kept with the document of the event as long as the log is.
 */
export type RecordedFacts = {
  /** Without fields that are empty, and without those that the document of the event has. */
  readonly order: Readonly<Record<string, unknown>>;
  /** Of the order, by whose erasure the facts are found. */
  readonly customer_id: number;
  readonly products: readonly (Omit<ProductFacts, 'name'> & { readonly name?: undefined })[];
  /** Where a rule that listens asked for it. */
  readonly customer?: CustomerFacts;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Fields of the order that are not kept: personal, or too long. */
  readonly omitted?: readonly string[];
  /** What happened; absent until the event is done. */
  readonly happened?: Pick<Occurrence, 'type' | 'from_status' | 'to_status' | 'rule_id'>;
  /** What rules found that were decided after another had moved the order, or later than at the reception. */
  readonly moments?: readonly Moment[];
  /** What rules changed of the order, in order of running. */
  readonly acted?: readonly Acted[];
  /** The rule that ended the processing. */
  readonly stopped_by?: number;
};

/** What was different from the facts of the reception when rules were decided. */
export type Found = {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Null where a field had become empty. */
  readonly order: RecordedFacts['order'];
  readonly customer?: CustomerFacts;
};
type Moment = Found & { readonly rule_ids: readonly number[] };

export type Acted = { readonly rule_id: number; readonly changes: readonly FieldChange[] };

/** An order with more of them is not recorded. */
const maxLines = 100;
const maxFields = 40;
const longestValue = 120;
const personal = /@|\+?\d(?:[ ()/.-]?\d){8,}/;

type Field = { readonly key: string; readonly value: unknown };

/** Short values that name nobody. */
function isKept({ key, value }: Field): boolean {
  if (isSensitiveName(key)) return false;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length <= longestValue && !personal.test(text) && redactText(text) === text;
}

/** Null when the order is too large to be kept. `now` in milliseconds since the epoch. */
export function recordedFacts({ order, products }: OrderContext, now: number): RecordedFacts | null {
  if (order.line_items.length > maxLines) return null;
  const fields = order.meta_data.map(({ key, value }) => ({ key, value }));
  const kept = fields.filter(isKept).slice(0, maxFields);
  const names = new Set(kept.map(({ key }) => key));
  const omitted = [...new Set(fields.map(({ key }) => key).filter((key) => !names.has(key)))];
  return {
    order: keptOf(order, kept),
    customer_id: order.customer_id,
    products: products.map((product) => ({ ...product, name: undefined })),
    at: now,
    ...(omitted.length > 0 ? { omitted } : {}),
  };
}

/** Undefined where the facts of the reception are not kept. */
export function foundSince(
  first: RecordedFacts | null | undefined,
  { context, customer, now }: Facts,
): Found | undefined {
  const found = first && recordedFacts(context, now);
  if (!found) return undefined;
  const changed = Object.entries(found.order).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(first.order[field]),
  );
  const order = Object.fromEntries(changed.map(([field, value]) => [field, value ?? null]));
  return { at: now, order, ...(customer ? { customer } : {}) };
}

/** Undefined fields are not stored. */
function keptOf(order: Order, meta_data: readonly Field[]): RecordedFacts['order'] {
  const { status, currency, total, payment_method, date_created, date_modified, status_since } = order;
  return {
    status: unlessEmpty(status),
    currency: unlessEmpty(currency),
    total: unlessEmpty(total),
    payment_method: unlessEmpty(payment_method),
    date_created: unlessEmpty(date_created),
    date_modified: status_since === undefined ? unlessEmpty(date_modified) : undefined,
    status_since,
    meta_data: unlessEmpty(meta_data),
    tags: unlessEmpty(order.tags),
    coupon_lines: unlessEmpty(order.coupon_lines?.map(({ code }) => ({ code }))),
    billing: countryOf(order.billing),
    shipping: countryOf(order.shipping),
    line_items: unlessEmpty(
      order.line_items.map(({ product_id, variation_id, quantity }) => ({ product_id, variation_id, quantity })),
    ),
    shipping_lines: unlessEmpty(order.shipping_lines.map(({ method_id, instance_id }) => ({ method_id, instance_id }))),
  };
}

const countryOf = ({ country }: Order['billing'] | Order['shipping']) => (country === '' ? undefined : { country });

const unlessEmpty = <T extends string | readonly unknown[]>(value: T | undefined): T | undefined =>
  value?.length === 0 ? undefined : value;

/** The order as it was recorded; what is not kept is empty. */
function orderOf({ order: recorded, customer_id }: RecordedFacts, id: number): Order {
  const order = Object.fromEntries(Object.entries(recorded).filter(([, value]) => value !== null));
  const { status_since, date_created } = order;
  const empty = { billing: {}, shipping: {}, line_items: [], date_modified: status_since ?? date_created };
  return orderSchema.parse({ ...empty, ...order, id, number: String(id), customer_id });
}

/** What the steps of an event did to the order, for rules that would have run after them. */
export function factsAtEnd(
  facts: RecordedFacts | null | undefined,
  occurrence: Occurrence | null,
  steps: readonly RuleStep[],
): RecordedFacts | null {
  if (!facts || occurrence === null) return null;
  const acted = steps.flatMap(({ rule_id, actions }): Acted[] => {
    const changes = actions.flatMap(({ result }) =>
      result?.status === 'applied' ? result.changes.filter(isRead) : [],
    );
    return changes.length > 0 ? [{ rule_id, changes }] : [];
  });
  const found = new Set(steps.flatMap((step) => step.found ?? []));
  const moments = [...found].map(
    (one): Moment => ({ ...one, rule_ids: steps.filter((step) => step.found === one).map((step) => step.rule_id) }),
  );
  const stop = steps.find((step) => step.stop);
  const { type, from_status, to_status, rule_id } = occurrence;
  return {
    ...facts,
    happened: { type, from_status, to_status, ...(rule_id === undefined ? {} : { rule_id }) },
    ...(moments.length > 0 ? { moments } : {}),
    ...(acted.length > 0 ? { acted } : {}),
    ...(stop ? { stopped_by: stop.rule_id } : {}),
  };
}

/** Changes that a condition may read. */
const isRead = ({ field, to }: FieldChange): boolean =>
  field === 'status' ||
  field === 'tags' ||
  (field.startsWith('meta_data.') && isKept({ key: field.slice(10), value: to }));

/** The facts as the event found them. Null where they are not whole. */
export const factsAtFirst = (document: FactsDocument, timeZone: string): Facts | null =>
  factsAt(document, undefined, [], timeZone);

/** The rules that were decided before a rule, in order; `isOwn`: the last of them is the rule itself. */
export type Before = { readonly rules: readonly number[]; readonly isOwn: boolean };

/** The facts as the rule found them, or, where it was not evaluated, as the last rule before it left them. Null where they are not whole. */
export function factsThen(document: FactsDocument, { rules, isOwn }: Before, timeZone: string): Facts | null {
  const { moments = [], acted = [] } = document.facts ?? {};
  const last = rules.at(-1);
  const moment = moments.find(({ rule_ids }) => rule_ids.some((id) => id === last));
  const since = acted.filter(({ rule_id }) => rules.includes(rule_id) && (!moment || rule_id === last));
  return factsAt(document, moment, isOwn ? since.filter(({ rule_id }) => rule_id !== last) : since, timeZone);
}

function factsAt(
  document: FactsDocument,
  moment: Found | undefined,
  acted: readonly Acted[],
  timeZone: string,
): Facts | null {
  const { order_id, cause } = document;
  if (!document.facts?.happened || order_id === null) return null;
  const facts = { ...document.facts, ...moment, order: { ...document.facts.order, ...moment?.order } };
  const { customer = null, at, products, happened = document.facts.happened } = facts;
  let order = orderOf(facts, order_id);
  for (const change of acted.flatMap(({ changes }) => changes)) order = withChange(order, change, at);
  const { gateway, authenticated } = cause;
  const occurrence: Occurrence = {
    ...happened,
    key: '',
    order_id,
    transaction_id: null,
    event_type: gateway === null ? null : cause.event_type,
    gateway,
    authenticated,
    at: isoTime(at),
  };
  const context = { order, products: products.map((product) => ({ ...product, name: '' })) };
  return { context, occurrence, customer, now: at, timeZone };
}

type FactsDocument = Pick<EvaluationDocument, 'facts' | 'order_id' | 'cause'>;

function withChange(order: Order, { field, to }: FieldChange, at: number): Order {
  if (field === 'status') return { ...order, status: String(to), status_since: isoTime(at) };
  if (field === 'tags') return { ...order, tags: [...(order.tags ?? []), String(to)] };
  const key = field.replace('meta_data.', '');
  return { ...order, meta_data: [...order.meta_data.filter((meta) => meta.key !== key), { key, value: to }] };
}
