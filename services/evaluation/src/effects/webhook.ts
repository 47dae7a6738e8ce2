import { isoTime } from '@order-automation/contracts';
import { type Clock, type Outbound, OutboundError } from '@order-automation/service';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { Shop } from '../ports/shop';
import type { Secrets } from '../secrets';
import type { EffectKind } from './effects';
import { type Deliver, DeliveryDelayed, DeliveryUnavailable, type EffectQueue } from './queue';

const payloadSchema = z.object({ url: z.string(), secret_ref: z.string().nullable(), body: z.string() });

/** A call to another service with the order as it is when the rule acts. */
export function webhookEffect(shop: Shop, queue: EffectQueue, clock: Clock): EffectKind<'webhook'> {
  return async ({ url, secret_ref, event }, context) => {
    const { order_id, process_id, rule, cause } = context;
    const order = order_id === null ? null : ((await shop.get(order_id))?.order ?? null);
    const data = { order, rule, process_id, event_type: cause.event_type };
    const body = JSON.stringify({ type: event, timestamp: isoTime(clock.now()), data });
    const payload = JSON.stringify({ url, secret_ref, body });
    return queue.add('webhook', payload, context, `${hostOf(url)} is being called`);
  };
}

/** Calls with the Standard Webhooks headers, signed where a secret is named, and with the key as `Idempotency-Key`. */
export function webhookDelivery(outbound: Outbound, secrets: Secrets, clock: Clock): Deliver {
  return async (payload, key) => {
    const { url, secret_ref, body } = payloadSchema.parse(JSON.parse(payload));
    const at = new Date(clock.now());
    const id = `msg_${key.replace(/[^A-Za-z0-9]/g, '_')}`;
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    };
    if (secret_ref !== null) headers['webhook-signature'] = (await signer(secrets, secret_ref)).sign(id, at, body);
    const status = await call(outbound, url, { method: 'POST', headers, body });
    if (status >= 500 || status === 429) throw new DeliveryDelayed(`${hostOf(url)} answered ${status}.`);
    if (status < 200 || status >= 300) throw new Error(`${hostOf(url)} answered ${status}.`);
    return `${hostOf(url)} was called and answered ${status}.`;
  };
}

async function signer(secrets: Secrets, name: string): Promise<Webhook> {
  const secret = await secrets.valueOf(name);
  if (secret === null) throw new Error(`The secret "${name}" does not exist.`);
  return secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
}

async function call(outbound: Outbound, url: string, request: Parameters<Outbound['request']>[1]): Promise<number> {
  try {
    return (await outbound.request(url, request)).status;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const permanent = error.code === 'address_refused' || error.code === 'invalid_url';
    throw permanent ? error : new DeliveryUnavailable(`${hostOf(url)}: ${error.message}`);
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'The address');
