import type { Order } from '@order-automation/contracts';
import { type ComparisonSettings, comparison, comparisonSchema } from '../comparison';
import { newLine, piecesIn } from '../products';
import { choice } from '../settings-schema';

const counts = ['items', 'quantity'] as const;
type ItemCountSettings = ComparisonSettings & { count?: (typeof counts)[number] };

const countOf = ({ line_items }: Order, { count = 'quantity' }: ItemCountSettings): number =>
  count === 'items' ? line_items.length : piecesIn(line_items);

/** The lines so that there are `wanted` of them, or that many pieces in them. */
function linesWith({ line_items: lines }: Order, wanted: number, { count }: ItemCountSettings) {
  if (count === 'items') {
    const added = Array.from({ length: Math.max(0, wanted - lines.length) }, (_, at) => newLine(at + 1));
    return [...lines, ...added].slice(0, wanted);
  }
  const [first] = lines;
  if (wanted === 0) return [];
  return [first ? { ...first, quantity: wanted } : newLine(1, wanted)];
}

export const itemCount = comparison<ItemCountSettings>({
  id: 'item_count',
  label: 'Number of items',
  description: 'Compares the number of items in the order: its lines, or the total quantity.',
  edition: 'default',
  schema: comparisonSchema(
    'number of items',
    // Cloth is sold by halves of a metre, too.
    { type: 'number', minimum: 0, maximum: 1_000_000 },
    {
      count: choice(
        'Count',
        'items: lines of the order; quantity: the total quantity of all lines.',
        counts,
        'quantity',
      ),
    },
  ),
  read: ({ context }, settings) => String(countOf(context.order, settings)),
  describeActual: (found, { count }) => `number of ${count === 'items' ? 'items' : 'pieces'} in the order is ${found}`,
  changed: ({ context: { order } }, to, settings) => {
    return { field: 'order.line_items', from: order.line_items, to: linesWith(order, Number(to), settings) };
  },
});
