/** What `load` gave within the last `life` milliseconds, a failure too; calls at the same time share one. */
export function cachedFor<T>(life: number, load: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (known === undefined || now - at >= life) [known, at] = [load(), now];
    return known;
  };
}
