import { delayAfter } from '@order-automation/bus';
import { parsedUrl, type ShopCheckLine } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { z } from 'zod';
import type { Telemetry } from '../telemetry';
import { type WooCommerce, webhooksPath } from './client';
import { ShopUnavailable } from './failures';
import { allPages } from './paging';
import type { WooCommerceSettings } from './settings';

const webhookSchema = z.object({
  id: z.int(),
  name: z.string().catch(''),
  topic: z.string().catch(''),
  status: z.string(),
  delivery_url: z.string(),
});

const path = '/v1/webhooks/gateway_shop';

/** Intake's address for the shop's webhooks. */
export const deliveryAddress = (publicUrl: string): string => `${publicUrl}${path}`;

/** However people write it: its host in capitals, with the usual port, a slash or a query. */
const placeOf = (address: string): string => {
  const { origin = '', pathname = address } = parsedUrl(address) ?? {};
  return `${origin}${pathname.replace(/\/$/, '')}`;
};

const listed = async (shop: WooCommerce) =>
  (await allPages(shop, webhooksPath)).flatMap((item) => webhookSchema.safeParse(item).data ?? []);

/**
 * WooCommerce switches a webhook off for good after several deliveries in a row have failed, and tells nobody: those that deliver to us are switched on again,
 * and none of another installation on the same shop, which may be gone for good. Where our address is not known, the only one with our path is ours.
 * Resolves with their names. What happened meanwhile is found by the poll. Rejects when the shop cannot be asked, or the key may not change webhooks.
 */
async function reviveWebhooks(shop: WooCommerce, publicUrl: string | undefined): Promise<readonly string[]> {
  const webhooks = (await listed(shop)).map((one) => ({ ...one, to: placeOf(one.delivery_url) }));
  const own = publicUrl && placeOf(deliveryAddress(publicUrl));
  const ours = webhooks.filter(({ to }) => (own ? to === own : to.endsWith(path)));
  const isClear = new Set(ours.map(({ to }) => to)).size < 2;
  const off = ours.filter(({ status }) => isClear && status === 'disabled');
  for (const { id } of off) await shop.write('PUT', `${webhooksPath}/${id}`, { status: 'active' });
  return off.map(({ id, name }) => name || `#${id}`);
}

/** Milliseconds until the next look: soon after one was switched on, whose next failed delivery would be its last, then twice as long each time. */
const pause = { first: 5_000, longest: 60 * 60_000 };
/** The look after which the pause is the longest. */
const calm = 11;
/** Milliseconds until a shop that was away is asked again. */
const whileAway = 60_000;

/** Keeps the webhooks on that deliver to us: called every second, it looks at them when it is time. */
export function keepWebhooksOn(
  shop: WooCommerce,
  { publicUrl }: Pick<WooCommerceSettings, 'publicUrl'>,
  telemetry: Telemetry,
  clock: Clock,
): () => Promise<void> {
  let [lookAt, looks] = [0, calm];
  const look = async (): Promise<number> => {
    try {
      const revived = await reviveWebhooks(shop, publicUrl);
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

/** What a webhook tells of; a refund arrives as an order that was updated. */
const topics = {
  'order.created': 'Order created',
  'order.updated': 'Order updated',
  'order.deleted': 'Order deleted',
} as const;

export async function removeWebhooks(shop: WooCommerce, deliverTo: string): Promise<void> {
  for (const { id, delivery_url } of await listed(shop))
    if (delivery_url === deliverTo) await shop.remove(`${webhooksPath}/${id}`);
}

/** Our webhooks in the shop, as a line of its check. With a secret they are created or put right first: once each, however often it is called. */
export async function webhookLine(
  shop: WooCommerce,
  deliverTo: string | null,
  secretOf?: () => Promise<string>,
): Promise<ShopCheckLine> {
  const line = (text: string, cure: string | null) =>
    ({ name: 'webhooks', state: cure === null ? 'ok' : 'warning', text, cure }) as const;
  const otherwise = 'Until then changes in the shop are read once a minute.';
  const unknown = 'WooCommerce cannot send webhooks here: the public address of this service is not known.';
  if (deliverTo === null) return line(unknown, `Set PUBLIC_URL, and check again. ${otherwise}`);
  const add = `Check again, or add it in Settings, Advanced, Webhooks. ${otherwise}`;
  try {
    const secret = await secretOf?.();
    const known = (await listed(shop)).filter(({ delivery_url }) => delivery_url === deliverTo);
    const missing: string[] = [];
    for (const [topic, label] of Object.entries(topics)) {
      const found = known.find((one) => one.topic === topic);
      const fields = { name: `Order automation: ${label}`, topic, delivery_url: deliverTo, status: 'active', secret };
      // The shop never shows a secret: whether it is ours cannot be seen.
      if (secret !== undefined)
        await shop.write(found ? 'PUT' : 'POST', found ? `${webhooksPath}/${found.id}` : webhooksPath, fields);
      else if (found?.status !== 'active') missing.push(label);
    }
    if (missing.length === 0)
      return line(`WooCommerce sends ${Object.values(topics).join(', ')} to ${deliverTo}.`, null);
    return line(`WooCommerce does not send ${missing.join(', ')} to ${deliverTo}.`, add);
  } catch (error) {
    return line(`The webhooks cannot be read or created: ${(error as Error).message}`, add);
  }
}
