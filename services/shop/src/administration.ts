import {
  auditEntry,
  invalidParameters,
  isoTime,
  message,
  newId,
  newProcessId,
  type RequestInput,
  type RequestOutput,
  ServiceError,
  type ShopConnection,
} from '@order-automation/contracts';
import { secret } from '@order-automation/service';
import type { ConnectorDeps } from './connector';
import type { CurrentShop } from './current-shop';
import { hostsOf } from './orders/shop-address';
import { asking, makeWebhooks, removeOwn } from './own-webhooks';
import type { ShopSettings } from './service';
import type { ShopKeys, StoredConnection } from './stored-connection';
import { checkShop } from './woocommerce/check';
import { openOrderKeys } from './woocommerce/order-keys';
import { openSeen } from './woocommerce/seen';
import { shopAddress } from './woocommerce/settings';
import { webhookLine } from './woocommerce/webhooks';

type Parts = ConnectorDeps &
  Pick<CurrentShop, 'connector' | 'settings' | 'stored' | 'refresh'> & { readonly config: ShopSettings };

const someone = 'An administrator';

/** Answers what administrators ask about the shop that the service works on. */
export async function respondToAdministrators(parts: Parts): Promise<void> {
  const { bus } = parts;
  await bus.respond('shop.connection.get.v1', async () => ({ shop: await shown(parts) }));
  await bus.respond('shop.connection.connect.v1', (input) => connect(parts, input));
  await bus.respond('shop.connection.authorize.v1', (input) => authorize(parts, input));
  await bus.respond('shop.connection.receive-keys.v1', (input) => receiveKeys(parts, input));
  await bus.respond('shop.connection.check.v1', async ({ deliver_to: deliverTo, by = someone }) => ({
    shop: { ...(await shown(parts)), check: await check(parts, deliverTo, by) },
  }));
  await bus.respond('shop.connection.disconnect.v1', ({ by = someone }) => disconnect(parts, by));
}

async function shown({ config, connector, settings, stored }: Parts): Promise<ShopConnection> {
  const document = (await stored?.read()) ?? null;
  const reached = settings(document);
  const shop = document?.shop ?? null;
  return {
    connector: reached ? 'woocommerce' : 'builtin',
    source: config.connector === undefined ? (shop ? 'settings' : 'default') : 'environment',
    demonstration: reached === null && config.demoShop,
    address: reached?.address ?? null,
    key_last4: reached?.key.reveal().slice(-4) ?? null,
    connected_at: shop?.connected_at ?? null,
    connected_by: shop?.connected_by ?? null,
    problems: [...(await connector.problems())],
    check: shop ? (document?.check ?? null) : null,
  };
}

async function connect(
  parts: Parts,
  input: RequestInput<'shop.connection.connect.v1'>,
): Promise<RequestOutput<'shop.connection.connect.v1'>> {
  const { deliver_to: deliverTo, by = someone, consumer_key, consumer_secret } = input;
  const stored = requireStored(parts);
  const address = requireAddress(parts, input.address);
  const reached = { address, key: secret(consumer_key), secret: secret(consumer_secret) };
  const outbound = parts.config.outboundAllow ?? { hosts: [], subnets: [] };
  const lines = await asking(parts, { ...reached, outbound, hosts: hostsOf(address) }, (shop) =>
    checkShop(shop, reached, parts.clock),
  );
  const failed = lines.filter(({ state }) => state === 'failed');
  if (failed.length > 0)
    throw invalidParameters(
      failed.map(({ name, text, cure }) => ({
        path: name === 'rest_api' ? 'address' : 'consumer_key',
        message: cure === null ? text : `${text} ${cure}`,
      })),
    );
  await recorded(parts, `${by} connected the WooCommerce shop at ${address}`, () =>
    use(parts, stored, address, { consumer_key, consumer_secret }, by),
  );
  await check(parts, deliverTo, by);
  return { shop: await shown(parts) };
}

/** WooCommerce REST API, "Authentication endpoint": a person lets the shop make a key, which it posts to us over https. */
async function authorize(
  parts: Parts,
  { address: given, callback, return_to, by = someone }: RequestInput<'shop.connection.authorize.v1'>,
): Promise<RequestOutput<'shop.connection.authorize.v1'>> {
  const stored = requireStored(parts);
  const address = requireAddress(parts, given);
  const { nonce, expires_at } = await stored.authorize(address, by, parts.clock.now());
  const url = new URL(`${address}/wc-auth/v1/authorize`);
  const asked = { app_name: 'Order automation', scope: 'read_write', user_id: nonce };
  for (const [name, value] of Object.entries({ ...asked, return_url: return_to, callback_url: callback }))
    url.searchParams.set(name, value);
  return { authorize_url: url.href, expires_at: isoTime(expires_at) };
}

