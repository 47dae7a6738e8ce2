import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@order-automation/service';
import { deathsInARow, restartDelay, stableAfter, startChild } from './supervisor-child';

describe('restarts', () => {
  test('the first death is answered at once, the next ones after a doubling pause of at most 10 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 1000].map(restartDelay)).toEqual([
      0, 250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
    ]);
  });

  test('a process that was stable resets the count', () => {
    expect(deathsInARow(0, 10)).toBe(1);
    expect(deathsInARow(4, stableAfter - 1)).toBe(5);
    expect(deathsInARow(4, stableAfter)).toBe(1);
  });
});

// decisions.md section 10: `npm run start:distributed` stops all on SIGTERM. While they started it ended with code 1 and an error.
test('a process that was still loading when it was stopped has stopped without an error', async () => {
  const entry = join(mkdtempSync(join(tmpdir(), 'loading-')), 'main.js');
  writeFileSync(entry, 'setTimeout(() => undefined, 60_000);');
  const child = startChild(
    { name: 'shop', entry },
    {
      env: () => process.env,
      log: createLogger({ name: 'test', level: 'silent' }),
      onReport: () => undefined,
      onRefusal: () => undefined,
    },
  );
  await expect(child.stop()).resolves.toBe(true);
});
