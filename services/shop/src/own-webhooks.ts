import { ServiceError, type ShopCheckLine } from '@order-automation/contracts';
import type { ConnectorDeps } from './connector';
import type { ConnectionDocument, OwnWebhooks, StoredConnection } from './stored-connection';
import { type WooCommerce, wooCommerceClient } from './woocommerce/client';
import type { WooCommerceSettings } from './woocommerce/settings';
import { ensureWebhooks, removeWebhooks } from './woocommerce/webhooks';

/** Milliseconds for one request. */
const timeout = 8_000;
/** The gateway of intake that takes the webhooks of the shop. */
const gateway = { gateway: 'gateway_shop', connections: false } as const;

/** Asks a shop that need not be the one in use: what it answers is no news about that one. */
export async function asking<T>(
  parts: ConnectorDeps,
  settings: WooCommerceSettings,
  ask: (shop: WooCommerce) => Promise<T>,
): Promise<T> {
  const { clock, log, telemetry } = parts;
  const quiet = () => undefined;
  const silent = { ...telemetry, shopReached: quiet, shopLost: quiet, shopDenied: quiet };
  const shop = wooCommerceClient({ settings, clock, log, telemetry: silent, timeout });
  try {
    return await ask(shop);
  } finally {
    shop.close();
  }
}

type Making = { readonly shop: WooCommerce; readonly deliverTo: string; readonly by: string };

/** Makes the webhooks that are missing, with a secret of intake; what kept it from that is a line of the check. */
export async function makeWebhooks(
  parts: ConnectorDeps,
  stored: StoredConnection,
  document: ConnectionDocument,
  { shop, deliverTo, by }: Making,
): Promise<ShopCheckLine[]> {
  if (!document.shop) return [];
  const { address } = document.shop;
  let own = stored.webhooksOf(document.shop);
  try {
    if (own && own.deliver_to !== deliverTo) await removeWebhooks(shop, own.deliver_to);
    if (own?.deliver_to !== deliverTo) {
      const made = own ?? (await newSecret(parts, by));
      own = { ...made, deliver_to: deliverTo };
      const sealed_webhooks = stored.sealWebhooks(address, own);
      await stored.documents.updateOne(
        { _id: 'shop', version: document.version },
        { $set: { shop: { ...document.shop, sealed_webhooks } } },
      );
    }
    await ensureWebhooks(shop, deliverTo, own.secret);
    return [];
  } catch (error) {
    const text = `The webhooks could not be made: ${(error as Error).message}`;
    return [{ name: 'make_webhooks', state: 'warning', text, cure: 'Check again, or add them by hand.' }];
  }
}

async function newSecret({ bus }: ConnectorDeps, by: string): Promise<Pick<OwnWebhooks, 'id' | 'secret'>> {
  const made = await bus.request('intake.secret.add.v1', { ...gateway, overlap_hours: null, by });
  if (made.secret === null) throw new Error('intake made no secret');
  return { id: made.id, secret: made.secret };
}

/** Resolves with what a person has to remove in the shop, as a sentence; empty when nothing is left. */
export async function removeOwn(
  parts: ConnectorDeps,
  settings: WooCommerceSettings,
  own: OwnWebhooks,
  by: string,
): Promise<string> {
  const left = await asking(parts, settings, (shop) => removeWebhooks(shop, own.deliver_to)).then(
    () => '',
    (error: unknown) => {
      parts.log.warn({ err: error }, 'the webhooks of a shop that is disconnected could not be removed');
      return `The shop could not be reached: remove the webhooks to ${own.deliver_to} there. `;
    },
  );
  await parts.bus.request('intake.secret.remove.v1', { ...gateway, id: own.id, by }).catch((error: unknown) => {
    if (!(error instanceof ServiceError && error.status === 404)) throw error;
  });
  return left;
}
