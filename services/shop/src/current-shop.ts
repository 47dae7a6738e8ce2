import { inSequence, openKeyRing, secret, startPolling } from '@order-automation/service';
import { builtinConnector } from './builtin/builtin-connector';
import type { Connector, ConnectorDeps } from './connector';
import { sitesOf } from './orders/shop-address';
import type { ShopSettings } from './service';
import { type ConnectionDocument, openStoredConnection, type ShopKeys } from './stored-connection';
import { type WooCommerceSettings, wooCommerceSettings } from './woocommerce/settings';
import { wooCommerceConnector } from './woocommerce/woocommerce-connector';

type Opened = (name: string, close: () => Promise<void>) => void;

/** The shop that the service works on now: what the environment names, else what an administrator connected, else the one that is kept here. */
export type CurrentShop = Awaited<ReturnType<typeof openCurrentShop>>;

/** Milliseconds until what another instance has connected is used here. */
const refreshEvery = 5_000;

export async function openCurrentShop(deps: ConnectorDeps, config: ShopSettings, opened: Opened) {
  const { outboundAllow: outbound = { hosts: [], subnets: [] }, shopUrl, publicUrl } = config;
  const keys =
    config.connector === undefined && config.secretKey ? await openKeyRing(config.secretKey.reveal(), deps) : null;
  if (keys) opened('keys', keys.close);
  /** Null where the environment decides, or there is no SECRET_KEY to keep keys with. */
  const stored = keys && (await openStoredConnection(deps.store, keys));
  const fixed = config.connector === 'woocommerce' ? wooCommerceSettings({ ...config, outboundAllow: outbound }) : null;
  const reach = (address: string, { consumer_key, consumer_secret }: ShopKeys): WooCommerceSettings => {
    const keys = { key: secret(consumer_key), secret: secret(consumer_secret) };
    return { address, ...keys, outbound, sites: sitesOf(shopUrl, address), publicUrl, isChosen: true };
  };
  /** How WooCommerce is reached; null where orders are kept here. */
  const settings = (document: ConnectionDocument | null): WooCommerceSettings | null =>
    document?.shop && stored ? reach(document.shop.address, stored.secretsOf(document.shop)) : fixed;
  const open = async () => {
    const document = (await stored?.read()) ?? null;
    const shop = settings(document);
    const connector = await (shop ? wooCommerceConnector(deps, shop) : builtinConnector(deps, config));
    return { version: document?.version ?? 0, address: shop?.address ?? null, connector };
  };
  let used = await open();
  opened('connector', () => used.connector.close());
  const turns = inSequence();
  const refresh = (): Promise<void> =>
    turns(['shop'], async () => {
      const version = (await stored?.read())?.version ?? 0;
      if (version === used.version) return;
      const { connector: before } = used;
      used = await open();
      deps.telemetry.shopChanged(used.address);
      await before.close();
    });
  if (stored) opened('connection', startPolling('connection of the shop', refreshEvery, refresh, deps).close);
  /** Each call goes to the connector that is in use when it comes. */
  const connector = new Proxy({} as Connector, {
    get: (_, name: keyof Connector) => (input: never) => used.connector[name](input),
  });
  return { connector, stored, outbound, reach, settings, refresh };
}
