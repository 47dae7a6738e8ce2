import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { portCalls } from '@order-automation/bus/threads';
import type { ThreadAnswers, ThreadData, ThreadWork } from './thread-run';

export type Thread = ThreadWork & {
  /** Our end of the port on which services of both threads meet. */
  readonly bus: MessagePort;
  /** Launches its work, once. Rejects with what that rejected with. */
  start(): Promise<void>;
  /** Closes its work and ends it. Idempotent. */
  close(): Promise<void>;
};

/**
 * A thread of this process; its modules are loaded from now on. `module` calls `runThread`. A thread that ends by itself ends the process,
 * as an uncaught error: the stores hold the truth.
 */
export function startThread(name: string, module: string, settings: unknown): Thread {
  const [toBus, toControl] = [new MessageChannel(), new MessageChannel()];
  const data: ThreadData<unknown> = { settings, bus: toBus.port1, control: toControl.port1 };
  const worker = new Worker(module, { name, workerData: data, transferList: [data.bus, data.control] });
  const control = portCalls(toControl.port2, async () => null);
  const ask = <Name extends keyof ThreadAnswers>(asked: Name) =>
    control.call(asked, null) as Promise<ThreadAnswers[Name]>;

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
    bus: toBus.port2,
    start: async () => {
      await ask('start');
    },
    missing: () => ask('missing'),
    metrics: () => ask('metrics'),
    close: () => {
      closing ??= shutDown();
      return closing;
    },
  };
}
