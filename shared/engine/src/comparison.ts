import type { Decimal, Violation } from '@order-automation/contracts';
import { formatDecimal, parseDecimal } from '@order-automation/contracts';
import { amount, amountText, compareAmounts } from './amount';
import { type SettingsSchema, settingsOf } from './settings-schema';

const symbols = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '==': 'eq', '!=': 'ne' } as const;
const operators = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'between'] as const;
export type Operator = (typeof operators)[number];
type OperatorSymbol = keyof typeof symbols;

/** The settings of a condition that compares a number. `between` includes both ends. */
export type ComparisonSettings = {
  readonly operator: Operator | OperatorSymbol;
  readonly amount: number;
  readonly amount_to?: number;
};

function operatorOf(written: Operator | OperatorSymbol): Operator {
  return Object.hasOwn(symbols, written) ? symbols[written as OperatorSymbol] : (written as Operator);
}

/** `>` is stored as `gt`. */
export function withOperatorName<S extends ComparisonSettings>(settings: S): S {
  return { ...settings, operator: operatorOf(settings.operator) };
}

export function comparisonViolations({ operator, amount: from, amount_to: to }: ComparisonSettings): Violation[] {
  return operator === 'between' && to !== undefined && to < from
    ? [{ path: 'amount_to', message: 'must not be less than amount' }]
    : [];
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
    description: `How the ${what} must compare to the amount. Both ends of between are included.`,
    enum: [...operators, ...Object.keys(symbols)],
    default: 'gt',
  };
  const lower = { ...number, title: 'Amount', description: 'Amount; lower bound for between.', default: 0 };
  const upper = { ...number, title: 'Amount to', description: 'Upper bound; for between only.' };
  return settingsOf({ operator, amount: lower, amount_to: upper, ...more }, ['operator', 'amount'], {
    if: { type: 'object', properties: { operator: { const: 'between' } }, required: ['operator'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'object', required: ['amount_to'], properties: { amount_to: {} } },
  });
}

const zero: Decimal = { units: 0n, scale: 8 };

/** Whether a value holds against the settings. Exact. */
export function comparisonTest(settings: ComparisonSettings): (value: Decimal) => boolean {
  const from = amount(settings.amount) ?? zero;
  const to = amount(settings.amount_to ?? settings.amount) ?? zero;
  switch (operatorOf(settings.operator)) {
    case 'gt':
      return (value) => compareAmounts(value, from) > 0;
    case 'gte':
      return (value) => compareAmounts(value, from) >= 0;
    case 'lt':
      return (value) => compareAmounts(value, from) < 0;
    case 'lte':
      return (value) => compareAmounts(value, from) <= 0;
    case 'eq':
      return (value) => compareAmounts(value, from) === 0;
    case 'ne':
      return (value) => compareAmounts(value, from) !== 0;
    case 'between':
      return (value) => compareAmounts(value, from) >= 0 && compareAmounts(value, to) <= 0;
  }
}

export type ComparisonTexts = { readonly expected: string; readonly passed: string; readonly failed: string };

/** The texts for values of so many decimals: 50 is `50.00` beside `49.00`, and `50` beside `4900` JPY. */
export function comparisonTexts(settings: ComparisonSettings): (decimals: number) => ComparisonTexts {
  const made: ComparisonTexts[] = [];
  return (decimals) => {
    let texts = made[decimals];
    if (!texts) {
      const expected = wanted(settings, decimals);
      texts = { expected, passed: `, which is ${expected}`, failed: `, the rule needs ${expected}` };
      made[decimals] = texts;
    }
    return texts;
  };
}

function wanted({ operator, amount, amount_to = amount }: ComparisonSettings, decimals: number): string {
  const from = amountText(amount, decimals);
  switch (operatorOf(operator)) {
    case 'gt':
      return `more than ${from}`;
    case 'gte':
      return `at least ${from}`;
    case 'lt':
      return `less than ${from}`;
    case 'lte':
      return `at most ${from}`;
    case 'eq':
      return `exactly ${from}`;
    case 'ne':
      return `anything but ${from}`;
    case 'between':
      return `from ${from} to ${amountText(amount_to, decimals)}`;
  }
}

/**
 * The value nearest to `value` that holds, with so many decimals and not below `least`; null when there is none, as when an exact amount has
 * more decimals.
 */
export function nearestValue(
  settings: ComparisonSettings,
  value: string,
  decimals: number,
  least: number,
): string | null {
  const holds = comparisonTest(settings);
  const from = unitsOf(settings.amount, decimals);
  const to = unitsOf(settings.amount_to ?? settings.amount, decimals);
  const candidates = [from.floor - 1n, from.floor, from.ceil, from.ceil + 1n, from.floor + 1n, to.floor, to.ceil];
  const now = parseDecimal(value) ?? zero;
  const held = candidates
    .map((units) => ({ units, scale: decimals }))
    .filter((one) => one.units >= unitsOf(least, decimals).ceil && holds(one))
    .sort((a, b) => Number(distance(a, now) - distance(b, now)));
  return held[0] ? formatDecimal(held[0], decimals) : null;
}

/** The units around a number at so many decimals; both are the number itself where it has no more. */
function unitsOf(value: number, decimals: number): { floor: bigint; ceil: bigint } {
  const { units, scale } = parseDecimal(value) ?? zero;
  if (scale <= decimals) {
    const exact = units * 10n ** BigInt(decimals - scale);
    return { floor: exact, ceil: exact };
  }
  const divisor = 10n ** BigInt(scale - decimals);
  const cut = units / divisor;
  const floor = units % divisor < 0n ? cut - 1n : cut;
  return { floor, ceil: units % divisor === 0n ? floor : floor + 1n };
}

const widest = 20;

function distance(a: Decimal, b: Decimal): bigint {
  const apart = a.units * 10n ** BigInt(widest - a.scale) - b.units * 10n ** BigInt(widest - b.scale);
  return apart < 0n ? -apart : apart;
}
