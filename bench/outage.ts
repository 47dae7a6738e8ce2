import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runDrill } from '../services/run/test/drill/drill';
import { newFolder } from './disk';

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
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=600m', 'tmpfs', disk], { stdio: 'inherit' });
  try {
    const { wrong, overview, found } = await runDrill({ disk, logFile: join(folder, 'log'), onProgress });
    onProgress(`all was found ${found.toFixed(0)} s after the last gap`);
    for (const sentence of wrong.slice(0, 50)) process.stdout.write(`${sentence}\n`);
    process.stdout.write(`\nThe overview: ${overview}\n`);
    process.stdout.write(
      `${wrong.length === 0 ? 'Each payment is done once or named with its reason.' : `${wrong.length} FAULTS, see ${folder}`}\n`,
    );
    return wrong.length === 0 ? 0 : 1;
  } finally {
    execFileSync('umount', ['-l', disk]);
    if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true });
  }
}
