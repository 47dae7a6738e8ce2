import {
  compareDecimals,
  type Decimal,
  type FieldChange,
  formatDecimal,
  parseDecimal,
  type Violation,
} from '@order-automation/contracts';
import { amountText, decimalsOf } from './amount';
import { type Condition, condition } from './component';
import { type SettingsSchema, settingsOf } from './settings-schema';
import type { Facts } from './situation';

const symbols = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '==': 'eq', '!=': 'ne' } as const;
/** In words, and whether a value holds that compares so to the amount (below, at or above 0) and to the upper bound. */
const operators = {
  gt: { words: 'more than', holds: (from: number) => from > 0 },
  gte: { words: 'at least', holds: (from: number) => from >= 0 },
  lt: { words: 'less than', holds: (from: number) => from < 0 },
  lte: { words: 'at most', holds: (from: number) => from <= 0 },
  eq: { words: 'exactly', holds: (from: number) => from === 0 },
  ne: { words: 'anything but', holds: (from: number) => from !== 0 },
  between: { words: 'from', holds: (from: number, to: number) => from >= 0 && to <= 0 },
} as const;
type Operator = keyof typeof operators;
type OperatorSymbol = keyof typeof symbols;

/** The settings of a condition that compares a number. `between` includes both ends. */
export type ComparisonSettings = {
  readonly operator: Operator | OperatorSymbol;
  readonly amount: number;
  readonly amount_to?: number;
};

const operatorOf = (written: Operator | OperatorSymbol): Operator =>
  Object.hasOwn(symbols, written) ? symbols[written as OperatorSymbol] : (written as Operator);

type Definition<S> = Pick<Condition<S>, 'id' | 'label' | 'description' | 'edition' | 'schema'> &
  Partial<Pick<Condition<S>, 'needs'>> & {
    /** The number that is compared, as decimal text. */
    readonly read: (facts: Facts, settings: S) => string;
    /** What it is, as a clause: "order total is 49.00". */
    readonly describeActual: (actual: string, settings: S) => string;
    /** The change that makes it another number, as decimal text. */
    readonly changed: (facts: Facts, to: string, settings: S) => FieldChange;
  };

/** A condition that compares a number, exactly, and has its schema from `comparisonSchema`. */
export function comparison<S extends ComparisonSettings>({
  read,
  describeActual,
  changed,
  ...named
}: Definition<S>): Condition<S> {
  return condition<S>({
    ...named,
    violations: ({ operator, amount: from, amount_to: to }): Violation[] =>
      operator === 'between' && to !== undefined && to < from
        ? [{ path: 'amount_to', message: 'must not be less than amount' }]
        : [],
    // `>` is stored as `gt`.
    normalise: (settings) => ({ ...settings, operator: operatorOf(settings.operator) }),
    compile: (settings) => {
      const holds = comparisonTest(settings);
      const texts = new Map<number, string>();
      return (facts) => {
        const actual = read(facts, settings);
        const number = parseDecimal(actual);
        const pass = number !== undefined && holds(number);
        const decimals = decimalsOf(actual);
        const expected = texts.get(decimals) ?? describeExpected(settings, decimals);
        texts.set(decimals, expected);
        const against = pass ? `which is ${expected}` : `the rule needs ${expected}`;
        return { pass, expected, actual, reason: `${describeActual(actual, settings)}, ${against}` };
      };
    },
    nearest: (settings, facts) => {
      const to = nearestValue(settings, read(facts, settings));
      return to === null ? null : [changed(facts, to, settings)];
    },
  });
}

/** `number` says what the amounts may be, `more` are further fields. */
export function comparisonSchema(
  what: string,
  number: Readonly<Record<string, unknown>>,
  more: Parameters<typeof settingsOf>[0] = {},
): SettingsSchema {
  const operator = {
    type: 'string',
    title: 'Operator',
    description: `How the ${what} must compare to the amount. Between includes both bounds.`,
    enum: [...Object.keys(operators), ...Object.keys(symbols)],
    default: 'gt',
  };
  const lower = { ...number, title: 'Amount', description: 'The amount; for between, the lower bound.', default: 0 };
  const upper = { ...number, title: 'Amount to', description: 'For between: the upper bound.' };
  return settingsOf({ operator, amount: lower, amount_to: upper, ...more }, ['operator', 'amount'], {
    if: { type: 'object', properties: { operator: { const: 'between' } }, required: ['operator'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'object', required: ['amount_to'], properties: { amount_to: {} } },
  });
}

const zero: Decimal = { units: 0n, scale: 0 };

/** Whether a value holds against the settings. Exact. */
export function comparisonTest(settings: ComparisonSettings): (value: Decimal) => boolean {
  const from = parseDecimal(settings.amount) ?? zero;
  const to = parseDecimal(settings.amount_to ?? settings.amount) ?? zero;
  const meant = operatorOf(settings.operator);
  const { holds } = operators[meant];
  return (value) => holds(compareDecimals(value, from), meant === 'between' ? compareDecimals(value, to) : 0);
}

/** Beside values of so many decimals: 50 is `50.00` beside `49.00`, and `50` beside `4900` JPY. */
function describeExpected({ operator, amount, amount_to = amount }: ComparisonSettings, decimals: number): string {
  const meant = operatorOf(operator);
  const bound = meant === 'between' ? ` to ${amountText(amount_to, decimals)}` : '';
  return `${operators[meant].words} ${amountText(amount, decimals)}${bound}`;
}

/** The value nearest to `value` that holds, with as many decimals and not below zero; null when there is none, as when an exact amount has more decimals. */
function nearestValue(settings: ComparisonSettings, value: string): string | null {
  const holds = comparisonTest(settings);
  const scale = decimalsOf(value);
  const rounded = (number: string | number) => parseDecimal(formatDecimal(parseDecimal(number) ?? zero, scale)) ?? zero;
  const now = rounded(value).units;
  const apart = (units: bigint) => Math.abs(Number(units - now));
  const [nearest] = [settings.amount, settings.amount_to ?? settings.amount]
    .map((bound) => rounded(bound).units)
    .flatMap((units) => [units - 1n, units, units + 1n])
    .filter((units) => units >= 0n && holds({ units, scale }))
    .sort((a, b) => apart(a) - apart(b));
  return nearest === undefined ? null : formatDecimal({ units: nearest, scale }, scale);
}
