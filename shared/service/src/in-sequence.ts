/** Runs work in the order in which it comes, as far as it shares a key; other work runs beside it. */
export type InSequence = <Result>(keys: readonly string[], work: () => Promise<Result>) => Promise<Result>;

export function inSequence(): InSequence {
  const last = new Map<string, Promise<unknown>>();
  return (keys, work) => {
    const before = keys.flatMap((key) => last.get(key) ?? []);
    const run = before.length === 0 ? work() : Promise.all(before).then(work);
    const settled: Promise<unknown> = run
      .catch(() => undefined)
      .finally(() => {
        for (const key of keys) if (last.get(key) === settled) last.delete(key);
      });
    for (const key of keys) last.set(key, settled);
    return run;
  };
}
