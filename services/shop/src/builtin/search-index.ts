import type { Index } from '@order-automation/store';
import { withBeginnings, wordsOf } from '@order-automation/store';
import { searchText } from '../orders/order-lookup';

/** What a search finds a product or a record by: whole texts by their beginning, and words with theirs. */
export type Searchable = {
  readonly name: string;
  readonly slug: string;
  readonly sku: string;
  readonly words: readonly string[];
};

/** `marks` are words that no search can ask for, such as `term:11`: letters and digits are words, `:` is not. */
export function searchable(
  texts: { readonly name: string; readonly slug?: string; readonly sku?: string; readonly other?: string },
  marks: readonly string[],
): Searchable {
  const { name, slug = '', sku = '', other = '' } = texts;
  return {
    name: searchText(name),
    slug: searchText(slug),
    sku: searchText(sku),
    words: [...new Set([...withBeginnings(wordsOf(`${name} ${sku} ${slug} ${other}`), 1), ...marks])],
  };
}

export const startingWith = (text: string): { $gte: string; $lt: string } => ({ $gte: text, $lt: `${text}\uffff` });

export const wordIndex: Index = { words: 'words', name: 'words' };
