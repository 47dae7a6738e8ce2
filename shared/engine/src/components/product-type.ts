import type { OrderContext } from '@order-automation/contracts';
import type { Condition, ConditionCheck } from '../component';

export type ProductTypeSettings = { types: string[]; match_all?: boolean };

/** The type of a product in the order; `unknown` stands for one that the shop no longer has. */
function typeOf(products: OrderContext['products'], id: number): string {
  for (const product of products) if (product.id === id) return product.type;
  return 'unknown';
}

/** The types of the products in the order, each once. */
function typesOf({ order, products }: OrderContext): string[] {
  const found: string[] = [];
  for (const line of order.line_items) {
    const type = typeOf(products, line.product_id);
    if (!found.includes(type)) found.push(type);
  }
  return found;
}

function compile({ types, match_all: all = false }: ProductTypeSettings): ConditionCheck {
  const wanted = new Set(types);
  const list = types.join(' or ');
  const expected = all ? `every product of type ${list}` : `a product of type ${list}`;
  const passed = `, the rule wants ${expected}`;
  const failed = `, the rule needs ${expected}`;
  return (context) => {
    const found = typesOf(context);
    let matching = 0;
    for (const type of found) if (wanted.has(type)) matching += 1;
    const pass = matching > 0 && (!all || matching === found.length);
    const actual = found.length > 1 ? found.join(', ') : (found[0] ?? 'no products');
    return { pass, expected, actual, reason: `product types in the order: ${actual}${pass ? passed : failed}` };
  };
}

/** Looks at the types of the products in the order. An order without products never passes. */
export const productType: Condition<ProductTypeSettings> = {
  kind: 'condition',
  id: 'product_type',
  label: 'Product type',
  description: 'Passes when the order has a product of one of the types, or when all its products are of them.',
  edition: 'default',
  schema: {
    type: 'object',
    title: 'Product type',
    properties: {
      types: {
        type: 'array',
        title: 'Types',
        description: 'Product types of the shop, for example simple, variable, grouped, external or subscription.',
        items: { type: 'string', minLength: 1, maxLength: 100 },
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        examples: [['simple', 'variable']],
      },
      match_all: {
        type: 'boolean',
        title: 'All products',
        description: 'Every product must be of one of the types; otherwise one product is enough.',
        default: false,
      },
    },
    required: ['types'],
    additionalProperties: false,
  },
  compile,
};
