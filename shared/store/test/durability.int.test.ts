import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { sqliteStore } from '../src/sqlite/store';
import { inDirectory } from './directory';

type Row = { readonly _id: string; n: number };

/** Starts the writer; `enough` decides by its lines when it is killed. Returns what it said until it was dead. */
async function writeUntil(
  file: string,
  first: number,
  enough: (line: string, lines: readonly string[], writer: ChildProcess) => boolean,
  limits: readonly string[] = [],
): Promise<string[]> {
  const program = [process.execPath, '--require', require.resolve('tsx/cjs'), join(__dirname, 'writer.ts')];
  const [command, ...prefix] = [...limits, ...program];
  const writer = spawn(String(command), [...prefix, file, String(first)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  createInterface({ input: writer.stdout }).on('line', (line) => {
    lines.push(line);
    if (enough(line, lines, writer)) writer.kill('SIGKILL');
  });
  await once(writer, 'close');
  return lines;
}

const acknowledged = (lines: readonly string[]): number[] =>
  lines.flatMap((line) => (line.startsWith('ok ') ? [Number(line.slice(3))] : []));

async function stored(file: string): Promise<Set<number>> {
  const store = await sqliteStore({ file, thread: 'inline' });
  const rows = await store.collection<Row>('rows');
  const found = await rows.find({}, { projection: { n: 1 } }).toArray();
  await store.close();
  return new Set(found.map((row) => row.n));
}

test('a process that is killed has lost none of the acknowledged writes', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'store.db');
    const known: number[] = [];
    for (const killedAfter of [1, 200, 700, 1500]) {
      const lines = await writeUntil(file, Math.max(0, ...known) + 1000, (_, so_far) => so_far.length >= killedAfter);
      known.push(...acknowledged(lines));
      const there = await stored(file);
      expect(known.filter((n) => !there.has(n))).toEqual([]);
    }
    expect(known.length).toBeGreaterThanOrEqual(2400);
  });
}, 120_000);

const withoutPrlimit = process.platform !== 'linux';
(withoutPrlimit ? test.skip : test)(
  'a full disk: unavailable while it lasts, none acknowledged and lost, then writes go on',
  async () => {
    await inDirectory(async (directory) => {
      const file = join(directory, 'store.db');
      let raised: Promise<unknown> | undefined;
      let since = 0;
      const enough = (line: string, lines: readonly string[], writer: ChildProcess): boolean => {
        if (raised === undefined && line.startsWith('unavailable')) {
          raised = promisify(execFile)('prlimit', ['--pid', String(writer.pid), '--fsize=unlimited']);
          since = lines.length;
        }
        return raised !== undefined && acknowledged(lines.slice(since)).length > 300;
      };
      const lines = await writeUntil(file, 0, enough, ['prlimit', '--fsize=400000:unlimited']);
      await raised;
      expect(lines.some((line) => line.startsWith('unavailable'))).toBe(true);
      const there = await stored(file);
      expect(acknowledged(lines).filter((n) => !there.has(n))).toEqual([]);
    });
  },
  60_000,
);
