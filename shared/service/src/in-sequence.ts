type Key = string | number;

/**
 * Runs work in the order in which it comes, as far as it shares a key; other work runs beside it. `waited`: other work with a key of it ran in between,
 * and what was read before may be out of date.
 */
export type InSequence = <Result>(keys: readonly Key[], work: (waited: boolean) => Promise<Result>) => Promise<Result>;

export function inSequence(): InSequence {
  const last = new Map<Key, Promise<unknown>>();
  return (keys, work) => {
    const before = keys.flatMap((key) => last.get(key) ?? []);
    const run = before.length === 0 ? work(false) : Promise.all(before).then(() => work(true));
    const settled: Promise<unknown> = run
      .catch(() => undefined)
      .finally(() => {
        for (const key of keys) if (last.get(key) === settled) last.delete(key);
      });
    for (const key of keys) last.set(key, settled);
    return run;
  };
}