/** The shop is not asked anything yet: it waits for our answer, perhaps with its only process. The person who returns from it has it checked. */
async function receiveKeys(
  parts: Parts,
  { nonce, permissions, ...keys }: RequestInput<'shop.connection.receive-keys.v1'>,
): Promise<RequestOutput<'shop.connection.receive-keys.v1'>> {
  const stored = requireStored(parts);
  const asked = await stored.takeAuthorization(nonce, parts.clock.now());
  if (!asked) {
    const text = 'Nobody asked for these keys, they came before, or more than 15 minutes have passed.';
    throw new ServiceError(404, 'svc_authorization_not_found', text);
  }
  if (permissions !== 'read_write')
    throw invalidParameters([{ path: 'key_permissions', message: 'must be read_write' }]);
  const { address, by } = asked;
  await recorded(parts, `${by} connected the WooCommerce shop at ${address}, which sent its keys`, () =>
    use(parts, stored, address, keys, by),
  );
  return { connected: true };
}

async function disconnect(parts: Parts, by: string): Promise<RequestOutput<'shop.connection.disconnect.v1'>> {
  const stored = requireStored(parts);
  const before = await stored.read();
  const shop = before?.shop;
  const settings = parts.settings(before);
  if (!before || !shop || !settings) throw notConnected();
  const own = stored.webhooksOf(shop);
  let left = '';
  await recorded(parts, `${by} disconnected the WooCommerce shop at ${shop.address}`, async () => {
    if (own) left = await removeOwn(parts, settings, own, by);
    await stored.put(before, { shop: null, noted: before.noted, check: null });
  });
  await changed(parts);
  const notice = `${left}Revoke the key that ends in ${shop.key_last4} in WooCommerce: Settings, Advanced, REST API.`;
  return { shop: await shown(parts), notice };
}

/** Stores the connection, and has every instance use it. */
async function use(parts: Parts, stored: StoredConnection, address: string, keys: ShopKeys, by: string): Promise<void> {
  const before = await stored.read();
  const known = before?.shop?.address === address ? before.shop : null;
  const shop = {
    address,
    sealed_keys: stored.sealKeys(address, keys),
    key_last4: keys.consumer_key.slice(-4),
    connected_at: isoTime(parts.clock.now()),
    connected_by: by,
    sealed_webhooks: known?.sealed_webhooks ?? null,
  };
  if (before && before.noted !== address) {
    await (await openSeen(parts.store)).forget();
    await (await openOrderKeys(parts.store)).forget();
  }
  await stored.put(before, { shop, noted: address, check: null });
  await changed(parts);
}

/** Tries everything in the shop, and makes the webhooks that are missing. What came of it is kept with a connection that was made here. */
async function check(parts: Parts, deliverTo: string | null, by: string) {
  const { settings, stored, clock } = parts;
  const document = (await stored?.read()) ?? null;
  const reached = settings(document);
  if (!reached) throw notConnected();
  const lines = await asking(parts, reached, async (shop) => {
    const found = await checkShop(shop, reached, clock);
    if (found.length === 1) return found;
    const problem =
      stored && document && deliverTo ? await makeWebhooks(parts, stored, document, { shop, deliverTo, by }) : [];
    return [...found, await webhookLine(shop, deliverTo), ...problem];
  });
  const done = { at: isoTime(clock.now()), lines };
  if (document) await stored?.putCheck(document.version, done);
  return done;
}

async function changed({ bus, clock, log, refresh }: Parts): Promise<void> {
  await refresh();
  await bus
    .publish(message('shop.connection-changed.v1', {}, { now: clock.now() }))
    .catch((error: unknown) => log.warn({ err: error }, 'other instances could not be told of the changed shop'));
}

/** Nothing is changed without an entry in the log. */
function recorded<T>({ outbox, clock }: Parts, summary: string, act: () => Promise<T>): Promise<T> {
  const now = clock.now();
  const common = { uid: newId('evt', now), timestamp: isoTime(now), process_id: newProcessId(now) };
  return outbox.recordAround(auditEntry({ ...common, event_type: 'account_changed', source: 'manual', summary }), act);
}

function requireStored({ stored, config }: Parts): StoredConnection {
  if (stored) return stored;
  const text =
    config.connector === undefined
      ? 'The shop service has no SECRET_KEY to keep keys with: set it, or connect the shop by WOOCOMMERCE_URL and its like.'
      : 'SHOP_CONNECTOR in the environment says which shop is used: change it there, or remove it to connect a shop here.';
  throw new ServiceError(409, 'svc_set_by_environment', text);
}

function requireAddress({ config }: Parts, text: string): string {
  const outbound = config.outboundAllow ?? { hosts: [], subnets: [] };
  const given = text.trim();
  return shopAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`, outbound, (problem) => {
    throw invalidParameters([{ path: 'address', message: problem }]);
  });
}

const notConnected = () =>
  new ServiceError(409, 'svc_shop_not_connected', 'No WooCommerce shop is connected: connect one first.');
