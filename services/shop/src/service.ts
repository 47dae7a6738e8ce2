import { openOutbox, serviceOf } from '@order-automation/service';
import { respondToAdministrators } from './administration';
import type { ShopConfig } from './config';
import { connectorRequests } from './connector';
import { openCurrentShop } from './current-shop';
import { shopTelemetry } from './telemetry';
import type { WooCommerceConfig } from './woocommerce/settings';

/** Without more, the shop is `builtin`. */
export type ShopSettings = Pick<ShopConfig, 'demoShop' | 'timeZone'> &
  Partial<Pick<ShopConfig, 'connector' | 'secretKey'> & WooCommerceConfig>;

const doneBatch = 16;

/** The shop platform (decisions.md section 5; docs/decisions/0001, step 4). */
export const startShop = serviceOf(async (deps, config: ShopSettings, opened) => {
  const { bus } = deps;
  const outbox = await openOutbox(deps);
  opened('outbox', outbox.close);
  const parts = { ...deps, outbox, telemetry: shopTelemetry(deps) };
  const shop = await openCurrentShop(parts, config, opened);
  const { connector } = shop;
  for (const name of Object.keys(connectorRequests) as (keyof typeof connectorRequests)[])
    await bus.respond(connectorRequests[name], connector[name] as never);
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
