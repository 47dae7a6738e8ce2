import type { FieldChange, OrderContext, ProductFacts } from '@order-automation/contracts';
import type { Match } from './selection';
import type { Facts } from './situation';

/** The products of the lines of an order, one a line; undefined for a product that the shop no longer has. */
export function factsOfLines({ order, products }: OrderContext): (ProductFacts | undefined)[] {
  return order.line_items.map(({ product_id }) => products.find(({ id }) => id === product_id));
}

/** What was found in the lines of an order, each once. */
export function productsText(found: readonly (readonly string[])[]): string {
  const each = new Set(found.flat());
  return each.size === 0 ? 'no products' : [...each].join(', ');
}

/**
 * The change of products after which an order passes: those that do not fit (`isOther`) get `change`, one of them for `any`, each for `all`. An order
 * without products gets one.
 */
export function changedProducts(
  { context: { order, products } }: Facts,
  match: Exclude<Match, 'none'>,
  isOther: (product: ProductFacts | undefined) => boolean,
  change: Partial<ProductFacts>,
): FieldChange[] {
  const made = (id: number): ProductFacts => ({
    id,
    name: '',
    type: 'simple',
    category_ids: [],
    tag_ids: [],
    ...change,
  });
  const [first] = order.line_items;
  if (!first) {
    const added = made(1);
    return [
      {
        field: 'order.line_items',
        from: [],
        to: [{ id: 1, name: '', product_id: 1, quantity: 1, total: '0.00', sku: '' }],
      },
      { field: 'products', from: products, to: [...products.filter(({ id }) => id !== 1), added] },
    ];
  }
  const ids = new Set(match === 'all' ? order.line_items.map(({ product_id }) => product_id) : [first.product_id]);
  const kept = new Map(products.map((product) => [product.id, product]));
  for (const id of ids) {
    const product = kept.get(id);
    if (isOther(product)) kept.set(id, product ? { ...product, ...change } : made(id));
  }
  return [{ field: 'products', from: products, to: [...kept.values()] }];
}
