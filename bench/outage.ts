import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runDrill } from '../services/run/test/drill/drill';
import { distributedSubject, embeddedSubject, type Subject } from '../services/run/test/drill/subjects';
import type { ProductOptions } from '../services/run/test/product';
import { mount, newFolder, unmount } from './disk';

/**
 * 1,000 payments (`--payments`) of a gateway that can be asked, through kills, a pause of an hour, a full disk and a refusal; with `--mode distributed`
 * (needs NATS_SERVER_BIN and MONGODB_URI) through NATS and the database away besides. Prints what does not add up and what the overview says. Needs a user
 * who may mount a file system. Resolves with the exit code.
 */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { mode: { type: 'string', default: 'embedded' }, payments: { type: 'string', default: '1000' } },
  });
  const payments = Number(values.payments);
  const { NATS_SERVER_BIN: natsServer, MONGODB_URI: mongodbUri } = process.env;
  if (values.mode === 'embedded') return drill(embeddedSubject, payments);
  if (values.mode === 'distributed' && natsServer && mongodbUri)
    return drill((disk, options) => distributedSubject(disk, { natsServer, mongodbUri }, options), payments);
  process.stdout.write('--mode is embedded or distributed; distributed needs NATS_SERVER_BIN and MONGODB_URI.\n');
  return 2;
}

type StartSubject = (disk: string, options: ProductOptions) => Promise<Subject>;

async function drill(startSubject: StartSubject, payments: number): Promise<number> {
  const folder = newFolder('outage-');
  const disk = join(folder, 'disk');
  const began = performance.now();
  const onProgress = (text: string): void =>
    void process.stdout.write(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);
  mkdirSync(disk);
  if (!mount(disk, 600)) {
    process.stdout.write('The drill fills a disk of its own, and this user may not mount one.\n');
    return 1;
  }
  let isWrong = true;
  try {
    const { wrong, overview, found } = await runDrill({
      startSubject: (options) => startSubject(disk, options),
      payments,
      logFile: join(folder, 'log'),
      onProgress,
    });
    onProgress(`all was found ${found.toFixed(0)} s after the last gap`);
    for (const sentence of wrong.slice(0, 50)) process.stdout.write(`${sentence}\n`);
    process.stdout.write(`\nThe overview: ${overview}\n`);
    process.stdout.write(
      `${wrong.length === 0 ? 'Each payment is done once or named with its reason.' : `${wrong.length} FAULTS, see ${folder}`}\n`,
    );
    isWrong = wrong.length > 0;
    return isWrong ? 1 : 0;
  } finally {
    unmount(disk);
    // What does not add up is looked for in its log.
    if (!isWrong) rmSync(folder, { recursive: true, force: true });
  }
}
