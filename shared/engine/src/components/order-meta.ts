import type { Order } from '@order-automation/contracts';
import { condition } from '../component';
import { choice, settingsOf, text } from '../settings-schema';

type Found = readonly string[];
type Comparing = { readonly words: string; readonly holds: (found: Found, value: string) => boolean };

/** What the field is wanted to be, and whether it is. A key may be there several times: one that holds is enough, and the negations want that none does. */
const operators = {
  is: { words: 'to be', holds: (found, value) => found.includes(value) },
  is_not: { words: 'not to be', holds: (found, value) => !found.includes(value) },
  contains: { words: 'to contain', holds: (found, value) => found.some((one) => one.includes(value)) },
  not_contains: { words: 'not to contain', holds: (found, value) => !found.some((one) => one.includes(value)) },
  starts_with: { words: 'to start with', holds: (found, value) => found.some((one) => one.startsWith(value)) },
  exists: { words: 'to be there', holds: (found) => found.length > 0 },
  not_exists: { words: 'not to be there', holds: (found) => found.length === 0 },
} as const satisfies Readonly<Record<string, Comparing>>;
type Operator = keyof typeof operators;
/** What other conditions call the same. */
const synonyms = { eq: 'is', ne: 'is_not' } as const;
type Written = Operator | keyof typeof synonyms;
const written = [...Object.keys(operators), 'eq', 'ne'] as Written[];

type Meta<O> = { key: string; operator: O; value?: string };
type OrderMetaSettings = Meta<Written>;

const meant = (operator: Written): Operator => (operator === 'eq' || operator === 'ne' ? synonyms[operator] : operator);

/** Values that are no text are looked at as JSON; letters with accents are the same in both forms of Unicode. */
const asText = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).normalize();

const valuesOf = ({ meta_data }: Order, key: string): string[] =>
  meta_data.filter((meta) => meta.key === key).map(({ value }) => asText(value));

const holds = ({ operator, value = '' }: Meta<Operator>, found: Found): boolean =>
  operators[operator].holds(found, value.normalize());

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
      operator: choice(
        'Operator',
        'Whether the field must be there, or how its text must compare to the value.',
        written,
      ),
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
    const { words } = operators[operator];
    const expected = alone.has(operator) ? words : `${words} "${value}"`;
    return ({ context }) => {
      const found = valuesOf(context.order, key);
      const pass = holds(settings, found);
      const shown = found.map((one) => one || 'empty').join(', ');
      const actual = found.length === 0 ? 'not there' : shown.slice(0, longestShown);
      const reason = `order field ${key} is ${actual}, the rule ${pass ? 'wants' : 'needs'} it ${expected}`;
      return { pass, expected, actual, reason };
    };
  },
  nearest: (given, { context: { order } }) => {
    const settings = { ...given, operator: meant(given.operator) };
    const { key, operator, value = '' } = settings;
    const rest = order.meta_data.filter((meta) => meta.key !== key);
    const isNegation = operator === 'is_not' || operator.startsWith('not_');
    const kept = order.meta_data.filter((meta) => meta.key !== key || holds(settings, [asText(meta.value)]));
    const to = operator === 'not_exists' ? rest : isNegation ? kept : [...rest, { key, value }];
    return [{ field: 'order.meta_data', from: order.meta_data, to }];
  },
});
