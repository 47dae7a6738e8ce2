import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { percentile } from './table';

/** Makes a new folder in ./data, whose name begins so. */
export function newFolder(prefix: string): string {
  const data = join(__dirname, '..', 'data');
  mkdirSync(data, { recursive: true });
  return mkdtempSync(join(data, prefix));
}

/** Puts a file system of that size over the folder. False where this user may not. */
export function mount(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export const unmount = (folder: string): void => void execFileSync('umount', ['-l', folder]);

/** Bytes of the database files in a folder, without their write-ahead logs, which are emptied and used again. */
export function databaseBytes(folder: string): number {
  const files = readdirSync(folder).filter((name) => !name.endsWith('-wal') && !name.endsWith('-shm'));
  return files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

export type Flush = { readonly p50: number; readonly p99: number };

/** What flushing costs in that folder now: milliseconds of fdatasync after appending 4 KB, 200 times. */
export function measureFlush(folder: string): Flush {
  const own = mkdtempSync(join(folder, 'flush-'));
  const file = openSync(join(own, 'log'), 'a');
  const page = Buffer.alloc(4096, 1);
  const times: number[] = [];
  for (let count = 0; count < 200; count += 1) {
    writeSync(file, page);
    const start = performance.now();
    fdatasyncSync(file);
    times.push(performance.now() - start);
  }
  closeSync(file);
  rmSync(own, { recursive: true });
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
