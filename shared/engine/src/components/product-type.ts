import type { FieldChange, ProductFacts } from '@order-automation/contracts';
import { condition } from '../component';
import { changedProducts, factsOfLines, foundText } from '../products';
import { type Match, selectionText, selects } from '../selection';
import { flag, settingsOf, textList } from '../settings-schema';
import type { Facts } from '../situation';

export type ProductTypeSettings = { types: string[]; match_all?: boolean };

/** Its type, and the flags virtual and downloadable (decisions.md section 4); `unknown` stands for one that the shop no longer has. */
function typesOf(product: ProductFacts | undefined): string[] {
  if (!product) return ['unknown'];
  const types = [product.type];
  if (product.virtual && product.type !== 'virtual') types.push('virtual');
  if (product.downloadable && product.type !== 'downloadable') types.push('downloadable');
  return types;
}

function typed(type: string): Partial<ProductFacts> {
  if (type === 'virtual') return { virtual: true };
  return type === 'downloadable' ? { downloadable: true } : { type };
}

function nearest({ types, match_all: all = false }: ProductTypeSettings, facts: Facts): FieldChange[] {
  const wanted = new Set(types);
  const match: Match = all ? 'all' : 'any';
  if (selects(match, wanted, factsOfLines(facts.context).map(typesOf))) return [];
  const fits = (product: ProductFacts | undefined) => typesOf(product).some((type) => wanted.has(type));
  return changedProducts(facts, match, fits, (product) => ({ ...product, ...typed(types[0] ?? 'simple') }));
}

/** Looks at the types of the products in the order. An order without products never passes. */
export const productType = condition<ProductTypeSettings>({
  id: 'product_type',
  label: 'Product type',
  description: 'Passes when the order has a product of one of the types, or when all its products are of them.',
  edition: 'default',
  schema: settingsOf(
    {
      types: textList(
        'Types',
        'Product types of the shop: simple, variable, grouped, external, subscription, and the flags virtual and downloadable.',
        { examples: [['simple', 'variable'], ['virtual']] },
      ),
      match_all: flag(
        'All products',
        'Every product must be of one of the types; otherwise one product is enough.',
        false,
      ),
    },
    ['types'],
  ),
  compile: ({ types, match_all: all = false }) => {
    const wanted = new Set(types);
    const match = all ? 'all' : 'any';
    const expected = selectionText(match, 'product', `of type ${types.join(' or ')}`);
    const passed = `, the rule wants ${expected}`;
    const failed = `, the rule needs ${expected}`;
    return ({ context }) => {
      const found = factsOfLines(context).map(typesOf);
      const pass = selects(match, wanted, found);
      const actual = foundText(found, 'no products');
      return { pass, expected, actual, reason: `product types in the order: ${actual}${pass ? passed : failed}` };
    };
  },
  nearest,
});
