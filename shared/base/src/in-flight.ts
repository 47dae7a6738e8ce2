export type InFlight = ReturnType<typeof newInFlight>;

/** Work of which one run is in flight at a time: a call meanwhile joins it. */
export function joined<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}

/** Work that is done once, however often it is asked for. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

export function newInFlight() {
  let size = 0;
  let waiting: (() => void)[] = [];
  const left = (): void => {
    size -= 1;
    if (size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    get size(): number {
      return size;
    },
    /** `job` must not reject. */
    add: (job: Promise<unknown>): void => {
      size += 1;
      void job.then(left);
    },
    idle: (): Promise<void> => (size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
