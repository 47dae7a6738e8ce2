import { parsedUrl } from '@order-automation/contracts';
import { ConfigError, type ConfigProblem, openedAddresses, type Secret } from '@order-automation/service';
import type { ShopConfig } from '../config';
import { sitesOf } from '../orders/shop-address';

/** Where the shop is, and how it is allowed to be reached. `address` has no slash at its end. */
export type WooCommerceSettings = {
  readonly address: string;
  readonly key: Secret;
  readonly secret: Secret;
  readonly outbound: ShopConfig['outboundAllow'];
  /** Host and folder of the shop, as events of gateways name it. */
  readonly sites: readonly string[];
  /** Where this service is, as the shop reaches it; undefined when it is not known. */
  readonly publicUrl?: string | undefined;
  /** Whether an administrator connected it, and may connect another one. */
  readonly isChosen?: boolean;
};

export type WooCommerceConfig = Pick<ShopConfig, 'outboundAllow'> &
  Partial<Pick<ShopConfig, 'woocommerceUrl' | 'woocommerceKey' | 'woocommerceSecret' | 'shopUrl' | 'publicUrl'>>;

/** Throws ConfigError with every variable that is missing, or when the address may not be called. */
export function wooCommerceSettings(config: WooCommerceConfig): WooCommerceSettings {
  const { woocommerceUrl: url, woocommerceKey: key, woocommerceSecret: secret, outboundAllow: outbound } = config;
  const needed = 'is required with SHOP_CONNECTOR=woocommerce';
  const problems: ConfigProblem[] = [];
  if (!url) problems.push({ variable: 'WOOCOMMERCE_URL', problem: needed, example: 'https://shop.example' });
  if (!key) problems.push({ variable: 'WOOCOMMERCE_KEY', problem: needed, example: 'ck_0123456789abcdef' });
  if (!secret) problems.push({ variable: 'WOOCOMMERCE_SECRET', problem: needed, example: 'cs_0123456789abcdef' });
  if (!url || !key || !secret) throw new ConfigError(problems);
  const address = shopAddress(url, outbound, (problem) => {
    throw new ConfigError([{ variable: 'WOOCOMMERCE_URL', problem, example: 'https://shop.example' }]);
  });
  return { address, key, secret, outbound, sites: sitesOf(config.shopUrl, address), publicUrl: config.publicUrl };
}

/** The address of a shop without a slash, `/wp-json` or the path of its administration at its end; `refuse` gets what is wrong with it. */
export function shopAddress(
  text: string,
  { hosts, subnets }: ShopConfig['outboundAllow'],
  refuse: (problem: string) => never,
): string {
  const url = parsedUrl(text) ?? refuse('must be an address such as https://shop.example');
  if (!/^https?:$/.test(url.protocol)) refuse('must begin with https://');
  if (url.username || url.password) refuse('must not hold a user or a password; the key has a place of its own');
  const inAdministration = /\/(?:wp-json|wp-admin|wp-login\.php)(\/.*)?$/;
  if ((url.search || url.hash) && !inAdministration.test(url.pathname)) refuse('must end with the path of the shop');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const allowed = hosts.includes(host) || openedAddresses(subnets)(host);
  if (url.protocol === 'http:' && !allowed)
    refuse(
      `must begin with https://, because others could read the orders on their way; for a shop in your own network set OUTBOUND_ALLOW=${host}`,
    );
  return `${url.origin}${url.pathname}`.replace(inAdministration, '').replace(/\/+$/, '');
}
