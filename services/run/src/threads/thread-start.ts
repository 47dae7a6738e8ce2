import { portCalls } from '@order-automation/bus/threads';
import type { ThreadAnswers } from './thread-run';
import type { SpawnedThread } from './thread-spawn';

export type Thread = ReturnType<typeof startThread>;

/** A thread that this process waits for from now on. One that ends by itself ends the process: the stores hold the truth. `settings` are cloned. */
export function startThread({ name, worker, bus, control: port }: SpawnedThread, settings: unknown) {
  worker.ref();
  const control = portCalls(port, async () => null);
  const ask = <Name extends keyof ThreadAnswers>(asked: Name, value: unknown = null) =>
    control.call(asked, value) as Promise<ThreadAnswers[Name]>;

  let closing: Promise<void> | undefined;
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  let failure: unknown;
  worker.once('error', (error) => {
    failure = error;
  });
  worker.once('exit', (code) => {
    if (closing !== undefined) return;
    const why = failure instanceof Error ? failure.message : `code ${code}`;
    throw new Error(`The thread "${name}" has ended (${why}).`, { cause: failure });
  });
  const shutDown = async (): Promise<void> => {
    try {
      await ask('close');
    } finally {
      control.close();
      await ended;
    }
  };

  return {
    /** Our end of the port on which services of both threads meet. */
    bus,
    /** Launches its work, once. Rejects with what that rejected with. */
    start: async (): Promise<void> => void (await ask('start', settings)),
    missing: () => ask('missing'),
    metrics: () => ask('metrics'),
    /** Closes its work and ends it. Idempotent. */
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
