import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A load for the generator in load.mjs. `prefix` makes its events unique; `rate` in requests a second, else as fast as it goes. */
export type Job = {
  readonly port: number;
  readonly secret: string;
  readonly prefix: string;
  readonly count: number;
  readonly connections: number;
  readonly orders: readonly number[];
  readonly rate?: number;
};

/** `startedAt` in milliseconds since the epoch, `p50` and `p99` of the answers in milliseconds. */
export type Figures = {
  readonly startedAt: number;
  readonly seconds: number;
  readonly accepted: number;
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
};

export type Generator = { run(job: Job): Promise<Figures>; close(): void };

/** Starts the generator as a process of its own. A load that breaks off rejects. */
export function startGenerator(): Generator {
  const child = fork(join(__dirname, 'load.mjs'), [], { execArgv: [] });
  return {
    run: async (job) => {
      child.send(job);
      const [answer] = (await once(child, 'message')) as [
        ({ type: 'figures' } & Figures) | { type: 'failed'; message: string },
      ];
      if (answer.type === 'failed') throw new Error(`the load broke off: ${answer.message}`);
      return answer;
    },
    close: () => child.disconnect(),
  };
}
