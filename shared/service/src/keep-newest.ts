/** Bounds a cache: forgets what was added first, a sixteenth of `max` at a time, since each look for the first key steps over those that were deleted. */
export function keepNewest<Key>(
  cache: { readonly size: number; keys(): IterableIterator<Key>; delete(key: Key): boolean },
  max: number,
): void {
  if (cache.size <= max + max / 16) return;
  for (const key of cache.keys()) {
    if (cache.size <= max) return;
    cache.delete(key);
  }
}
