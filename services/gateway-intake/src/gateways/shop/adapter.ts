import type { AdapterInput, GatewayAdapter, NormalizedEvent, RawInput, SampleOrder, SampleWebhook } from '../adapter';
import { type LiveSecret, liveSecrets } from '../connection';
import { keyOfBody } from '../keys';
import { decimalMoney } from '../money';
import { own, type Payload, scalarAt, withoutEmpty } from '../payload';
import { shopEventId, shopEvents, shopGenericType } from './events';
import { digestOf, signatureHeader, verifyShopSignature } from './signature';

export const shopGateway = 'gateway_shop';
const inactive =
  'No secret is configured (GATEWAY_SHOP_SECRETS, or a secret of the gateway): every webhook of the shop is refused.';

/** Webhooks of a WooCommerce shop (decisions.md section 5), and the example of a custom adapter. */
export function shopAdapter({
  secrets,
}: {
  readonly secrets: () => readonly LiveSecret[];
}): GatewayAdapter<NormalizedEvent> {
  return {
    gateway: shopGateway,
    displayName: 'WooCommerce webhooks',
    description: 'What happens to orders in a WooCommerce shop, as its own webhooks say it',
    version: '1.0.0',
    capabilities: ['signature', 'secret_rotation', 'test_events'],
    status: (now) => (liveSecrets(secrets(), now).length > 0 ? { active: true } : { active: false, reason: inactive }),
    getSupportedEventTypes: () => Object.keys(shopEvents),
    eventTypes: shopEvents,
    validateAuthenticity: (input, context) => verifyShopSignature(input, secrets(), context),
    canHandle: (input) => topicOf(input) !== undefined && scalarAt(input.payload, 'id') !== undefined,
    normalize: (input) => [normalize(input)],
    computeIdempotencyKey: (input) => {
      // The headers are not signed: only the body tells one delivery from another.
      return keyOfBody(`${shopGateway} ${topicOf(input)}`, input.connection, input.body);
    },
    extractTransactionId: (payload) => scalarAt(payload, 'transaction_id') ?? null,
    extractGatewaySpecificMetadata: (input) =>
      withoutEmpty({
        gateway_event_type: topicOf(input),
        delivery_id: input.headers['x-wc-webhook-delivery-id']?.[0],
        order_version: scalarAt(input.payload, 'version'),
      }),
    mapEventType: shopGenericType,
    sample: (eventType, order, now) => {
      const [secret] = liveSecrets(secrets(), now);
      return secret === undefined ? undefined : sampleOf(eventType, order, { now, secret: secret.value });
    },
    draft: (eventType, order, now) => sampleOf(eventType, order, { now, secret: 'no secret' }),
  };
}

function topicOf({ headers }: Pick<RawInput, 'headers'>): string | undefined {
  const [topic, ...more] = headers['x-wc-webhook-topic'] ?? [];
  return topic !== undefined && more.length === 0 && /^[a-z_]{1,50}[._][a-z_]{1,50}$/.test(topic) ? topic : undefined;
}

/** An update into `completed` or `cancelled` is that event; the payload is the order as the shop's REST interface shows it. */
function eventIdOf(input: AdapterInput): string {
  const eventId = shopEventId(topicOf(input) ?? '');
  const status = scalarAt(input.payload, 'status');
  if (eventId !== 'order_updated') return eventId;
  return status === 'completed' ? 'order_completed' : status === 'cancelled' ? 'order_cancelled' : eventId;
}

function normalize(input: AdapterInput): NormalizedEvent {
  const { payload } = input;
  const eventId = eventIdOf(input);
  const isOrder = eventId.startsWith('order_');
  const id = scalarAt(payload, 'id') ?? null;
  const transaction = isOrder ? (scalarAt(payload, 'transaction_id') ?? null) : null;
  const money = isOrder
    ? decimalMoney(own(payload, 'total'), own(payload, 'currency'))
    : { amount: null, currency: null, amountProblem: null };
  return {
    eventType: `payment.shop.${eventId}`,
    genericType: shopGenericType(eventId),
    primaryObjectType: eventId.replace(/_.*$/, ''),
    primaryObjectID: id,
    secondaryObjectType: null,
    secondaryObjectID: null,
    transactionID: transaction,
    ...money,
    status: scalarAt(payload, 'status') ?? null,
    reason: null,
    occurredAt: modifiedAt(payload),
    orderReference: {
      gateway_ids: [],
      order_id: isOrder ? id : null,
      transaction_id: transaction,
      // The shop calls its orders by their ids, and nothing of it is found by what was paid.
      transactions: [],
      reading: { order_reference: 'id', order_prefix: null },
    },
  };
}

function modifiedAt(payload: Payload): string | null {
  const text = scalarAt(payload, 'date_modified_gmt') ?? '';
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/.test(text) ? new Date(`${text}Z`).toISOString() : null;
}

function sampleOf(
  eventType: string,
  order: SampleOrder,
  { now, secret }: { now: number; secret: string },
): SampleWebhook {
  const status = { order_completed: 'completed', order_cancelled: 'cancelled' }[eventType] ?? 'processing';
  const topic =
    { order_completed: 'order.updated', order_cancelled: 'order.updated' }[eventType] ?? eventType.replace('_', '.');
  const payload = {
    id: order.id,
    status,
    currency: order.currency,
    total: order.total,
    transaction_id: order.transaction,
    date_modified_gmt: new Date(now).toISOString().slice(0, 19),
  };
  const body = Buffer.from(JSON.stringify(payload));
  const headers = { 'x-wc-webhook-topic': [topic], [signatureHeader]: [digestOf(secret, body).toString('base64')] };
  return { headers, body, testProof: null };
}
