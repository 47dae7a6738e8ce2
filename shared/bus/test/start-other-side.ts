import { once } from 'node:events';
import { join } from 'node:path';
import { type TransferListItem, Worker } from 'node:worker_threads';
import type { OtherSide } from './other-side';

/** Runs other-side.ts, as TypeScript, in a thread. */
export async function startOtherSide(side: OtherSide, transferList: TransferListItem[] = []) {
  const program = `require('tsx/cjs'); require(${JSON.stringify(join(__dirname, 'other-side.ts'))});`;
  const worker = new Worker(program, { eval: true, execArgv: ['--conditions=source'], workerData: side, transferList });
  await once(worker, 'message');
  return {
    /** Resolves when its event loop stands still, for so many milliseconds. */
    block: async (milliseconds: number): Promise<void> => {
      const blocked = once(worker, 'message');
      worker.postMessage(milliseconds);
      await blocked;
    },
    end: () => worker.terminate(),
  };
}
