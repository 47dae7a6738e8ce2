import { describeLanes, waitFor } from '@order-automation/testing';
import { live } from './live';
import { livesOf } from './lives';
import { alarmOf } from './model';
import type { Life } from './plan';
import { startYearWorld, type YearWorld } from './world';

/** YEAR_SEEDS=500 YEAR_ORDERS=2000: as many years of as many orders each; YEAR_FROM is the first seed. */
const from = Number(process.env.YEAR_FROM ?? 1);
const given = { seeds: process.env.YEAR_SEEDS, orders: process.env.YEAR_ORDERS };

const counted = new Map<string, number>();

describeLanes('a year of a shop', (lane) => {
  const seeds = Number(given.seeds ?? (lane.name === 'embedded' ? 20 : 2));
  const orders = Number(given.orders ?? (lane.name === 'embedded' ? 100 : 40));
  let world: YearWorld;
  const lived: Life[] = [];
  beforeAll(async () => {
    world = await startYearWorld(lane);
  }, 120_000);
  afterAll(async () => {
    await world?.close();
    if (process.env.YEAR_SEEDS)
      console.log(
        [...counted]
          .sort()
          .map(([law, count]) => `${count} × ${law}`)
          .join('\n'),
      );
  });

  test.each(Array.from({ length: seeds }, (_, index) => from + index))(
    'of seed %i every order ends as its gateways say',
    async (seed) => {
      const lives = livesOf(seed, orders, seed * 1_000_000 + 1_000, Date.UTC(2026, 10, 25));
      lived.push(...lives);
      for (const life of lives) counted.set(life.law, (counted.get(life.law) ?? 0) + 1);
      // Steps of some years fail, before or after the shop has carried them out, and are tried again: a later event does not wait for that.
      const fails = seed % 10 === 7;
      world.failEvery(fails ? 9 : 0);
      const wrong = await live(world, lives, fails);
      world.failEvery(0);
      if (wrong.length > 0) throw new Error(`seed ${seed}: ${wrong.length} of ${lives.length}\n${wrong.join('\n')}`);
    },
    600_000,
  );

  test('of all these orders an alarm is raised for those alone whose payment does not fit, or whose money was kept after they were cancelled', async () => {
    const expected = new Map(lived.filter(alarmOf).map((life) => [life.order.id, alarmOf(life)]));
    // The list has 100 orders at most.
    const listed = Math.min(expected.size, 100);
    const found = await world.lookAtMoney();
    await waitFor(async () => (await found()).size >= listed, { timeout: 60_000, describe: 'every alarm' });
    const alarms = await found();
    expect([...alarms].filter(([id, law]) => expected.get(id) !== law)).toEqual([]);
    expect(alarms.size).toBe(listed);
  }, 300_000);
});
