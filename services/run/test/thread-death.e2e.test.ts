import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(__dirname, '..', 'dist', 'main.js');

/** The exit code and the log of a product whose database threads are ended by this signal. */
async function endedBy(signal: NodeJS.Signals): Promise<{ code: unknown; log: unknown[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'thread-death-'));
  const child = fork(main, [], {
    execArgv: ['--require', join(__dirname, 'end-thread.cjs')],
    env: { ...process.env, NATS_URL: '', MONGODB_URI: '', DATA_DIR: dataDir, PORT: '0', OPS_PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
  });
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const closed = once(child, 'close');
  await Promise.race([once(child, 'message'), closed]);
  child.kill(signal);
  const [code] = await closed;
  rmSync(dataDir, { recursive: true });
  const lines = log.trim().split('\n');
  return { code, log: lines.map((line): unknown => JSON.parse(line)) };
}

test.each([
  ['a database thread of the main thread', 'SIGUSR2'],
  ['a database thread of another thread', 'SIGHUP'],
] as const)('%s dies: it ends the process, so that a supervisor starts it again', async (_, signal) => {
  const { code, log } = await endedBy(signal);
  expect(code).toBe(1);
  const err = expect.objectContaining({ message: expect.stringContaining('database thread has ended') });
  expect(log).toContainEqual(expect.objectContaining({ level: 'fatal', err }));
});
