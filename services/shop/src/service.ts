import { openOutbox, serviceOf } from '@order-automation/service';
import { respondToAdministrators } from './administration';
import type { ShopConfig } from './config';
import { openCurrentShop } from './current-shop';
import { shopTelemetry } from './telemetry';
import type { WooCommerceConfig } from './woocommerce/settings';

/** Without more, the shop is `builtin`. */
export type ShopSettings = Pick<ShopConfig, 'demoShop' | 'timeZone'> &
  Partial<Pick<ShopConfig, 'connector' | 'secretKey'> & WooCommerceConfig>;

/** Reports of events done taken at once. */
const doneBatch = 16;

/** The shop platform (decisions.md section 5; docs/decisions/0001, step 4). */
export const startShop = serviceOf(async (deps, config: ShopSettings, opened) => {
  const { bus } = deps;
  const outbox = await openOutbox(deps);
  opened('outbox', outbox.close);
  const parts = { ...deps, outbox, telemetry: shopTelemetry(deps) };
  const shop = await openCurrentShop(parts, config, opened);
  const { connector } = shop;
  await bus.respond('shop.order.resolve.v1', connector.resolve);
  await bus.respond('shop.order.get.v1', connector.get);
  await bus.respond('shop.customer.facts.v1', connector.customerFacts);
  await bus.respond('shop.search.v1', connector.search);
  await bus.respond('shop.order.apply.v2', connector.apply);
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
  await respondToAdministrators({ ...parts, ...shop, config });
  return { problems: connector.problems };
});
