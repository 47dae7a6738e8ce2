export type Deadlines = {
  /** The outcome of the job, or after `timeout` milliseconds the error that `late` makes. */
  within<T>(job: Promise<T>, timeout: number, late: () => Error): Promise<T>;
};

type Waiting = { readonly deadline: number; readonly giveUp: () => void };

/** Milliseconds: one timer looks for what is late, instead of one for each. */
const lookEvery = 25;

export function newDeadlines(): Deadlines {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const now = performance.now();
    for (const one of waiting) {
      if (one.deadline > now) continue;
      waiting.delete(one);
      one.giveUp();
    }
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    within: (job, timeout, late) =>
      new Promise((resolve, reject) => {
        const one = { deadline: performance.now() + timeout, giveUp: () => reject(late()) };
        waiting.add(one);
        timer ??= setInterval(look, lookEvery);
        job.then(
          (value) => {
            waiting.delete(one);
            resolve(value);
          },
          (error: unknown) => {
            waiting.delete(one);
            reject(error);
          },
        );
      }),
  };
}
