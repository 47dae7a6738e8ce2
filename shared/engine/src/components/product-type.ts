import type { FieldChange, OrderContext, ProductFacts } from '@order-automation/contracts';
import { checked, condition } from '../component';
import { changedProducts, factsOfLine } from '../products';
import { selectionText } from '../selection';
import { flag, settingsOf, textList } from '../settings-schema';
import type { Facts } from '../situation';

type ProductTypeSettings = { types: string[]; match_all?: boolean };

/** Types as WooCommerce keeps them, in lower case. */
const plainTypes = (types: readonly string[]) => [...new Set(types.map((type) => type.trim().toLowerCase()))];

/** Whether it is of one of the types; its flags virtual and downloadable count as types (decisions.md section 4). */
function isOf(wanted: ReadonlySet<string>, product: ProductFacts | undefined): boolean {
  if (!product) return false;
  if (wanted.has(product.type)) return true;
  return (
    (product.virtual === true && wanted.has('virtual')) || (product.downloadable === true && wanted.has('downloadable'))
  );
}

/** `simple`, or `simple (virtual)`; `unknown` stands for a product that the shop no longer has. */
function nameOf(product: ProductFacts | undefined): string {
  if (!product) return 'unknown';
  const { type, virtual, downloadable } = product;
  if (!virtual && !downloadable) return type;
  return `${type} (${virtual ? `virtual${downloadable ? ', downloadable' : ''}` : 'downloadable'})`;
}

/** What was found, each once, and whether it is enough. Walked once: rules about types are common. */
function judged({ order, products }: OrderContext, wanted: ReadonlySet<string>, all: boolean) {
  const names: string[] = [];
  let matching = 0;
  for (const line of order.line_items) {
    const product = factsOfLine(products, line);
    if (isOf(wanted, product)) matching += 1;
    const name = nameOf(product);
    if (!names.includes(name)) names.push(name);
  }
  const actual = names.length > 1 ? names.join(', ') : (names[0] ?? 'no products');
  return { pass: matching > 0 && (!all || matching === order.line_items.length), actual };
}

function typed(type: string): Partial<ProductFacts> {
  if (type === 'virtual') return { virtual: true };
  return type === 'downloadable' ? { downloadable: true } : { type };
}

function nearest({ types, match_all: all = false }: ProductTypeSettings, facts: Facts): FieldChange[] {
  const plain = plainTypes(types);
  const wanted = new Set(plain);
  const fits = (product: ProductFacts | undefined) => isOf(wanted, product);
  const change = typed(plain[0] ?? 'simple');
  return changedProducts(facts, all ? 'all' : 'any', fits, (product) => ({ ...product, ...change }));
}

/** Looks at the types of the products in the order. An order without products never passes. */
export const productType = condition<ProductTypeSettings>({
  id: 'product_type',
  label: 'Product type',
  description: 'Passes when a product in the order has one of the types, such as virtual, or when all products do.',
  edition: 'default',
  schema: settingsOf({
    types: textList(
      'Types',
      'Product types of the shop: simple, variable, grouped, external, subscription, and the flags virtual and downloadable.',
      { examples: [['simple', 'variable'], ['grouped', 'external'], ['subscription'], ['virtual', 'downloadable']] },
    ),
    match_all: flag('All products', 'Every product must have one of the types; otherwise one product is enough.'),
  }),
  normalise: ({ types, ...settings }) => ({ ...settings, types: plainTypes(types) }),
  compile: ({ types, match_all: all = false }) => {
    const wanted = new Set(plainTypes(types));
    const expected = selectionText(all ? 'all' : 'any', 'product', `of type ${types.join(' or ')}`);
    return ({ context }) => {
      const { pass, actual } = judged(context, wanted, all);
      return checked(pass, expected, actual, `product types in the order: ${actual}`);
    };
  },
  nearest,
});
