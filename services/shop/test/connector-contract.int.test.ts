import { describeLanes } from '@order-automation/testing';
import { connectorContract } from './connector-contract';
import { shopAddress } from './order-lookup-cases';
import { importAll, save, startListenedShop } from './shop';
import { catalogue, startWooCommerceShop, stock, variation } from './woocommerce';

describeLanes('connector contract: builtin', (lane) => {
  connectorContract(lane, async (deps) => {
    const shop = await startListenedShop(deps, { settings: { shopUrl: shopAddress } });
    await importAll(deps.bus, 'product', [...catalogue.products, variation]);
    await importAll(deps.bus, 'category', catalogue.categories);
    await importAll(deps.bus, 'tag', catalogue.tags);
    return {
      ...shop,
      put: async (id, fields) => {
        await save(deps.bus, id, fields);
      },
      close: () => shop.service.close(),
    };
  });
});

describeLanes('connector contract: woocommerce', (lane) => {
  connectorContract(lane, async (deps) => {
    const shop = await startWooCommerceShop(deps);
    stock(shop.server);
    return {
      ...shop,
      put: async (id, fields) => {
        shop.server.putOrder(id, fields);
      },
    };
  });
});
