import { afterwardsCases } from './field/afterwards';
import { amountCases } from './field/amounts';
import { attemptCases } from './field/attempts';
import { eventCases } from './field/events';
import { exportCases } from './field/exports';
import { identityCases } from './field/identities';
import { linkCases } from './field/links';
import { merchantCases } from './field/merchants';
import { pluginCases } from './field/plugins';
import { referenceCases } from './field/references';
import { reportCases } from './field/reports';
import { type Senders, startSenders } from './field/senders';
import { shopCases } from './field/shops';
import { subscriptionCases } from './field/subscriptions';
import { unhappenedCases } from './field/unhappened';
import { unpaidCases } from './field/unpaid';
import { openWorld, type World } from './field/world';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, type Running } from './products';

/** Payments as gateways really send them, shops as they really are (decisions.md section 12): signed webhooks in, orders and their notes out. */
const cases = [
  ...referenceCases,
  ...subscriptionCases,
  ...amountCases,
  ...unhappenedCases,
  ...merchantCases,
  ...eventCases,
  ...shopCases,
  ...pluginCases,
  ...unpaidCases,
  ...identityCases,
  ...exportCases,
  ...reportCases,
  ...afterwardsCases,
  ...attemptCases,
  ...linkCases,
];

describeProducts('cases of the field', (start) => {
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
    async (_name, { orders, happens, ends, told }, id) => {
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
      if (told) expect((entries ?? []).map(({ event_type }) => event_type)).toEqual(expect.arrayContaining([...told]));
    },
  );
});
