import type { FieldChange, OrderContext, ProductFacts } from '@order-automation/contracts';
import type { Match } from './selection';
import type { Facts } from './situation';

type Line = OrderContext['order']['line_items'][number];

/** Of such a product nothing can be said, in either direction. */
export class UnreadableProduct extends Error {}

function productOf(products: OrderContext['products'], id: number): ProductFacts | undefined {
  const product = products.find((one) => one.id === id);
  if (product?.unreadable) throw new UnreadableProduct(`the shop could not read product ${id}`);
  return product;
}

/** What is known of the variation in a line, where it has one, else of the product; undefined when the shop has it no longer. */
export function factsOfLine(products: OrderContext['products'], { product_id, variation_id = 0 }: Line) {
  const variation = variation_id > 0 ? productOf(products, variation_id) : undefined;
  return variation ?? productOf(products, product_id);
}

export const factsOfLines = ({ order, products }: OrderContext): (ProductFacts | undefined)[] =>
  order.line_items.map((line) => factsOfLine(products, line));

/** What was found in the lines of an order, each once. */
export function foundText(found: readonly (readonly string[])[], nothing: string): string {
  const each = new Set(found.flat());
  return each.size === 0 ? nothing : [...each].join(', ');
}

/** Pieces in the lines: halves stay halves, and 0.1 + 0.2 is 0.3. */
export const piecesIn = (lines: readonly Line[]): number =>
  Number(lines.reduce((sum, { quantity }) => sum + quantity, 0).toFixed(6));

export function newLine(product_id: number, quantity = 1): Line {
  return { id: 0, name: '', product_id, quantity, total: '0.00', sku: '' };
}

const unknownProduct = (id: number): ProductFacts => ({ id, name: '', type: 'simple', category_ids: [], tag_ids: [] });

/** The change of products after which an order passes: one that does not fit for `any`, each for `all` and `none`; an empty order gets one. */
export function changedProducts(
  { context: { order, products } }: Facts,
  match: Match,
  fits: (product: ProductFacts | undefined) => boolean,
  change: (product: ProductFacts) => ProductFacts,
): FieldChange[] {
  const [first] = order.line_items;
  if (!first) {
    const kept = products.filter(({ id }) => id !== 1);
    return [
      { field: 'order.line_items', from: [], to: [newLine(1)] },
      { field: 'products', from: products, to: [...kept, change(unknownProduct(1))] },
    ];
  }
  const idOf = (line: Line): number => factsOfLine(products, line)?.id ?? line.product_id;
  const ids = match === 'any' ? [idOf(first)] : order.line_items.map(idOf);
  const changed = new Map(products.map((product) => [product.id, product]));
  for (const id of new Set(ids)) {
    const product = changed.get(id);
    if (!fits(product)) changed.set(id, change(product ?? unknownProduct(id)));
  }
  return [{ field: 'products', from: products, to: [...changed.values()] }];
}
