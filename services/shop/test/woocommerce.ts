import { secret } from '@order-automation/service';
import type { LaneDeps } from '@order-automation/testing';
import type { ShopSettings } from '../src';
import { shopAddress } from './order-lookup-cases';
import { type Running, startListenedShop } from './shop';
import { startWooCommerce, type WooCommerceServer } from './woocommerce-server';

export const publicUrl = 'https://automation.example/shop';

/** The settings by which a shop service works on the orders of this server, over plain HTTP. */
export function wooCommerceSettings({ url, key }: Pick<WooCommerceServer, 'url' | 'key'>) {
  return {
    connector: 'woocommerce',
    shopUrl: shopAddress,
    woocommerceUrl: url,
    woocommerceKey: secret(key.key),
    woocommerceSecret: secret(key.secret),
    publicUrl,
    outboundAllow: { hosts: ['127.0.0.1'], subnets: [] },
  } as const satisfies Partial<ShopSettings>;
}

export type WooCommerceShop = Running & { readonly server: WooCommerceServer; close(): Promise<void> };

export async function startWooCommerceShop(deps: LaneDeps, server?: WooCommerceServer): Promise<WooCommerceShop> {
  const running = server ?? (await startWooCommerce({ now: deps.clock.now }));
  const shop = await startListenedShop(deps, { settings: wooCommerceSettings(running) });
  const close = async (): Promise<void> => {
    await shop.service.close();
    await running.close();
  };
  return { ...shop, server: running, close };
}

const term = (id: number, name: string, parent = 0) => ({ id, name, slug: name.toLowerCase(), parent, count: 1 });

/** A catalogue of two products, as both connectors of the contract have it. */
export const catalogue = {
  categories: [term(11, 'Drinks'), term(12, 'Tea')],
  tags: [term(21, 'Organic')],
  products: [
    {
      id: 501,
      name: 'Green tea',
      slug: 'green-tea',
      sku: 'TEA-1',
      type: 'simple',
      virtual: false,
      downloadable: false,
    },
    {
      id: 502,
      name: 'Tea course',
      slug: 'tea-course',
      sku: 'TEA-2',
      type: 'variable',
      virtual: true,
      downloadable: false,
    },
  ].map((product) => ({
    ...product,
    status: 'publish',
    categories: [{ id: 12, name: 'Tea', slug: 'tea' }],
    tags: [{ id: 21, name: 'Organic', slug: 'organic' }],
  })),
};

/** Of product 502; WooCommerce's list of products leaves it out. */
export const variation = {
  id: 503,
  name: 'Evening course',
  type: 'variation',
  parent_id: 502,
  virtual: false,
  downloadable: true,
};

/** The catalogue and what else a search looks into. */
export function stock(server: WooCommerceServer): void {
  const { categories, tags, products } = catalogue;
  server.categories.push(...categories.map((one) => (one.id === 12 ? { ...one, parent: 11 } : one)));
  server.tags.push(...tags);
  server.products.push(...products);
  server.variations.push(variation);
  server.posts.push({ id: 71, title: { rendered: 'Tea &amp; biscuits' }, type: 'post', status: 'publish' });
  server.customers.push({ id: 31, email: 'ada@shop.example', role: 'wholesale_buyer' });
  server.gateways.push(
    { id: 'bacs', title: 'Direct bank transfer', enabled: false, method_title: 'Bank transfer' },
    { id: 'stripe', title: '', enabled: true, method_title: 'Stripe' },
  );
  server.shippingMethods.push({
    id: 'flat_rate',
    title: 'Flat rate',
    description: '<p>Lets you charge a fixed rate.</p>',
  });
}
