import { describeLanes } from '@order-automation/testing';
import { connectorContract } from './connector-contract';
import { person, save, startListenedShop } from './shop';
import { catalogue, startWooCommerceShop, stock } from './woocommerce';

describeLanes('connector contract: builtin', (lane) => {
  connectorContract(lane, async (deps) => {
    const shop = await startListenedShop(deps);
    await deps.bus.request('shop.import.v1', { orders: [], products: catalogue.products, cause: person });
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
