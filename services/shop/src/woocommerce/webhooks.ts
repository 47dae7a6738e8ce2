import { z } from 'zod';
import { type WooCommerce, webhooksPath } from './client';
import { allPages } from './paging';

const webhookSchema = z.object({
  id: z.int(),
  name: z.string().catch(''),
  status: z.string(),
  delivery_url: z.string(),
});

/** The path of intake's address for the shop's webhooks, whatever stands before it. */
const ours = /\/v1\/webhooks\/gateway_shop\/?(?:[?#]|$)/;

/**
 * WooCommerce switches a webhook off for good when five deliveries in a row have failed, and tells nobody: those that deliver to us are switched on again.
 * Resolves with their names. What happened meanwhile is found by the poll. Rejects when the shop cannot be asked, or the key may not change webhooks.
 */
export async function reviveWebhooks(shop: WooCommerce): Promise<readonly string[]> {
  const revived: string[] = [];
  for (const item of await allPages(shop, webhooksPath)) {
    const webhook = webhookSchema.safeParse(item).data;
    if (webhook?.status !== 'disabled' || !ours.test(webhook.delivery_url)) continue;
    await shop.write('PUT', `${webhooksPath}/${webhook.id}`, { status: 'active' });
    revived.push(webhook.name || `#${webhook.id}`);
  }
  return revived;
}
