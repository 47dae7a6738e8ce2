import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../services/run/test/product';
import { newSecrets } from '../services/run/test/product-client';
import { newFolder } from './disk';
import { type Generator, startGenerator } from './load';
import { boundOf } from './metrics';
import { residentMegabytes } from './processes';
import { productSubject, type Subject } from './subjects';
import { median } from './table';

const help = `npm run bench:soak -- [--minutes 30] [--rate 1000] [--orders 8000] [--keep]
Sends webhooks to the embedded process at an even rate, one rule matching each, and prints every minute how much memory the process has and how
long answers and effects take. Memory is flat when the last third of the run has what the third before it had (P8). About 12 KB of disk
an event, in ./data/soak-*, deleted after a good end unless --keep is given.
`;

type Options = { readonly minutes: number; readonly rate: number; readonly orders: number; readonly keep: boolean };
type Minute = {
  readonly megabytes: number;
  readonly p50: number;
  readonly p99: number;
  readonly doneP50: number;
  readonly doneP99: number;
};

/** The memory of the last third may be so many times that of the third before it. */
const flat = 1.05;

/** Runs the soak and prints a line a minute. Resolves with the exit code: 1 when something was refused or memory grew. */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stdout.write(help);
    return 0;
  }
  const folder = newFolder('soak-');
  const secrets = newSecrets();
  const env = { ...secrets.env, PORT: '0', OPS_PORT: '0', DEMO_SHOP: 'false', LOG_LEVEL: 'warn', DATA_DIR: folder };
  const product = await startEmbedded({ env, log: openSync(join(folder, 'log'), 'a') });
  const generator = startGenerator();
  let code = 1;
  try {
    const firstOrder = Math.floor(Date.now() / 1000);
    const setUp = { rules: 'one matches', firstOrder, orders: options.orders } as const;
    const subject = await productSubject('soak', product, secrets, setUp);
    const orders = Array.from({ length: options.orders }, (_, index) => firstOrder + index);
    code = conclude(await runMinutes(subject, generator, { ...options, orders, secret: secrets.cardSecret }));
  } finally {
    generator.close();
    await product.stop();
  }
  if (code === 0 && !options.keep) rmSync(folder, { recursive: true, force: true });
  return code;
}

function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '30' },
      rate: { type: 'string', default: '1000' },
      orders: { type: 'string', default: '8000' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [minutes = 0, rate = 0, orders = 0] = [values.minutes, values.rate, values.orders].map(Number);
  const usable = [minutes, rate, orders].every((value) => Number.isInteger(value) && value > 0);
  return values.help || !usable ? undefined : { minutes, rate, orders, keep: values.keep };
}

type Load = { minutes: number; rate: number; orders: readonly number[]; secret: string };

async function runMinutes(subject: Subject, generator: Generator, load: Load): Promise<Minute[]> {
  const { minutes, rate, orders, secret } = load;
  const job = { port: subject.port, secret, connections: 64, orders, rate, count: rate * 60 };
  const done: Minute[] = [];
  process.stdout.write('minute     MB  answer p50 ms    p99  done p50 within ms    p99\n');
  for (let minute = 1; minute <= minutes; minute += 1) {
    const [before, durations] = [await subject.done(), await subject.durations()];
    const { p50, p99, refused } = await generator.run({ ...job, prefix: `${orders[0]}m${minute}n` });
    if (refused > 0) throw new Error(`${refused} of ${job.count} webhooks were refused in minute ${minute}`);
    await subject.drained?.(before, job.count);
    const after = await subject.durations();
    const measured: Minute = {
      megabytes: residentMegabytes(subject.pids()),
      p50,
      p99,
      doneP50: boundOf(durations, after, 0.5),
      doneP99: boundOf(durations, after, 0.99),
    };
    done.push(measured);
    process.stdout.write(`${lineOf(minute, measured)}\n`);
  }
  return done;
}

function lineOf(minute: number, { megabytes, p50, p99, doneP50, doneP99 }: Minute): string {
  const cells: [string | number, number][] = [
    [megabytes.toFixed(0), 7],
    [p50.toFixed(2), 15],
    [p99.toFixed(1), 7],
    [doneP50, 20],
    [doneP99, 7],
  ];
  return String(minute).padEnd(6) + cells.map(([text, width]) => String(text).padStart(width)).join('');
}

/** Compares the last third with the one before it: in the first the process still grows to what the load needs. */
function conclude(minutes: readonly Minute[]): number {
  const third = Math.floor(minutes.length / 3);
  if (third === 0) return 0;
  const megabytes = minutes.map((minute) => minute.megabytes);
  const [before, last] = [median(megabytes.slice(-2 * third, -third)), median(megabytes.slice(-third))];
  const ratio = last / before;
  process.stdout.write(
    `P8 memory: ${last.toFixed(0)} MB in the last ${third} minutes = ${ratio.toFixed(2)} x the ${third} before (goal flat, <= ${flat})\n`,
  );
  return ratio <= flat ? 0 : 1;
}
