/** How often each word comes. */
export function countOf(words: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The commonest first. */
export const countedReasons = (reasons: Iterable<string>): { reason: string; count: number }[] =>
  [...countOf(reasons)].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
