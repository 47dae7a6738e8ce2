import { delayAfter } from '@order-automation/bus';
import type { Clock } from '@order-automation/service';
import { z } from 'zod';
import type { Telemetry } from '../telemetry';
import { type WooCommerce, webhooksPath } from './client';
import { ShopUnavailable } from './failures';
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
async function reviveWebhooks(shop: WooCommerce): Promise<readonly string[]> {
  const revived: string[] = [];
  for (const item of await allPages(shop, webhooksPath)) {
    const webhook = webhookSchema.safeParse(item).data;
    if (webhook?.status !== 'disabled' || !ours.test(webhook.delivery_url)) continue;
    await shop.write('PUT', `${webhooksPath}/${webhook.id}`, { status: 'active' });
    revived.push(webhook.name || `#${webhook.id}`);
  }
  return revived;
}

/** Milliseconds until the next look: soon after one was switched on, whose next failed delivery would be its last, then twice as long each time. */
const pause = { first: 5_000, longest: 60 * 60_000 };
/** The look after which the pause is the longest. */
const calm = 11;
/** Milliseconds until a shop that was away is asked again. */
const whileAway = 60_000;

/** Keeps the webhooks on that deliver to us: called every second, it looks at them when it is time. */
export function keepWebhooksOn(shop: WooCommerce, telemetry: Telemetry, clock: Clock): () => Promise<void> {
  let [lookAt, looks] = [0, calm];
  const look = async (): Promise<number> => {
    try {
      const revived = await reviveWebhooks(shop);
      telemetry.webhooksRevived(revived);
      looks = revived.length > 0 ? 1 : looks + 1;
    } catch (error) {
      if (error instanceof ShopUnavailable && !error.isRefusal) return whileAway;
      telemetry.webhooksUnknown(error);
      looks = calm;
    }
    return delayAfter(looks, pause);
  };
  return async () => {
    const now = clock.now();
    // A time that is far away was set while a clock ran ahead.
    if (now >= lookAt || lookAt > now + pause.longest) lookAt = now + (await look());
  };
}
