import { createHmac, randomBytes } from 'node:crypto';
import type { Fields } from './replies';
import type { ShopData } from './shop-data';

/** What waits to be sent: a ping of a webhook, or what happened to an order. */
export type Due = { readonly ping: number } | { readonly topic: string; readonly order: number };

/** Failed deliveries in a row that are counted; the next one switches the webhook off (WC_Webhook::failed_delivery). */
const maxFailures = 6;
const agent = 'WooCommerce/11.0.1 Hookshot (WordPress/7.1)';

/** Sends what is due, each to every webhook of its topic that is switched on. An order goes out as it is now, whatever happened to it. */
export async function sendDue(data: ShopData, source: string): Promise<void> {
  for (const due of data.due.splice(0)) {
    if ('ping' in due) {
      const webhook = data.webhooks.find(({ id }) => id === due.ping);
      if (webhook)
        await post(webhook, `webhook_id=${webhook.id}`, { 'content-type': 'application/x-www-form-urlencoded' });
      continue;
    }
    const body = JSON.stringify(payloadOf(due.topic, due.order, data));
    for (const webhook of data.webhooks.filter(({ topic }) => topic === due.topic)) {
      if (webhook.status !== 'active') continue;
      const isTaken = await post(webhook, body, headersOf(webhook, body, source));
      const failures = Number(webhook.failures ?? 0);
      if (!isTaken && failures >= maxFailures) webhook.status = 'disabled';
      else webhook.failures = isTaken ? 0 : failures + 1;
    }
  }
}

function payloadOf(topic: string, id: number, { orders }: ShopData): unknown {
  if (topic === 'order.deleted') return { id };
  const gone = { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.', data: { status: 404 } };
  return orders.get(id) ?? gone;
}

function headersOf({ id, secret, topic }: Fields, body: string, source: string): Record<string, string> {
  const [resource = '', event = ''] = String(topic).split('.');
  return {
    'content-type': 'application/json',
    'x-wc-webhook-source': `${source}/`,
    'x-wc-webhook-topic': String(topic),
    'x-wc-webhook-resource': resource,
    'x-wc-webhook-event': event,
    'x-wc-webhook-signature': signatureOf(body, String(secret)),
    'x-wc-webhook-id': String(id),
    'x-wc-webhook-delivery-id': randomBytes(16).toString('hex'),
  };
}

export const signatureOf = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('base64');

/** Resolves with whether it was taken. */
async function post(webhook: Fields, body: string, headers: Record<string, string>): Promise<boolean> {
  const request = { method: 'POST', body, headers: { 'user-agent': agent, ...headers } };
  const response = await fetch(String(webhook.delivery_url), request).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok === true;
}
