import {
  auditEntry,
  invalidParameters,
  isoTime,
  newId,
  newProcessId,
  type RequestInput,
  ServiceError,
  type ShopConnection,
} from '@order-automation/contracts';
import type { ConnectorDeps } from './connector';
import type { CurrentShop } from './current-shop';
import { asking, notConnected, ownSecret, removeOwn } from './own-webhooks';
import type { ShopSettings } from './service';
import type { ConnectionDocument, ShopKeys, StoredConnection } from './stored-connection';
import { checkShop } from './woocommerce/check';
import { openOrderKeys } from './woocommerce/order-keys';
import { openSeen } from './woocommerce/seen';
import { shopAddress } from './woocommerce/settings';
import { deliveryAddress, webhookLine } from './woocommerce/webhooks';

type Parts = ConnectorDeps & CurrentShop & { readonly config: ShopSettings };

const someone = 'An administrator';
/** Milliseconds within which a person has let WooCommerce make the keys. */
const approvedWithin = 15 * 60_000;

type Asked = RequestInput<'shop.connection.get.v1'>;
type Used = ShopKeys & { readonly address: string; readonly by: string };

export async function respondToAdministrators(parts: Parts): Promise<void> {
  const { bus } = parts;
  await bus.respond('shop.status.v1', () => shown(parts, { public_url: null }));
  await bus.respond('shop.connection.get.v1', (asked) => shown(parts, asked));
  await bus.respond('shop.connection.connect.v1', (input) => connect(parts, input));
  await bus.respond('shop.connection.authorize.v1', (input) => authorize(parts, input));
  await bus.respond('shop.connection.receive-keys.v1', (input) => receiveKeys(parts, input));
  await bus.respond('shop.connection.check.v1', (asked) => check(parts, asked));
  await bus.respond('shop.connection.disconnect.v1', (asked) => disconnect(parts, asked));
}

async function shown({ config, connector, settings, stored }: Parts, { public_url }: Asked): Promise<ShopConnection> {
  const document = (await stored?.read()) ?? null;
  const reached = settings(document);
  const shop = document?.shop ?? null;
  return {
    connector: reached ? 'woocommerce' : 'builtin',
    source: config.connector === undefined ? (shop ? 'settings' : 'default') : 'environment',
    demonstration: reached === null && config.demoShop,
    can_authorize: isHttps(public_url),
    address: reached?.address ?? null,
    key_last4: reached?.key.reveal().slice(-4) ?? null,
    connected_at: shop?.connected_at ?? null,
    connected_by: shop?.connected_by ?? null,
    problems: [...(await connector.problems())],
    check: shop ? (document?.check ?? null) : null,
  };
}

const isHttps = (url: string | null): url is string => url?.startsWith('https://') === true;

async function connect(
  parts: Parts,
  { public_url, by = someone, address: given, ...keys }: RequestInput<'shop.connection.connect.v1'>,
) {
  const stored = requireStored(parts);
  const address = requireAddress(parts, given);
  const reached = parts.reach(address, keys);
  const lines = await asking(parts, reached, (shop) => checkShop(shop, reached, parts.clock));
  const failed = lines.filter(({ state }) => state === 'failed');
  // What WooCommerce says of a key that it does not know is long enough.
  const violations = failed.map(({ name, text, cure }) => ({
    path: name === 'rest_api' ? 'address' : 'consumer_key',
    message: name === 'key' || cure === null ? text : `${text} ${cure}`,
  }));
  if (violations.length > 0) throw invalidParameters(violations);
  await recorded(parts, `${by} connected the WooCommerce shop at ${address}`, async () =>
    use(parts, await stored.read(), { address, by, ...keys }),
  );
  return check(parts, { public_url, by });
}

/** WooCommerce REST API, "Authentication endpoint": a person lets the shop make a key, which it posts to us over https. */
async function authorize(
  parts: Parts,
  { address: given, public_url, by = someone }: RequestInput<'shop.connection.authorize.v1'>,
) {
  const stored = requireStored(parts);
  const address = requireAddress(parts, given);
  if (!isHttps(public_url)) {
    const text = 'WooCommerce sends keys to https addresses alone: set PUBLIC_URL to one, or connect with a key.';
    throw new ServiceError(409, 'svc_public_url_not_https', text);
  }
  const { version = 0 } = (await stored.read()) ?? {};
  const expires_at = parts.clock.now() + approvedWithin;
  const query = new URLSearchParams({
    app_name: 'Order automation',
    scope: 'read_write',
    user_id: stored.sealApproval({ address, by, version, expires_at }),
    return_url: `${public_url}/settings?part=shop`,
    callback_url: `${public_url}/v1/shop/connection/keys`,
  });
  return { authorize_url: `${address}/wc-auth/v1/authorize?${query}`, expires_at: isoTime(expires_at) };
}

