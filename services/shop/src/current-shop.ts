import { inSequence, openKeyRing, secret, startPolling } from '@order-automation/service';
import { builtinConnector } from './builtin/builtin-connector';
import type { Connector, ConnectorDeps } from './connector';
import { hostsOf } from './orders/shop-address';
import type { ShopSettings } from './service';
import { type ConnectionDocument, openStoredConnection, type StoredConnection } from './stored-connection';
import { type WooCommerceSettings, wooCommerceSettings } from './woocommerce/settings';
import { wooCommerceConnector } from './woocommerce/woocommerce-connector';

/** The shop that the service works on now: what the environment names, else what an administrator connected, else the one that is kept here. */
export type CurrentShop = {
  /** Each call goes to the connector that is in use when it comes. */
  readonly connector: Connector;
  /** Null where the environment decides, or there is no SECRET_KEY to keep keys with. */
  readonly stored: StoredConnection | null;
  /** How WooCommerce is reached; null where orders are kept here. */
  settings(document: ConnectionDocument | null): WooCommerceSettings | null;
  /** Uses what is stored now. */
  refresh(): Promise<void>;
};

/** Milliseconds until what another instance has connected is used here, should its message be lost. */
const refreshEvery = 5_000;

export async function openCurrentShop(
  deps: ConnectorDeps,
  config: ShopSettings,
  opened: (name: string, close: () => Promise<void>) => void,
): Promise<CurrentShop> {
  const stored = await openStored(deps, config, opened);
  const settings = settingsBy(config, stored);
  const open = (document: ConnectionDocument | null): Promise<Connector> => {
    const shop = settings(document);
    return shop ? wooCommerceConnector(deps, shop) : builtinConnector(deps, config);
  };
  const first = (await stored?.read()) ?? null;
  let used = { version: first?.version ?? 0, connector: await open(first) };
  opened('connector', () => used.connector.close());
  const turns = inSequence();
  const refresh = (): Promise<void> =>
    turns(['shop'], async () => {
      const document = (await stored?.read()) ?? null;
      const version = document?.version ?? 0;
      if (version === used.version) return;
      const { connector: before } = used;
      used = { version, connector: await open(document) };
      deps.telemetry.shopChanged(document?.shop?.address ?? null);
      await before.close();
    });
  if (stored) opened('connection', startPolling('connection of the shop', refreshEvery, refresh, deps).close);
  const connector = new Proxy({} as Connector, {
    get: (_, name: keyof Connector) => (input: never) => used.connector[name](input),
  });
  return { connector, stored, settings, refresh };
}

async function openStored(
  deps: ConnectorDeps,
  { connector, secretKey }: ShopSettings,
  opened: (name: string, close: () => Promise<void>) => void,
): Promise<StoredConnection | null> {
  if (connector !== undefined || !secretKey) return null;
  const keys = await openKeyRing(secretKey.reveal(), deps);
  opened('keys', keys.close);
  return openStoredConnection(deps.store, keys);
}

function settingsBy(config: ShopSettings, stored: StoredConnection | null): CurrentShop['settings'] {
  const { outboundAllow: outbound = { hosts: [], subnets: [] }, connector, shopUrl } = config;
  if (connector === 'woocommerce') {
    const fixed = wooCommerceSettings({ ...config, outboundAllow: outbound });
    return () => fixed;
  }
  return (document) => {
    if (!document?.shop || !stored) return null;
    const { address } = document.shop;
    const { consumer_key, consumer_secret } = stored.keysOf(document.shop);
    const reached = { address, key: secret(consumer_key), secret: secret(consumer_secret), outbound };
    return { ...reached, hosts: hostsOf(shopUrl, address), scope: address };
  };
}
