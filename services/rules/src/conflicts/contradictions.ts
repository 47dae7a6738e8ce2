import { type ComponentChoice, parseDecimal } from '@order-automation/contracts';
import { type ComparisonSettings, comparisonTest, type Match, plainStatuses } from '@order-automation/engine';

type Settings = ComponentChoice['settings'];

/** What a condition wants of a subject: of a number, of one value, or of several values. */
type Claim = { readonly subject: string } & (
  | { readonly number: ComparisonSettings }
  | { readonly oneOf: readonly string[]; readonly isNot: boolean }
  | { readonly someOf: readonly string[]; readonly match: Match }
);

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const number = (subject: string, settings: Settings): Claim => ({ subject, number: settings as ComparisonSettings });
const oneOf = (subject: string, values: readonly string[], isNot = false): Claim => ({ subject, oneOf: values, isNot });
const someOf = (subject: string, values: readonly string[], match: unknown = 'any'): Claim => ({
  subject,
  someOf: values.map((value) => value.toLowerCase()),
  match: match as Match,
});
/** Items have some of the values: `all` is about each item, not about each value. */
const items = (subject: string, values: unknown, match: unknown): Claim =>
  someOf(subject, texts(values), match === 'none' ? 'none' : 'any');

/** By id of the condition. */
const claims: Readonly<Record<string, (settings: Settings) => Claim | null>> = {
  order_total: (settings) => number('order total', settings),
  customer_order_count: (settings) => number('number of other orders', settings),
  item_count: (settings) => number(settings.count === 'items' ? 'number of items' : 'number of pieces', settings),
  order_status: ({ statuses }) => oneOf('order status', plainStatuses(texts(statuses))),
  payment_method: ({ methods }) => oneOf('payment method', texts(methods)),
  customer_role: ({ roles }) => oneOf('customer role', texts(roles)),
  country: ({ address = 'billing', countries }) =>
    oneOf(
      `${address} country`,
      texts(countries).map((country) => country.toUpperCase()),
    ),
  event_type: ({ event_types, operator }) => oneOf('event type', texts(event_types), operator === 'is_not'),
  source_gateway: ({ gateways, operator, include_null }) => {
    const isNot = operator === 'is_not';
    const allowsNone = (include_null === true) !== isNot;
    // An event of a connection is one of the generic gateway too: asking for both is possible.
    const named = texts(gateways).flatMap((one) => (!isNot && one.startsWith('generic/') ? [one, 'generic'] : one));
    return oneOf('source gateway', allowsNone ? [...named, '(none)'] : named, isNot);
  },
  product: ({ products, match }) => items('product', products, match),
  product_category: ({ categories, match }) => items('product_category', categories, match),
  product_tag: ({ tags, match }) => items('product_tag', tags, match),
  coupon: ({ codes, match }) => someOf('coupon', texts(codes), match),
  order_meta: ({ key, operator, value }) => {
    const subject = `order_meta ${key}`;
    if (operator === 'not_exists') return someOf(subject, ['(any)'], 'none');
    const [is, isNot] = [operator === 'is' || operator === 'eq', operator === 'is_not' || operator === 'ne'];
    const exact = JSON.stringify(value ?? '');
    if (is) return { subject, someOf: [exact, '(any)'], match: 'all' };
    if (isNot) return { subject, someOf: [exact], match: 'none' };
    return operator === 'not_contains' ? null : someOf(subject, ['(any)']);
  },
};

/** Smaller than any difference of money or of pieces. */
const hair = 0.000_01;

function isAnyNumber(subject: string, all: readonly ComparisonSettings[]): boolean {
  const tests = all.map(comparisonTest);
  const step = /^number of (?:items|other orders)$/.test(subject) ? 1 : hair;
  const bounds = all.flatMap(({ amount: from, amount_to: to = from }) => [from, to]);
  const candidates = [0, ...bounds.flatMap((bound) => [bound - step, bound, bound + step])];
  return candidates.some((candidate) => {
    const value = candidate < 0 ? undefined : parseDecimal(candidate);
    return value !== undefined && tests.every((test) => test(value));
  });
}

function problemOf(subject: string, all: readonly Claim[]): string | null {
  const impossible = `no ${subject} can pass ${all.length === 1 ? 'the condition' : `all ${all.length} conditions`} about it`;
  const numbers = all.flatMap((claim) => ('number' in claim ? claim.number : []));
  if (numbers.length > 0) return isAnyNumber(subject, numbers) ? null : impossible;
  const single = all.flatMap((claim) => ('oneOf' in claim ? claim : []));
  const [first, ...others] = single.filter(({ isNot }) => !isNot);
  if (first) {
    const refused = new Set(single.flatMap((claim) => (claim.isNot ? claim.oneOf : [])));
    const isPossible = (value: string) => !refused.has(value) && others.every((other) => other.oneOf.includes(value));
    return first.oneOf.some(isPossible) ? null : impossible;
  }
  const several = all.flatMap((claim) => ('someOf' in claim ? claim : []));
  const forbidden = new Set(several.flatMap(({ match, someOf }) => (match === 'none' ? someOf : [])));
  const isForbidden = (value: string) => forbidden.has(value);
  const isImpossible = several.some(({ match, someOf }) =>
    match === 'all' ? someOf.some(isForbidden) : match === 'any' && someOf.every(isForbidden),
  );
  return isImpossible ? `the conditions ${subject} ask for what they forbid` : null;
}

/** Why conditions can never all pass, as clauses. What is unknown counts as possible: no contradiction is claimed that is none. */
export function contradictions(conditions: readonly ComponentChoice[]): string[] {
  const bySubject = new Map<string, Claim[]>();
  for (const { id, settings } of conditions) {
    const claim = Object.hasOwn(claims, id) ? claims[id]?.(settings) : null;
    if (claim) bySubject.set(claim.subject, [...(bySubject.get(claim.subject) ?? []), claim]);
  }
  return [...bySubject].flatMap(([subject, all]) => problemOf(subject, all) ?? []);
}
