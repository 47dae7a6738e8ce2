import { isoTime, parsedUrl } from '@order-automation/contracts';
import type { Clock, Outbound, OutboundAnswer } from '@order-automation/service';
import { OutboundError, redactText, retryAfterOf } from '@order-automation/service';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { reasonOf } from '../attempts/failures';
import type { EffectKind } from '../effects/kinds';
import type { Shop } from '../ports/shop';
import type { Secrets } from '../secrets';
import type { DeliveryDocument, FailureCause } from './document';
import type { Tried } from './outcome';
import type { DeliveryQueue, Send } from './queue';

const payloadSchema = z.object({ url: z.string(), secret_ref: z.string().nullable(), body: z.string() });
type Call = z.output<typeof payloadSchema>;
type Sent = Parameters<Send>[0];

/** What `webhookSender` sends. */
export const callPayload = (call: Call): string => JSON.stringify(call);

/** A call to another service with the order as it is when the rule acts. */
export function webhookEffect(shop: Shop, queue: DeliveryQueue, clock: Clock): EffectKind<'webhook'> {
  return async ({ url, secret_ref, event }, context) => {
    const { order_id, process_id, rule, cause } = context;
    const order = order_id === null ? null : ((await shop.get(order_id))?.order ?? null);
    const data = { order, rule, process_id, event_type: cause.event_type };
    const body = JSON.stringify({ type: event, timestamp: isoTime(clock.now()), data });
    const payload = callPayload({ url, secret_ref, body });
    const called = callTarget(url);
    return queue.add({ kind: 'webhook', ...called, payload, what: `${called.channel} is being called` }, context);
  };
}

/** Bytes of an answer that are kept. */
export const maxAnswer = 2048;

/**
 * Calls with the Standard Webhooks headers, signed where a secret is named, and with the key as `Idempotency-Key`. What a person sends again is sent at
 * once, whatever became of other calls to the host.
 */
export function webhookSender(outbound: Outbound, secrets: Secrets, clock: Clock): Send {
  return async (delivery) => {
    try {
      const call = payloadSchema.parse(JSON.parse(delivery.payload));
      const { url, body } = call;
      const headers = await headersOf(delivery, call, secrets, new Date(clock.now()));
      const isTrial = delivery.resends > 0 && delivery.tries === 0;
      return judged(await outbound.request(url, { method: 'POST', headers, body, isTrial }), hostOf(url), clock);
    } catch (error) {
      return failedCall(error, delivery.channel);
    }
  };
}

async function headersOf({ key, resends }: Sent, { secret_ref, body }: Call, secrets: Secrets, at: Date) {
  const id = `msg_${key.replace(/[^A-Za-z0-9]/g, '_')}`;
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
  if (resends > 0) headers['X-Resend'] = String(resends);
  if (secret_ref !== null) headers['webhook-signature'] = (await signer(secrets, secret_ref)).sign(id, at, body);
  return headers;
}

function judged({ status, headers, body }: OutboundAnswer, host: string, clock: Clock): Tried {
  const answer = redactText(body.subarray(0, maxAnswer).toString('utf8'));
  if (status >= 200 && status < 300)
    return { kind: 'delivered', message: `${host} was called and answered ${status}.`, status, answer };
  const cause: FailureCause = status >= 500 || status === 429 ? 'unavailable' : 'refused';
  const asked = cause === 'unavailable' ? retryAfterOf(headers['retry-after'], clock.now()) : null;
  return { kind: 'failed', cause, message: `${host} answered ${status}.`, status, answer, asked };
}

function failedCall(error: unknown, host: string): Tried {
  if (!(error instanceof OutboundError) || error.code === 'address_refused' || error.code === 'invalid_url')
    return { kind: 'unsent', message: reasonOf(error) };
  if (error.code === 'circuit_open') return { kind: 'held', message: `${host}: ${error.message}` };
  return { kind: 'failed', cause: 'unreachable', message: `${host}: ${error.message}`, status: null, answer: null };
}

async function signer(secrets: Secrets, name: string): Promise<Webhook> {
  const secret = await secrets.valueOf(name);
  if (secret === null) throw new Error(`The secret "${name}" does not exist: see Settings, Outbound secrets.`);
  return secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(secret, { format: 'raw' });
}

/** Where a call goes, as people may see it, and what fails and recovers as one. */
function callTarget(url: string): Pick<DeliveryDocument, 'target' | 'channel'> {
  const { origin, pathname } = parsedUrl(url) ?? {};
  // Without what may hold a token: user, password, query.
  return { target: origin === undefined ? url.slice(0, 200) : `${origin}${pathname}`, channel: hostOf(url) };
}

const hostOf = (url: string): string => parsedUrl(url)?.host ?? 'The address';
