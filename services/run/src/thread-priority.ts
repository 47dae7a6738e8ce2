import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets this thread, and the threads it starts from now on, have the processor after those that stay as they are: `niceness` from 1 to 19. Where
 * threads have no priorities of their own (anything but Linux), nothing changes.
 */
export function lowerPriority(niceness: number): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), Math.max(getPriority(), niceness));
  } catch {
    // All threads stay equal.
  }
}