/** The shop is not asked anything yet: it waits for our answer, perhaps with its only process. The person who returns from it has it checked. */
async function receiveKeys(
  parts: Parts,
  { nonce, permissions, ...keys }: RequestInput<'shop.connection.receive-keys.v1'>,
) {
  const stored = requireStored(parts);
  const approval = stored.openApproval(nonce);
  const before = await stored.read();
  if (!approval || approval.expires_at <= parts.clock.now() || approval.version !== (before?.version ?? 0)) {
    const text = 'Nobody asked for these keys, the shop was connected since, or more than 15 minutes have passed.';
    throw new ServiceError(404, 'svc_authorization_not_found', text);
  }
  if (permissions !== 'read_write')
    throw invalidParameters([{ path: 'key_permissions', message: 'must be read_write' }]);
  const { address, by } = approval;
  await recorded(parts, `${by} connected the WooCommerce shop at ${address}, which sent its keys`, () =>
    use(parts, before, { address, by, ...keys }),
  );
  return { connected: true as const };
}

async function disconnect(parts: Parts, { by = someone, public_url }: Asked) {
  const stored = requireStored(parts);
  const before = await stored.read();
  if (!before?.shop) throw notConnected();
  const { address } = before.shop;
  const keys = stored.secretsOf(before.shop);
  const left = await recorded(parts, `${by} disconnected the WooCommerce shop at ${address}`, async () => {
    const kept = keys.webhooks ? await removeOwn(parts, parts.reach(address, keys), keys.webhooks, by) : '';
    await stored.put(before, { shop: null, noted: before.noted, check: null });
    return kept;
  });
  await parts.refresh();
  const notice = `${left}Revoke the key that ends in ${keys.consumer_key.slice(-4)} in WooCommerce: Settings, Advanced, REST API.`;
  return { ...(await shown(parts, { public_url })), notice };
}

/** Stores the connection, and has every instance use it. Another shop that was connected loses our webhooks. */
async function use(parts: Parts, before: ConnectionDocument | null, { address, by, ...keys }: Used): Promise<void> {
  const stored = requireStored(parts);
  const known = before?.shop ? stored.secretsOf(before.shop) : null;
  const isAnother = before?.shop?.address !== address;
  if (before?.shop && known?.webhooks && isAnother)
    await removeOwn(parts, parts.reach(before.shop.address, known), known.webhooks, by);
  const sealed = stored.seal(address, { ...keys, webhooks: isAnother ? null : (known?.webhooks ?? null) });
  const shop = { address, sealed, connected_at: isoTime(parts.clock.now()), connected_by: by };
  if (before && before.noted !== address) {
    await (await openSeen(parts.store)).forget();
    await (await openOrderKeys(parts.store)).forget();
  }
  await stored.put(before, { shop, noted: address, check: null });
  await parts.refresh();
}

/** Tries everything in the shop, and makes the webhooks that are missing. What came of it is kept with a connection that was made here. */
async function check(parts: Parts, { public_url, by = someone }: Asked): Promise<ShopConnection> {
  const { settings, stored, clock } = parts;
  const deliverTo = public_url === null ? null : deliveryAddress(public_url);
  const document = (await stored?.read()) ?? null;
  const reached = settings(document);
  if (!reached) throw notConnected();
  const lines = await asking(parts, reached, async (shop) => {
    const found = await checkShop(shop, reached, clock);
    // One line: nothing can be read.
    if (found.length === 1) return found;
    const isOurs = stored && document && deliverTo !== null;
    const secretOf = isOurs ? () => ownSecret(parts, shop, { stored, document, deliverTo, by }) : undefined;
    return [...found, await webhookLine(shop, deliverTo, secretOf)];
  });
  const done = { at: isoTime(clock.now()), lines };
  if (document) await stored?.amend(document.version, { check: done });
  return { ...(await shown(parts, { public_url })), check: done };
}

/** Nothing is changed without an entry in the log. */
function recorded<T>({ outbox, clock }: Parts, summary: string, act: () => Promise<T>): Promise<T> {
  const now = clock.now();
  const common = { uid: newId('evt', now), timestamp: isoTime(now), process_id: newProcessId(now) };
  return outbox.recordAround(auditEntry({ ...common, event_type: 'account_changed', source: 'manual', summary }), act);
}

function requireStored({ stored }: Parts): StoredConnection {
  const text =
    'Environment variables of the service decide which shop is used: SHOP_CONNECTOR is set, or SECRET_KEY is not. Change that where the service is installed.';
  if (!stored) throw new ServiceError(409, 'svc_set_by_environment', text);
  return stored;
}

function requireAddress({ outbound }: Parts, text: string): string {
  const given = text.trim();
  return shopAddress(/^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`, outbound, (problem) => {
    throw invalidParameters([{ path: 'address', message: problem }]);
  });
}
