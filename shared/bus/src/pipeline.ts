import { fifo } from './fifo';

/** Starts jobs in order, without waiting for one before the next, up to a limit. */
export type Pipeline<Job> = {
  add(job: Job): void;
  /** Resolves when nothing waits and nothing is under way. */
  drained(): Promise<void>;
};

/** `run` must not reject. */
export function newPipeline<Job>(limit: number, run: (job: Job) => Promise<void>): Pipeline<Job> {
  const waiting = fifo<Job>();
  const idle: (() => void)[] = [];
  let underWay = 0;

  const finished = (): void => {
    underWay -= 1;
    pump();
    if (underWay === 0) for (const resolve of idle.splice(0)) resolve();
  };

  function pump(): void {
    for (const job of waiting.take(limit - underWay)) {
      underWay += 1;
      void run(job).then(finished);
    }
  }

  return {
    add: (job) => {
      waiting.push(job);
      pump();
    },
    drained: () => (underWay === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve))),
  };
}
