import { writeSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { sqliteStore } from '../src/sqlite/store';

/** A process whose database thread is ended from outside; prints what was acknowledged before: `node thread-death.ts <file>`. */

async function main(): Promise<void> {
  const threads: Worker[] = [];
  process.on('worker', (worker) => threads.push(worker));
  const store = await sqliteStore({ file: String(process.argv[2]), thread: 'worker' });
  const rows = await store.collection<{ readonly _id: string }>('rows');
  const write = async (n: number): Promise<void> => {
    const _id = `row${n}`;
    await rows.insertOne({ _id }).catch(() => writeSync(1, `${_id} was refused\n`));
    writeSync(1, `${_id}\n`);
  };
  await write(0);
  const writes = Array.from({ length: 50 }, (_, n) => write(n + 1));
  await Promise.all(threads.map((thread) => thread.terminate()));
  await Promise.all(writes);
}

main().catch((error: unknown) => {
  writeSync(1, `${String(error)}\n`);
});
// Nothing here keeps the process alive or ends it: what does is the death of the thread.
setInterval(() => undefined, 1000);
