/** At every level, each once; categories that are above each other end the walk. */
export function categoriesAbove(ids: readonly number[], parents: ReadonlyMap<number, number>): number[] {
  const known = new Set(ids);
  const above: number[] = [];
  for (const id of ids) {
    for (let at = parents.get(id) ?? 0; at > 0 && !known.has(at); at = parents.get(at) ?? 0) {
      known.add(at);
      above.push(at);
    }
  }
  return above;
}
