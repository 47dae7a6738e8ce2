import { type ServiceDeps, serviceOf } from '@order-automation/service';
import { builtinConnector } from './builtin/builtin-connector';
import type { ShopConfig } from './config';
import type { Connector } from './connector';
import { tracedApply } from './tracing';
import { type WooCommerceConfig, wooCommerceSettings } from './woocommerce/settings';
import { wooCommerceConnector } from './woocommerce/woocommerce-connector';

/** Without more, the shop is `builtin`. */
export type ShopSettings = Pick<ShopConfig, 'demoShop' | 'timeZone'> &
  Partial<Pick<ShopConfig, 'connector'> & WooCommerceConfig>;

/** Reports of events done taken at once. */
const doneBatch = 16;

/** The shop platform (decisions.md section 5; docs/decisions/0001, step 4). */
export const startShop = serviceOf(async (deps, config: ShopSettings, opened) => {
  const { bus, tracing } = deps;
  const connector = await connectorOf(deps, config);
  opened('connector', connector.close);
  await bus.respond('shop.status.v1', async () => {
    const { connector: name = 'builtin', demoShop } = config;
    return {
      connector: name,
      demonstration: name === 'builtin' && demoShop,
      problems: [...(await connector.problems())],
    };
  });
  await bus.respond('shop.order.resolve.v1', connector.resolve);
  await bus.respond('shop.order.get.v1', connector.get);
  await bus.respond('shop.customer.facts.v1', connector.customerFacts);
  await bus.respond('shop.search.v1', connector.search);
  await bus.respond('shop.order.apply.v2', tracedApply(connector.apply, tracing));
  await bus.respond('shop.order.preview.v1', connector.preview);
  await bus.respond('shop.order.list.v1', connector.list);
  await bus.respond('shop.order.view.v1', connector.view);
  await bus.respond('shop.order.save.v1', connector.save);
  await bus.respond('shop.refund.list.v1', connector.listRefunds);
  await bus.respond('shop.refund.create.v1', connector.createRefund);
  await bus.respond('shop.record.known.v1', connector.missingRecords);
  await bus.respond('shop.person.erase.v1', connector.erasePerson);
  await bus.respond('shop.record.list.v1', connector.listRecords);
  await bus.respond('shop.record.get.v1', connector.getRecord);
  await bus.respond('shop.record.put.v1', connector.putRecord);
  await bus.respond('shop.record.delete.v1', connector.deleteRecord);
  await bus.respond('shop.import.v2', connector.import);
  await bus.respond('shop.import.get.v1', connector.importProgress);
  await bus.subscribe(
    'evaluation.events-done.v1',
    'shop',
    async (messages) => {
      const done = messages.flatMap(({ data }) => data.events).filter(({ origin }) => origin === 'shop');
      if (done.length > 0) await connector.changesDone(done);
    },
    { maxBatch: doneBatch },
  );
  return { problems: connector.problems };
});

async function connectorOf(deps: ServiceDeps, config: ShopSettings): Promise<Connector> {
  if (config.connector !== 'woocommerce') return builtinConnector(deps, config);
  const { outboundAllow = { hosts: [], subnets: [] }, ...given } = config;
  return wooCommerceConnector(deps, wooCommerceSettings({ ...given, outboundAllow }));
}
