import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runDrill } from '../services/run/test/drill/drill';
import { mount, newFolder, unmount } from './disk';

/**
 * 1,000 payments of a gateway that can be asked, through kills, a pause of an hour, a full disk and a refusal. Prints what does not add up and what the
 * overview says. Needs a user who may mount a file system. Resolves with the exit code.
 */
export async function main(): Promise<number> {
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
    const { wrong, overview, found } = await runDrill({ disk, logFile: join(folder, 'log'), onProgress });
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
