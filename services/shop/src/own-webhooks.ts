import { ServiceError, type ShopCheckLine } from '@order-automation/contracts';
import type { ConnectorDeps } from './connector';
import type { ConnectionDocument, OwnWebhooks, StoredConnection } from './stored-connection';
import { type WooCommerce, wooCommerceClient } from './woocommerce/client';
import type { WooCommerceSettings } from './woocommerce/settings';
import { ensureWebhooks, removeWebhooks, webhookLine } from './woocommerce/webhooks';

/** Milliseconds for one request. */
const timeout = 8_000;
/** The gateway of intake that takes the webhooks of the shop. */
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

type Making = {
  readonly stored: StoredConnection | null;
  readonly document: ConnectionDocument | null;
  readonly deliverTo: string | null;
  readonly by: string;
};

/** Creates the webhooks that are missing in a shop that an administrator connected, with a secret of intake; says which there are. */
export async function makeWebhooks(
  { bus }: ConnectorDeps,
  shop: WooCommerce,
  { stored, document, deliverTo, by }: Making,
): Promise<ShopCheckLine> {
  if (!stored || !document?.shop || deliverTo === null) return webhookLine(shop, deliverTo);
  const secrets = stored.secretsOf(document.shop);
  const own = secrets.webhooks;
  try {
    const { id, secret } = own ?? (await bus.request('intake.secret.add.v1', { ...gateway, overlap_hours: null, by }));
    if (secret === null) throw new Error('intake made no secret');
    if (own?.deliver_to !== deliverTo) {
      if (own) await removeWebhooks(shop, own.deliver_to);
      const sealed = stored.seal(document.shop.address, {
        ...secrets,
        webhooks: { id, secret, deliver_to: deliverTo },
      });
      await stored.amend(document.version, { shop: { ...document.shop, sealed } });
    }
    await ensureWebhooks(shop, deliverTo, secret);
  } catch (error) {
    return webhookLine(shop, deliverTo, error as Error);
  }
  return webhookLine(shop, deliverTo);
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
  await parts.bus.request('intake.secret.remove.v1', { ...gateway, id, by }).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  });
  return left;
}
