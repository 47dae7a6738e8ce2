import { orderTurns } from './turns';

test('events of one order run one after the other, those of others beside them', async () => {
  const { inTurn } = orderTurns();
  const log: string[] = [];
  const gates: (() => void)[] = [];
  const run = (name: string, order: number) =>
    inTurn(order, async (waited) => {
      log.push(`${name} ${waited}`);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (name === 'a') throw new Error('broken');
      return name;
    });
  const settled = Promise.allSettled([run('a', 1), run('b', 1), run('c', 2)]);
  expect(log).toEqual(['a false', 'c false']);
  gates.shift()?.();
  await new Promise((resolve) => setImmediate(resolve));
  expect(log).toEqual(['a false', 'c false', 'b true']);
  for (const open of gates) open();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
});
