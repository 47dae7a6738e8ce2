import { orderLocks } from './order-locks';

type Item = { order: number | null; name: string };

describe('orderLocks', () => {
  it('runs different orders in one round and the same order one after the other', async () => {
    const locks = orderLocks();
    const rounds: string[][] = [];
    const items: Item[] = [
      { order: 1, name: 'a' },
      { order: 2, name: 'b' },
      { order: 1, name: 'c' },
      { order: null, name: 'd' },
      { order: 1, name: 'e' },
    ];
    await locks.inRounds(
      items,
      (item) => item.order,
      async (round) => void rounds.push(round.map((item) => item.name)),
    );
    expect(rounds).toEqual([['a', 'b', 'd'], ['c'], ['e']]);
  });

  it('keeps an order to one batch at a time, also when a round throws', async () => {
    const locks = orderLocks();
    let inside = 0;
    let most = 0;
    const batch = (fails: boolean) =>
      locks.inRounds(
        [{ order: 1, name: '' }],
        (item) => item.order,
        async () => {
          inside += 1;
          most = Math.max(most, inside);
          await new Promise(setImmediate);
          inside -= 1;
          if (fails) throw new Error('broken round');
        },
      );
    const settled = await Promise.allSettled([batch(true), batch(false), batch(true), batch(false)]);
    expect(settled.map((one) => one.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(most).toBe(1);
  });
});
