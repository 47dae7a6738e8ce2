import type { OrderContext } from '@order-automation/contracts';
import type { Condition, ConditionCheck } from '../component';

export type ProductTypeSettings = { types: string[]; match_all?: boolean };

/** Types of the products in the order, each once; `unknown` stands for a product that the shop no longer has. */
function typesOf({ order, products }: OrderContext): string[] {
  const found: string[] = [];
  for (const line of order.line_items) {
    const type = products.find((product) => product.id === line.product_id)?.type ?? 'unknown';
    if (!found.includes(type)) found.push(type);
  }
  return found;
}

function compile({ types, match_all: all = false }: ProductTypeSettings): ConditionCheck {
  const wanted = new Set(types);
  const list = types.join(' or ');
  const expected = all ? `every product of type ${list}` : `a product of type ${list}`;
  return (context) => {
    const found = typesOf(context);
    const pass = all
      ? found.length > 0 && found.every((type) => wanted.has(type))
      : found.some((type) => wanted.has(type));
    const actual = found.length === 0 ? 'no products' : found.join(', ');
    const middle = pass ? ', the rule wants ' : ', the rule needs ';
    return { pass, expected, actual, reason: `product types in the order: ${actual}${middle}${expected}` };
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
