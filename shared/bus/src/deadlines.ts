export type Deadlines = {
  /** The outcome of the job, or after `timeout` milliseconds the error that `late` makes. */
  within<T>(job: Promise<T>, timeout: number, late: () => Error): Promise<T>;
};

/** `giveUp` goes when the job has settled. */
type Waiting = { readonly deadline: number; giveUp: (() => void) | undefined };

/** Milliseconds: one timer looks for what is late, instead of one for each. */
const lookEvery = 25;

export function newDeadlines(): Deadlines {
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;

  const look = (): void => {
    const now = performance.now();
    for (const one of waiting) {
      if (one.deadline > now) continue;
      one.giveUp?.();
      one.giveUp = undefined;
    }
    waiting = waiting.filter(({ giveUp }) => giveUp !== undefined);
    if (waiting.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    within: (job, timeout, late) =>
      new Promise((resolve, reject) => {
        const one: Waiting = { deadline: performance.now() + timeout, giveUp: () => reject(late()) };
        waiting.push(one);
        timer ??= setInterval(look, lookEvery);
        job.then(
          (value) => {
            one.giveUp = undefined;
            resolve(value);
          },
          (error: unknown) => {
            one.giveUp = undefined;
            reject(error);
          },
        );
      }),
  };
}
