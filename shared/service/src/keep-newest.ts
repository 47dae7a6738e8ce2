/** Bounds a cache: forgets what was added first, until it has at most `max` keys. */
export function keepNewest<Key>(
  cache: { readonly size: number; keys(): IterableIterator<Key>; delete(key: Key): boolean },
  max: number,
): void {
  for (const key of cache.keys()) {
    if (cache.size <= max) return;
    cache.delete(key);
  }
}
