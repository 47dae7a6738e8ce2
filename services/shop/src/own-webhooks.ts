import { ServiceError } from '@order-automation/contracts';
import type { ConnectorDeps } from './connector';
import {
  type ConnectionDocument,
  changedMeanwhile,
  type OwnWebhooks,
  type StoredConnection,
} from './stored-connection';
import { type WooCommerce, wooCommerceClient } from './woocommerce/client';
import type { WooCommerceSettings } from './woocommerce/settings';
import { removeWebhooks } from './woocommerce/webhooks';

/** Milliseconds for one request. */
const timeout = 8_000;
const gateway = { gateway: 'gateway_shop', connections: false } as const;

/** Asks a shop that need not be the one in use: what it answers is no news about that one. */
export async function asking<T>(
  { clock, log, telemetry }: ConnectorDeps,
  settings: WooCommerceSettings,
  ask: (shop: WooCommerce) => Promise<T>,
): Promise<T> {
  const quiet = () => undefined;
  const silent = { ...telemetry, shopReached: quiet, shopLost: quiet, shopDenied: quiet };
  const shop = wooCommerceClient({ settings, clock, log, telemetry: silent, timeout });
  try {
    return await ask(shop);
  } finally {
    shop.close();
  }
}

type Own = {
  readonly stored: StoredConnection;
  readonly document: ConnectionDocument;
  readonly deliverTo: string;
  readonly by: string;
};

/**
 * The secret of intake that our webhooks in the connected shop sign with, made when there is none, or an administrator has removed it or has let it end. Those
 * at an earlier address of ours are removed.
 */
export async function ownSecret(
  parts: ConnectorDeps,
  shop: WooCommerce,
  { stored, document: { shop: connected, version }, deliverTo, by }: Own,
): Promise<string> {
  if (!connected) throw notConnected();
  const keys = stored.secretsOf(connected);
  const { webhooks } = keys;
  const counting = webhooks ? (await parts.bus.request('intake.secret.list.v1', gateway)).secrets : [];
  const own = counting.some(({ id, until }) => id === webhooks?.id && until === null) ? webhooks : null;
  const { id, secret } =
    own ?? (await parts.bus.request('intake.secret.add.v1', { ...gateway, overlap_hours: null, by }));
  if (secret === null) throw new Error('intake made no secret');
  if (own?.deliver_to === deliverTo) return secret;
  if (webhooks && webhooks.deliver_to !== deliverTo) await removeWebhooks(shop, webhooks.deliver_to);
  const sealed = stored.seal(connected.address, { ...keys, webhooks: { id, secret, deliver_to: deliverTo } });
  const { matchedCount } = await stored.amend(version, { shop: { ...connected, sealed } });
  if (matchedCount === 1) return secret;
  if (!own) await removeSecret(parts, id, by);
  throw changedMeanwhile();
}

async function removeSecret({ bus }: ConnectorDeps, id: string, by: string): Promise<void> {
  await bus.request('intake.secret.remove.v1', { ...gateway, id, by }).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  });
}

/** Resolves with what a person has to remove in the shop, as a sentence; empty when nothing is left. */
export async function removeOwn(
  parts: ConnectorDeps,
  settings: WooCommerceSettings,
  { id, deliver_to }: OwnWebhooks,
  by: string,
): Promise<string> {
  let left = '';
  await asking(parts, settings, (shop) => removeWebhooks(shop, deliver_to)).catch((error: unknown) => {
    parts.log.warn({ err: error }, 'the webhooks of a shop that is disconnected could not be removed');
    left = `The shop could not be reached: remove the webhooks to ${deliver_to} there. `;
  });
  await removeSecret(parts, id, by);
  return left;
}

export const notConnected = () =>
  new ServiceError(409, 'svc_shop_not_connected', 'No WooCommerce shop is connected: connect one first.');
