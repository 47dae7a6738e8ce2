import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../services/run/test/product';
import { newSecrets, type Secrets } from '../services/run/test/product-client';
import { newFolder } from './disk';
import { type FlushOrder, flushOrder } from './flush-order';
import { startGenerator } from './load';

const help = `node bench/flush.mjs [--answers 5000] [--connections 16]
Sends signed webhooks to the embedded product under strace and looks at the order of its system calls: every answer success:true has to come after
the flush of the log that its event was written to. Then the control: the same product whose databases do not flush at a commit, which the same
look has to catch. Exit code 1 when an answer was early, or the control was not caught. Skipped where strace is missing.
`;

/** Prints a line for the product and one for the control. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      answers: { type: 'string', default: '5000' },
      connections: { type: 'string', default: '16' },
      help: { type: 'boolean', default: false },
    },
  });
  const [count, connections] = [Number(values.answers), Number(values.connections)];
  if (values.help || !(count > 0) || !(connections > 0)) {
    process.stdout.write(help);
    return 0;
  }
  if (spawnSync('strace', ['-V']).status !== 0) {
    process.stdout.write('flush: skipped, strace is not installed (apt-get install strace)\n');
    return 0;
  }
  const product = await traced({ count, connections, preload: undefined });
  process.stdout.write(`product: ${described(product)}\n`);
  const control = await traced({ count, connections, preload: join(__dirname, 'unflushed.cjs') });
  const caught = control.early.length > 0;
  process.stdout.write(`control (synchronous=NORMAL): ${described(control)}: ${caught ? 'caught' : 'NOT CAUGHT'}\n`);
  return product.answers === count && product.early.length === 0 && caught ? 0 : 1;
}

function described({ answers, early }: FlushOrder): string {
  return `${answers.toLocaleString('en')} answers, ${early.length.toLocaleString('en')} before their flush`;
}

type Run = {
  readonly count: number;
  readonly connections: number;
  /** A module that every thread loads first. */
  readonly preload: string | undefined;
};

async function traced({ count, connections, preload }: Run): Promise<FlushOrder> {
  const folder = newFolder('flush-');
  const secrets = newSecrets();
  const port = await freePort();
  const child = startTraced(folder, port, secrets, preload);
  const { line, seen } = flushOrder((path) => path.startsWith(folder) && path.endsWith('-wal'));
  const lines = createInterface({ input: child.stdio[3] as Readable, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', line);
  const read = once(lines, 'close');
  const generator = startGenerator();
  try {
    await ready(child, port, join(folder, 'log'));
    const job = { port, secret: secrets.cardSecret, prefix: 'flush', count, connections, orders: [1001, 1002, 1003] };
    const { accepted } = await generator.run(job);
    if (accepted !== count) throw new Error(`${accepted} of ${count} webhooks were accepted, see ${folder}`);
  } finally {
    generator.close();
    child.kill('SIGTERM');
    await once(child, 'exit');
    await read;
  }
  rmSync(folder, { recursive: true });
  return seen;
}

const calls = 'trace=pwrite64,write,writev,sendmsg,sendto,fsync,fdatasync';

/** The product, with strace as its grandchild (`-D`), whose lines come on file descriptor 3. */
function startTraced(folder: string, port: number, secrets: Secrets, preload: string | undefined): ChildProcess {
  const manifest = readFileSync(join(__dirname, '../package.json'), 'utf8');
  const { scripts } = JSON.parse(manifest) as { scripts: { start: string } };
  const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'));
  const strace = ['-D', '-f', '-y', '-s', '70000', '-e', calls, '-e', 'signal=none', '--seccomp-bpf', '-o', '|cat >&3'];
  const node = [process.execPath, ...flags, join(__dirname, '../services/run/dist/main.js')];
  const log = openSync(join(folder, 'log'), 'a');
  return spawn('strace', [...strace, ...node], {
    env: {
      ...process.env,
      NATS_URL: '',
      MONGODB_URI: '',
      ...(preload === undefined ? {} : { NODE_OPTIONS: `--require ${preload}` }),
      ...secrets.env,
      PORT: String(port),
      OPS_PORT: '0',
      DATA_DIR: join(folder, 'data'),
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', log, log, 'pipe'],
  });
}

async function ready(child: ChildProcess, port: number, log: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/webhooks/health`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`the product did not start, see ${log}`);
    await delay(100);
  }
}
