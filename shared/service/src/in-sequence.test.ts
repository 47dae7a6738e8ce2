import { inSequence } from './in-sequence';

test('what shares a key runs in the order in which it came, also after a failure; the rest runs at once', async () => {
  const run = inSequence();
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const start = (name: string, ...keys: string[]) =>
    run(keys, async () => {
      log.push(name);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (name === 'a') throw new Error('broken');
    });
  const all = Promise.allSettled([start('a', 'x'), start('b', 'x', 'y'), start('c', 'y'), start('d', 'z'), start('e')]);
  expect(log).toEqual(['a', 'd', 'e']);
  while (log.length < 5) {
    for (const open of gates.splice(0)) open();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const open of gates) open();
  expect(log).toEqual(['a', 'd', 'e', 'b', 'c']);
  expect((await all).map(({ status }) => status)).toEqual(['rejected', ...Array(4).fill('fulfilled')]);
});
