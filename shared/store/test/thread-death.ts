import { writeSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { sqliteStore } from '../src/sqlite/store';

/** A process whose database thread is ended from outside; prints what callers of the store saw: `node thread-death.ts <file>`. */

const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.name,
  );

async function main(): Promise<void> {
  const threads: Worker[] = [];
  process.on('worker', (worker) => threads.push(worker));
  const store = await sqliteStore({ file: String(process.argv[2]), thread: 'worker' });
  const rows = await store.collection<{ readonly _id: string }>('rows');
  const before = await outcome(rows.insertOne({ _id: 'before' }));
  const writes = Array.from({ length: 50 }, (_, n) => outcome(rows.insertOne({ _id: `row${n}` })));
  await Promise.all(threads.map((thread) => thread.terminate()));
  const pending = [...new Set(await Promise.all(writes))];
  const after = await outcome(rows.findOne({ _id: 'before' }));
  const check = await store.check();
  const collection = await outcome(store.collection('rows'));
  const closed = await outcome(store.close());
  writeSync(1, JSON.stringify({ before, pending, after, check, collection, closed }));
}

main().catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
