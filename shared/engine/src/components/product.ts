import type { Order } from '@order-automation/contracts';
import { checked, condition } from '../component';
import { recordId } from '../product-terms';
import { foundText, newLine } from '../products';
import { type Match, matchField, selectionText, selects } from '../selection';
import { settingsOf, textList } from '../settings-schema';

type ProductSettings = { products: string[]; match?: Match };
type Line = Order['line_items'][number];

/** A line names its product, which has no id once it is deleted for good, and its variation where it has one. */
const idsOf = ({ product_id, variation_id }: Line): string[] =>
  [product_id || 'deleted', ...(variation_id ? [variation_id] : [])].map(String);

const withProduct = ({ variation_id: _, ...line }: Line, product_id: number): Line => ({ ...line, product_id });

/** Variations can be chosen by their own ids. */
export const product = condition<ProductSettings>({
  id: 'product',
  label: 'Product',
  description: 'Checks which products are in the order.',
  edition: 'default',
  schema: settingsOf({
    products: textList('Products', 'Choose products or variations.', {
      items: recordId,
      'x-search-source': 'products',
    }),
    match: matchField('item', 'be'),
  }),
  compile: ({ products, match = 'any' }) => {
    const wanted = new Set(products);
    const expected = selectionText(match, 'item', `of product ${products.join(' or ')}`);
    return ({ context }) => {
      const items = context.order.line_items.map(idsOf);
      const pass = selects(match, wanted, items);
      const actual = foundText(items, 'no products');
      return checked(pass, expected, actual, `products in the order: ${actual}`);
    };
  },
  nearest: ({ products, match = 'any' }, { context: { order } }) => {
    const wanted = new Set(products);
    const from = order.line_items;
    const field = 'order.line_items';
    const id = Number(products[0]);
    const has = (line: Line) => idsOf(line).some((one) => wanted.has(one));
    if (match === 'none') return [{ field, from, to: from.filter((line) => !has(line)) }];
    if (from.length === 0) return [{ field, from, to: [newLine(id)] }];
    const to = from.map((line, at) => (has(line) || (match === 'any' && at > 0) ? line : withProduct(line, id)));
    return [{ field, from, to }];
  },
});
