const longestWord = 64;

/**
 * The words of a text as a word index (port.ts) holds them and as `$all` asks for them, each once: runs of letters and digits, in lower case, without
 * accents, of at most 64 characters. Text without spaces, as Chinese, is one word. The same for both engines, because it happens here.
 */
export function wordsOf(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const found = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [
    ...new Set(found.map((word) => (word.length <= longestWord ? word : [...word].slice(0, longestWord).join('')))),
  ];
}

/** The words and every beginning of them from `shortest` characters on, for searches while somebody types. */
export function withBeginnings(words: readonly string[], shortest = 2): string[] {
  const beginnings = words.flatMap((word) => {
    const letters = [...word];
    return letters.map((_, index) => letters.slice(0, index + 1)).filter(({ length }) => length >= shortest);
  });
  return [...new Set([...words, ...beginnings.map((letters) => letters.join(''))])];
}
