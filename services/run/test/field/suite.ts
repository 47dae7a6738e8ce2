import { importOrders, payableOrders } from '../product-client';
import { describeProducts, type Running } from '../products';
import type { FieldCase } from './case';
import { type Senders, startSenders } from './senders';
import { openWorld, type World } from './world';

/** Each case on a product with the rules and connections of `openWorld`, twenty ids of orders for each. */
export function describeCases(name: string, cases: readonly FieldCase[]): void {
  describeProducts(name, (start) => {
    let running: Running;
    let senders: Senders;
    let world: World;
    const idOf = (index: number): number => 20_000 + index * 20;

    beforeAll(async () => {
      senders = await startSenders();
      running = await start({ ...senders.env, LICENCE_KEY: 'demo', SHOP_URL: 'https://shop.example' });
      world = await openWorld(running, senders);
    }, 150_000);
    afterAll(async () => {
      senders?.stop();
      await running?.stop();
    }, 60_000);

    it.each(cases.map((one, index) => [one.name, one, idOf(index)] as const))(
      '%s',
      async (_name, { orders, happens, ends, told, untold }, id) => {
        const fields = orders?.(id) ?? [{ id }];
        await importOrders(
          running.client,
          fields.map((one) => ({ ...payableOrders(Number(one.id), 1)[0], ...one })),
        );

        const entries = await happens(world, id);
        const wanted = ends(id);
        const found = await Promise.all(
          Object.keys(wanted).map(async (order) => [order, await world.ending(Number(order))]),
        );
        expect(Object.fromEntries(found)).toEqual(wanted);
        const kinds = (entries ?? []).map(({ event_type }) => event_type);
        const [absent, present] = [untold ?? [], told ?? []];
        expect(kinds).toEqual(expect.arrayContaining([...present]));
        expect(kinds.filter((kind) => absent.includes(kind))).toEqual([]);
      },
    );
  });
}
