import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something in a directory of its own, which is removed after. */
export async function inDirectory<V>(work: (directory: string) => Promise<V>): Promise<V> {
  const directory = await mkdtemp(join(tmpdir(), 'store-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
