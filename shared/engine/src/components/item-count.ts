import { type Order, parseDecimal } from '@order-automation/contracts';
import {
  type ComparisonSettings,
  comparisonSchema,
  comparisonTest,
  comparisonTexts,
  comparisonViolations,
  nearestValue,
  withOperatorName,
} from '../comparison';
import { condition } from '../component';
import { newLine } from '../products';
import { choice } from '../settings-schema';

const counts = ['items', 'quantity'] as const;
export type ItemCountSettings = ComparisonSettings & { count?: (typeof counts)[number] };

function countOf({ line_items }: Order, { count = 'quantity' }: ItemCountSettings): number {
  return count === 'items' ? line_items.length : line_items.reduce((sum, { quantity }) => sum + quantity, 0);
}

const decimal = (count: number) => ({ units: BigInt(count), scale: 0 });

/** The lines so that there are `wanted` of them, or that many pieces in them. */
function linesWith({ line_items: lines }: Order, wanted: number, count: 'items' | 'quantity') {
  if (count === 'items') {
    const added = Array.from({ length: Math.max(0, wanted - lines.length) }, (_, at) => newLine(at + 1));
    return [...lines, ...added].slice(0, wanted);
  }
  const [first] = lines;
  if (wanted === 0) return [];
  return [first ? { ...first, quantity: wanted } : newLine(1, wanted)];
}

export const itemCount = condition<ItemCountSettings>({
  id: 'item_count',
  label: 'Number of items',
  description: 'Compares the number of items in the order: its lines, or the pieces in all of them.',
  edition: 'default',
  schema: comparisonSchema(
    'number of items',
    { type: 'integer', minimum: 0, maximum: 1_000_000 },
    { count: choice('Count', 'items: lines of the order; quantity: pieces in all lines.', counts, 'quantity') },
  ),
  violations: comparisonViolations,
  normalise: withOperatorName,
  compile: (settings) => {
    const holds = comparisonTest(settings);
    const { expected, passed, failed } = comparisonTexts(settings)(0);
    const what = settings.count === 'items' ? 'items' : 'pieces';
    return ({ context }) => {
      const found = countOf(context.order, settings);
      const pass = holds(decimal(found));
      const actual = String(found);
      return { pass, expected, actual, reason: `number of ${what} in the order is ${actual}${pass ? passed : failed}` };
    };
  },
  nearest: (settings, { context: { order } }) => {
    const found = countOf(order, settings);
    if (comparisonTest(settings)(decimal(found))) return [];
    const to = nearestValue(settings, String(found), 0, 0);
    const wanted = to === null ? undefined : parseDecimal(to);
    if (!wanted) return null;
    const lines = linesWith(order, Number(wanted.units), settings.count ?? 'quantity');
    return [{ field: 'order.line_items', from: order.line_items, to: lines }];
  },
});
