import { describeLanes } from '@order-automation/testing';
import { live } from './live';
import { livesOf } from './lives';
import { wooCommerceShop } from './woocommerce-shop';
import { startYearWorld } from './world';

/**
 * The year in shops of WooCommerce: sites with clocks of their own, with both tables of orders. The suite takes a few orders of each site without servers, and of one on them.
 * YEAR_SHOP=woocommerce YEAR_SEEDS=60 YEAR_ORDERS=100: as many years, spread over the sites; YEAR_FROM is the first seed.
 */
const sites = ['Europe/Berlin', 'America/Los_Angeles', 'UTC'].flatMap((zone) => [
  { zone, tables: 'new' } as const,
  { zone, tables: 'old' } as const,
]);
const given = process.env.YEAR_SHOP === 'woocommerce' ? process.env : {};
const from = Number(given.YEAR_FROM ?? 1);

describeLanes('a year of a WooCommerce shop', (lane) => {
  const seeds = Number(given.YEAR_SEEDS ?? (lane.name === 'embedded' ? sites.length : 1));
  const orders = Number(given.YEAR_ORDERS ?? 10);
  const ended = new Map<number, string[]>();

  /** One shop after the other of a site; webhooks are on at first in every second one. */
  const liveAt = async (site: (typeof sites)[number], place: number): Promise<void> => {
    for (let index = place; index < seeds; index += sites.length) {
      const seed = from + index;
      const world = await startYearWorld(lane, wooCommerceShop(site, (place + index) % 2 === 0), `year${seed}-`);
      try {
        const lives = livesOf(seed, orders, seed * 1_000_000 + 1_000, Date.UTC(2026, 10, 25));
        ended.set(seed, await live(world, lives, false).catch((error: unknown) => [String(error)]));
      } finally {
        await world.close();
      }
    }
  };
  // They wait for their clocks most of the time, and do so together.
  beforeAll(() => Promise.all(sites.map(liveAt)), 3_600_000);

  test.each(Array.from({ length: seeds }, (_, index) => ({ seed: from + index, ...sites[index % sites.length] })))(
    '$zone, $tables tables: of seed $seed every order ends as its gateways say',
    ({ seed }) => {
      const wrong = ended.get(seed) ?? ['was not run'];
      if (wrong.length > 0) throw new Error(`seed ${seed}: ${wrong.length}\n${wrong.join('\n')}`);
    },
  );
});
