import { describeLanes, waitFor } from '@order-automation/testing';
import { startWooCommerceShop } from './woocommerce';
import { startWooCommerce, wooCommerceKey } from './woocommerce-server';

const isProbe = ({ path, method }: { path: string; method: string }): boolean =>
  path === 'wc/v3/orders/0/notes' && method === 'POST';

describeLanes('shop: woocommerce, what the key may do', (lane) => {
  test.each([
    ['only read', { write: false }, 'may not change orders, write notes: give it the permission Read/Write'],
    [
      'not read products and customers',
      { forbidden: ['products', 'customers'] },
      'may not read products, read customers:',
    ],
  ])('a key that may %s: each permission by its name', async (_name, key, expected) => {
    const deps = await lane.deps();
    const server = await startWooCommerce({ now: deps.clock.now, key: { ...wooCommerceKey, ...key } });
    const shop = await startWooCommerceShop(deps, server);
    await waitFor(async () => ((await shop.service.problems?.()) ?? []).join().includes(expected));
    await shop.close();
  });

  test.each([
    ['all', {}],
    ['all but webhooks, without which changes are read once a minute', { forbidden: ['webhooks'] }],
  ])('a key that may do %s: ready, and nothing was written', async (_name, key) => {
    const deps = await lane.deps();
    const server = await startWooCommerce({ now: deps.clock.now, key: { ...wooCommerceKey, ...key } });
    const shop = await startWooCommerceShop(deps, server);
    await waitFor(() => server.calls.some(isProbe));
    await waitFor(async () => ((await shop.service.problems?.()) ?? []).length === 0);
    expect([...server.orders.keys(), ...server.notes.keys()]).toEqual([]);
    await shop.close();
  });
});
