import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts, order } from '../../test/fixtures';
import { productType } from './product-type';

const check = (found: readonly string[], types: string[], match_all?: boolean) =>
  productType.compile({ types, ...(match_all === undefined ? {} : { match_all }) })(
    facts({ context: context({}, found) }),
  );

test('one product is enough, unless all must match', () => {
  expect(check(['simple', 'variable'], ['variable']).pass).toBe(true);
  expect(check(['simple', 'variable'], ['variable'], false).pass).toBe(true);
  expect(check(['simple', 'variable'], ['variable'], true).pass).toBe(false);
  expect(check(['simple', 'variable'], ['variable', 'simple'], true).pass).toBe(true);
  expect(check(['simple'], ['variable']).pass).toBe(false);
});

test('an order without products passes neither way', () => {
  expect([check([], ['simple']).pass, check([], ['simple'], true).pass]).toEqual([false, false]);
  expect(check([], ['simple']).actual).toBe('no products');
});

test('a product that the shop no longer has is of no type that was asked for', () => {
  const gone = { order: order({ line_items: [{ product_id: 99, quantity: 1 }] }), products: [] };
  const result = productType.compile({ types: ['simple'], match_all: true })(facts({ context: gone }));
  expect(result).toMatchObject({ pass: false, actual: 'unknown' });
});

test('upper case and blanks do not matter, as in statuses and coupons (decisions.md section 4)', () => {
  expect(check(['simple'], ['Simple ']).pass).toBe(true);
  expect(check(['subscription'], ['VIRTUAL', 'Subscription'], true).pass).toBe(true);
  expect(productType.normalise?.({ types: [' Simple', 'simple'] })).toEqual({ types: ['simple'] });
});

test('says what it wanted and what it found, each type once', () => {
  expect(check(['simple', 'simple', 'grouped'], ['variable', 'external'])).toEqual({
    pass: false,
    expected: 'a product of type variable or external',
    actual: 'simple, grouped',
    reason: 'product types in the order: simple, grouped, the rule needs a product of type variable or external',
  });
});

const flagged = (flags: object) => {
  const { order: of, products } = context();
  return facts({ context: { order: of, products: products.map((product) => ({ ...product, ...flags })) } });
};
const found = (...types: string[]) => facts({ context: context({}, types) });

conditionTable(productType, [
  ['virtual is a type', { types: ['virtual'] }, flagged({ virtual: true }), true],
  ['downloadable is a type', { types: ['downloadable'], match_all: true }, flagged({ downloadable: true }), true],
  ['not virtual', { types: ['virtual'] }, flagged({ virtual: false }), false],
  ['the type of a virtual product', { types: ['simple'] }, flagged({ virtual: true }), true],
  ['all, but one is not', { types: ['simple'], match_all: true }, found('simple', 'grouped'), false],
  ['all virtual, where none is', { types: ['virtual'], match_all: true }, found('simple', 'grouped'), false],
  ['no items', { types: ['simple'] }, found(), false],
]);
refusesSettings(productType, [{}, { types: [] }, { types: ['simple'], match_all: 'yes' }]);

test('a line with a variation is judged by the variation, one without by its product', () => {
  const line = (variation_id: number) => ({ product_id: 1, variation_id, quantity: 1 });
  const known = { type: 'variable', name: '', category_ids: [], tag_ids: [] };
  const products = [
    { ...known, id: 1, virtual: false },
    { ...known, id: 2, virtual: true },
  ];
  const passes = (...variations: number[]) =>
    productType.compile({ types: ['virtual'], match_all: true })(
      facts({ context: { order: order({ line_items: variations.map(line) }), products } }),
    ).pass;
  expect([passes(2), passes(2, 2), passes(0), passes(2, 0), passes(3)]).toEqual([true, true, false, false, false]);
});
