import { type ComponentChoice, parseDecimal } from '@order-automation/contracts';
import type { Match } from '@order-automation/engine';
import { type ComparisonSettings, comparisonTest, plainStatuses } from '@order-automation/engine';

type Settings = ComponentChoice['settings'];

/** Conditions that compare the same number, by a name of that number. */
const numbers: Readonly<Record<string, (settings: Settings) => string>> = {
  order_total: () => 'order total',
  customer_order_count: () => 'number of other orders',
  item_count: ({ count = 'quantity' }) => (count === 'items' ? 'number of items' : 'number of pieces'),
};

type Member = { readonly subject: string; readonly values: readonly string[]; readonly isNot: boolean };

const lists = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Conditions whose one value must be, or must not be, among several. */
const members: Readonly<Record<string, (settings: Settings) => Member>> = {
  order_status: ({ statuses }) => ({ subject: 'order status', values: plainStatuses(lists(statuses)), isNot: false }),
  payment_method: ({ methods }) => ({ subject: 'payment method', values: lists(methods), isNot: false }),
  customer_role: ({ roles }) => ({ subject: 'customer role', values: lists(roles), isNot: false }),
  country: ({ address = 'billing', countries }) => ({
    subject: `${address} country`,
    values: lists(countries).map((country) => country.toUpperCase()),
    isNot: false,
  }),
  event_type: ({ event_types, operator }) => ({
    subject: 'event type',
    values: lists(event_types),
    isNot: operator === 'is_not',
  }),
  source_gateway: ({ gateways, operator, include_null }) => ({
    subject: 'source gateway',
    values: (include_null === true) === (operator === 'is_not') ? lists(gateways) : [...lists(gateways), '(none)'],
    isNot: operator === 'is_not',
  }),
};

/** The number that a condition compares. */
export function comparedNumber({ id, settings }: ComponentChoice): string | null {
  return Object.hasOwn(numbers, id) ? (numbers[id]?.(settings) ?? null) : null;
}

/** What a condition says of a subject that has one value. */
export function memberOf({ id, settings }: ComponentChoice): Member | null {
  return Object.hasOwn(members, id) ? (members[id]?.(settings) ?? null) : null;
}

/** Conditions about which of several values the items have, and the setting that holds the values. */
const selections: Readonly<Record<string, string>> = {
  product: 'products',
  product_category: 'categories',
  product_tag: 'tags',
  coupon: 'codes',
};

/** Smaller than any difference of money or counts. */
const hair = 0.000_01;

function numberProblem(subject: string, all: readonly ComparisonSettings[], isWhole: boolean): string | null {
  const tests = all.map(comparisonTest);
  const bounds = all.flatMap(({ amount: from, amount_to: to = from }) => [from, to]);
  const step = isWhole ? 1 : hair;
  const candidates = [0, ...bounds.flatMap((bound) => [bound - step, bound, bound + step])];
  const works = candidates.some((candidate) => {
    const value = candidate < 0 ? undefined : parseDecimal(candidate);
    return value !== undefined && tests.every((test) => test(value));
  });
  return works
    ? null
    : `no ${subject} can pass ${all.length === 1 ? 'the condition' : `all ${all.length} conditions`} about it`;
}

function memberProblem(subject: string, all: readonly Member[]): string | null {
  const allowed = all.filter(({ isNot }) => !isNot).map(({ values }) => new Set(values));
  const [first, ...others] = allowed;
  if (!first) return null;
  const refused = new Set(all.filter(({ isNot }) => isNot).flatMap(({ values }) => values));
  const left = [...first].filter((value) => others.every((set) => set.has(value)) && !refused.has(value));
  return left.length > 0 ? null : `no ${subject} can pass all ${all.length} conditions about it`;
}

type Selected = { readonly match: Match; readonly values: readonly string[] };

/** What `none` forbids cannot be what `any` or `all` ask for. */
function selectionProblem(id: string, all: readonly Selected[]): string | null {
  const forbidden = new Set(all.filter(({ match }) => match === 'none').flatMap(({ values }) => values));
  const asked = all.filter(({ match }) => match !== 'none');
  const impossible = asked.some(({ match, values }) =>
    id === 'coupon' && match === 'all'
      ? values.some((value) => forbidden.has(value))
      : values.every((value) => forbidden.has(value)),
  );
  return impossible ? `the conditions ${id} ask for what they forbid` : null;
}

function grouped<T>(items: readonly (readonly [string, T])[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const [key, item] of items) groups.set(key, [...(groups.get(key) ?? []), item]);
  return groups;
}

function metaProblems(conditions: readonly ComponentChoice[]): string[] {
  const said = grouped(
    conditions.flatMap(({ id, settings }) => (id === 'order_meta' ? [[String(settings.key), settings]] : [])),
  );
  return [...said].flatMap(([key, all]) => {
    const of = (...operators: string[]) => all.filter(({ operator }) => operators.includes(String(operator)));
    const wanted = of('is', 'contains', 'starts_with', 'exists');
    const isAndIsNot = of('is').some(({ value }) => of('is_not').some((other) => other.value === value));
    const clash = (wanted.length > 0 && of('not_exists').length > 0) || isAndIsNot;
    return clash ? [`no order field ${key} can pass all ${all.length} conditions about it`] : [];
  });
}

/**
 * Why conditions can never all pass, as clauses; none when nothing speaks against it. What it does not know it takes to be possible: no contradiction
 * is claimed that is none.
 */
export function contradictions(conditions: readonly ComponentChoice[]): string[] {
  const compared = grouped(
    conditions.flatMap((condition) => {
      const number = comparedNumber(condition);
      return number === null ? [] : [[number, condition.settings as ComparisonSettings] as const];
    }),
  );
  const chosen = grouped(
    conditions.flatMap((condition) => {
      const member = memberOf(condition);
      return member === null ? [] : [[member.subject, member] as const];
    }),
  );
  const selected = grouped(
    conditions.flatMap(({ id, settings }) => {
      const field = Object.hasOwn(selections, id) ? selections[id] : undefined;
      if (field === undefined) return [];
      const values = lists(settings[field]).map((one) => one.toLowerCase());
      return [[id, { match: (settings.match ?? 'any') as Match, values }] as const];
    }),
  );
  const problems = [
    ...[...compared].map(([subject, all]) => numberProblem(subject, all, subject !== 'order total')),
    ...[...chosen].map(([subject, all]) => memberProblem(subject, all)),
    ...[...selected].map(([id, all]) => selectionProblem(id, all)),
  ];
  return [...problems.filter((problem) => problem !== null), ...metaProblems(conditions)];
}
