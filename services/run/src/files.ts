import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** In a data folder until all of a backup is in it: nothing starts on a part of an installation. */
export const restoringFile = 'restore.unfinished';

export function flush(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Replaces the file as a whole, so that a crash leaves the old one or the new one; its owner alone reads it. */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  renameSync(temporary, file);
  flush(dirname(file));
}
