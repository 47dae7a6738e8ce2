import { writeSync } from 'node:fs';
import { StoreUnavailableError } from '../src/errors';
import { sqliteStore } from '../src/sqlite/store';

/** A process that writes until it is killed, and says on its output what was acknowledged: `node writer.ts <file> <first id>`. */

type Row = { readonly _id: string; n: number; text: string };

const [, , file = '', first = '0'] = process.argv;
const callers = 32;

async function main(): Promise<void> {
  const store = await sqliteStore({ file, thread: 'worker' });
  const rows = await store.collection<Row>('rows', [{ key: { n: 1 }, name: 'n', unique: true }]);
  let n = Number(first);
  const write = async (): Promise<void> => {
    for (;;) {
      n += 1;
      const id = n;
      try {
        await rows.insertOne({ _id: `row${id}`, n: id, text: 'x'.repeat(500) });
        process.stdout.write(`ok ${id}\n`);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        process.stdout.write(`unavailable ${id}\n`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, write));
}

main().catch((error: unknown) => {
  writeSync(2, `${String(error)}\n`);
  process.exit(1);
});
