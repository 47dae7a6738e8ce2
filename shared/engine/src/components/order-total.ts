import type { Decimal } from '@order-automation/contracts';
import { amount, amountText, compareAmounts, decimalsOf, sameAmount } from '../amount';
import type { Condition, ConditionCheck } from '../component';

const symbols = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '==': 'eq', '!=': 'ne' } as const;
const operators = ['gt', 'gte', 'lt', 'lte', 'eq', 'ne', 'between'] as const;
type Operator = (typeof operators)[number];
type OperatorSymbol = keyof typeof symbols;
export type OrderTotalSettings = { operator: Operator | OperatorSymbol; amount: number; amount_to?: number };

const amountSchema = { type: 'number', minimum: 0, maximum: 1_000_000_000_000 };
const zero: Decimal = { units: 0n, scale: 8 };

function operatorOf(given: Operator | OperatorSymbol): Operator {
  return given in symbols ? symbols[given as OperatorSymbol] : (given as Operator);
}

function holds(operator: Operator, from: Decimal, to: Decimal): (total: Decimal) => boolean {
  switch (operator) {
    case 'gt':
      return (total) => compareAmounts(total, from) > 0;
    case 'gte':
      return (total) => compareAmounts(total, from) >= 0;
    case 'lt':
      return (total) => compareAmounts(total, from) < 0;
    case 'lte':
      return (total) => compareAmounts(total, from) <= 0;
    case 'eq':
      return (total) => compareAmounts(total, from) === 0;
    case 'ne':
      return (total) => compareAmounts(total, from) !== 0;
    case 'between':
      return (total) => compareAmounts(total, from) >= 0 && compareAmounts(total, to) <= 0;
  }
}

function wanted(operator: Operator, from: string, to: string): string {
  switch (operator) {
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
      return `from ${from} to ${to}`;
  }
}

type Texts = { readonly expected: string; readonly passed: string; readonly failed: string };

/** The texts for totals of so many decimals: 50 is `50.00` beside `49.00`, and `50` beside `4900` JPY. */
function textsFor(operator: Operator, from: number, to: number, decimals: number): Texts {
  const expected = wanted(operator, amountText(from, decimals), amountText(to, decimals));
  return { expected, passed: `, which is ${expected}`, failed: `, the rule needs ${expected}` };
}

function compile(settings: OrderTotalSettings): ConditionCheck {
  const operator = operatorOf(settings.operator);
  const { amount: from, amount_to: to = from } = settings;
  const test = holds(operator, amount(from) ?? zero, amount(to) ?? zero);
  const byDecimals: Texts[] = [];
  return ({ order: { total: actual } }) => {
    const total = sameAmount(actual);
    const decimals = decimalsOf(actual);
    byDecimals[decimals] ??= textsFor(operator, from, to, decimals);
    const { expected, passed, failed } = byDecimals[decimals];
    const pass = total !== undefined && test(total);
    return { pass, expected, actual, reason: `order total is ${actual}${pass ? passed : failed}` };
  };
}

/** Compares the order's total, exactly and in the order's own currency. `between` includes both ends and takes `amount_to` too. */
export const orderTotal: Condition<OrderTotalSettings> = {
  kind: 'condition',
  id: 'order_total',
  label: 'Order total',
  description: "Compares the total of the order, in the order's own currency, with an amount.",
  edition: 'default',
  schema: {
    type: 'object',
    title: 'Order total',
    properties: {
      operator: {
        type: 'string',
        title: 'Operator',
        description: 'How the total must compare to the amount. Both ends of between are included.',
        enum: [...operators, ...Object.keys(symbols)],
        default: 'gt',
      },
      amount: { ...amountSchema, title: 'Amount', description: 'The amount; of between, the smallest.', default: 0 },
      amount_to: { ...amountSchema, title: 'Amount to', description: 'The largest amount, of between alone.' },
    },
    required: ['operator', 'amount'],
    additionalProperties: false,
    if: { type: 'object', properties: { operator: { const: 'between' } }, required: ['operator'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'object', required: ['amount_to'], properties: { amount_to: {} } },
  },
  violations: ({ operator, amount: from, amount_to: to }) =>
    operator === 'between' && to !== undefined && to < from
      ? [{ path: 'amount_to', message: 'must not be less than amount' }]
      : [],
  normalise: (settings) => ({ ...settings, operator: operatorOf(settings.operator) }),
  compile,
};
