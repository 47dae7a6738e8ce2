/** The one of `known` that `word` was most likely meant to be: at most `maxEdits` letters differ, by default a third of them. Undefined when none is. */
export function nearest(
  word: string,
  known: readonly string[],
  maxEdits = Math.max(1, Math.floor(word.length / 3)),
): string | undefined {
  let best: string | undefined;
  let fewest = maxEdits + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/** `; did you mean amount?`, to stand behind what is wrong with a name; nothing when no known name is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word.slice(0, 100), known);
  return meant === undefined ? '' : `; did you mean ${meant}?`;
}

/** Levenshtein's distance, in which two neighbouring letters that changed places count as one edit. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, at(before, j - 2) + 1);
      row.push(edits);
    }
    [before, previous] = [previous, row];
  }
  return at(previous, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Number.POSITIVE_INFINITY;
