import type { ProductFacts } from '@order-automation/contracts';
import { type Condition, checked, condition } from './component';
import { changedProducts, factsOfLines, foundText } from './products';
import { type Match, matchField, selectionText, selects } from './selection';
import { settingsOf, textList } from './settings-schema';

/** What a condition about the terms of products is made of: categories or tags. */
type Definition<Name extends string> = Pick<Condition, 'id' | 'label' | 'description'> & {
  /** The setting that holds the term ids, as text. */
  readonly setting: Name;
  readonly title: string;
  readonly source: string;
  readonly thing: string;
  readonly termsOf: (product: ProductFacts) => readonly number[];
  /** The product with these terms and no others. */
  readonly withTerms: (product: ProductFacts, terms: readonly number[]) => ProductFacts;
};

type Settings<Name extends string> = { readonly [Key in Name]: readonly string[] } & { readonly match?: Match };

export const recordId = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,14}$',
  'x-pattern-message': 'must be an id in digits, for example "101"',
} as const;

/** A condition about categories or tags of the products in the order. */
export function productTerms<Name extends string>({
  setting,
  title,
  source,
  thing,
  termsOf,
  withTerms,
  ...named
}: Definition<Name>): Condition<Settings<Name>> {
  const found = (product: ProductFacts | undefined): string[] => (product ? termsOf(product).map(String) : []);
  const ids = textList(title, `Choose ${title.toLowerCase()}.`, { items: recordId, 'x-search-source': source });
  return condition<Settings<Name>>({
    ...named,
    edition: 'default',
    schema: settingsOf({ [setting]: ids, match: matchField('product', 'have') }),
    compile: ({ [setting]: terms, match = 'any' }) => {
      const wanted = new Set<string>(terms);
      const expected = selectionText(match, 'product', `in ${thing} ${[...wanted].join(' or ')}`);
      return ({ context }) => {
        const items = factsOfLines(context).map(found);
        const pass = selects(match, wanted, items);
        const actual = foundText(items, items.length === 0 ? 'no products' : 'none');
        return checked(pass, expected, actual, `${title.toLowerCase()} in the order: ${actual}`);
      };
    },
    nearest: ({ [setting]: terms, match = 'any' }, facts) => {
      const wanted = new Set<string>(terms);
      const has = (product: ProductFacts | undefined) => found(product).some((term) => wanted.has(term));
      const change = (product: ProductFacts): ProductFacts => {
        const others = termsOf(product).filter((term) => !wanted.has(String(term)));
        return withTerms(product, match === 'none' ? others : [...others, Number(terms[0])]);
      };
      return changedProducts(facts, match, (product) => has(product) === (match !== 'none'), change);
    },
  });
}
