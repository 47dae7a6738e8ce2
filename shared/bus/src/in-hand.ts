/** What is under way. */
export type InHand = {
  readonly size: number;
  /** `job` must not reject. */
  add(job: Promise<unknown>): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
};

/**
 * A count, not a set: a set that is added to and deleted from for ever is rebuilt again and again, and its outgrown tables keep
 * what was in it alive until the next full collection.
 */
export function newInHand(): InHand {
  let size = 0;
  let waiting: (() => void)[] = [];
  const left = (): void => {
    size -= 1;
    if (size > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    get size() {
      return size;
    },
    add: (job) => {
      size += 1;
      void job.then(left);
    },
    idle: () => (size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
