import type { Order } from '@order-automation/contracts';
import { condition } from '../component';
import { choice, settingsOf, text } from '../settings-schema';

const operators = ['is', 'is_not', 'contains', 'not_contains', 'starts_with', 'exists', 'not_exists'] as const;
type Operator = (typeof operators)[number];
/** What other conditions call the same. */
const synonyms = { eq: 'is', ne: 'is_not' } as const;
type Written = Operator | keyof typeof synonyms;
const written = [...operators, 'eq', 'ne'] as const;

type Meta<O> = { key: string; operator: O; value?: string };
type OrderMetaSettings = Meta<Written>;

const meant = (operator: Written): Operator => (operator === 'eq' || operator === 'ne' ? synonyms[operator] : operator);

/** Values that are no text are looked at as JSON. */
const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function valuesOf({ meta_data }: Order, key: string): string[] {
  return meta_data.filter((meta) => meta.key === key).map(({ value }) => asText(value));
}

/** A key may be there several times: one that holds is enough, and the negations want that none does. */
function holds({ operator, value = '' }: Meta<Operator>, found: readonly string[]): boolean {
  switch (operator) {
    case 'is':
      return found.includes(value);
    case 'is_not':
      return !found.includes(value);
    case 'contains':
      return found.some((one) => one.includes(value));
    case 'not_contains':
      return !found.some((one) => one.includes(value));
    case 'starts_with':
      return found.some((one) => one.startsWith(value));
    case 'exists':
      return found.length > 0;
    case 'not_exists':
      return found.length === 0;
  }
}

const words: Readonly<Record<Operator, string>> = {
  is: 'to be',
  is_not: 'not to be',
  contains: 'to contain',
  not_contains: 'not to contain',
  starts_with: 'to start with',
  exists: 'to be there',
  not_exists: 'not to be there',
};
const alone: ReadonlySet<Operator> = new Set(['exists', 'not_exists']);
/** Characters of a value that texts show. */
const longestShown = 200;

/** Compares text as it is, upper and lower case included; never as a pattern. */
export const orderMeta = condition<OrderMetaSettings>({
  id: 'order_meta',
  label: 'Order field',
  description: 'Compares a custom field (meta data) of the order. Upper and lower case must match.',
  edition: 'extended',
  schema: settingsOf(
    {
      key: text('Key', 'The key of the field, for example _gift_wrap.', 200),
      operator: choice('Operator', 'exists and not_exists need no value.', written, 'is'),
      value: { type: 'string', title: 'Value', description: 'The text to compare with.', maxLength: 2000 },
    },
    ['key', 'operator'],
  ),
  violations: ({ operator, value }) =>
    value === undefined && !alone.has(meant(operator))
      ? [{ path: 'value', message: `is required by ${operator}` }]
      : [],
  normalise: (settings) => ({ ...settings, operator: meant(settings.operator) }),
  compile: (given) => {
    const settings = { ...given, operator: meant(given.operator) };
    const { key, operator, value = '' } = settings;
    const expected = alone.has(operator) ? words[operator] : `${words[operator]} "${value}"`;
    return ({ context }) => {
      const found = valuesOf(context.order, key);
      const pass = holds(settings, found);
      const actual =
        found.length === 0
          ? 'not there'
          : found
              .map((one) => one || 'empty')
              .join(', ')
              .slice(0, longestShown);
      return {
        pass,
        expected,
        actual,
        reason: `order field ${key} is ${actual}, the rule ${pass ? 'wants' : 'needs'} it ${expected}`,
      };
    };
  },
  nearest: (given, { context: { order } }) => {
    const settings = { ...given, operator: meant(given.operator) };
    const { key, operator, value = '' } = settings;
    if (holds(settings, valuesOf(order, key))) return [];
    const rest = order.meta_data.filter((meta) => meta.key !== key);
    const isNegation = operator === 'is_not' || operator.startsWith('not_');
    const kept = order.meta_data.filter((meta) => meta.key !== key || holds(settings, [asText(meta.value)]));
    const to = operator === 'not_exists' ? rest : isNegation ? kept : [...rest, { key, value }];
    return [{ field: 'order.meta_data', from: order.meta_data, to }];
  },
});
