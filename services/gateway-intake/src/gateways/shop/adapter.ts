import { createHmac } from 'node:crypto';
import type { EventDescription, GenericType } from '@order-automation/contracts';
import type { AdapterInput, GatewayAdapter, NormalizedEvent, RawInput, SampleOrder, SampleWebhook } from '../adapter';
import { type LiveSecret, liveSecrets } from '../connection';
import { isForm } from '../form';
import { keyOfBody } from '../idempotency-keys';
import { decimalMoney } from '../money';
import { own, type Payload, scalarAt, withoutEmpty } from '../payload';
import { authenticityRefusal, type Refusal } from '../refusal';
import { equalBytes, oneHeader, type Signature, unknownSecret, verifySignature } from '../signature';
import events from './events.json';

export const shopGateway = 'gateway_shop';

/** Topics of the shop's own webhooks as ids, and what they mean. */
const shopEvents = events as Readonly<Record<keyof typeof events, EventDescription>>;

const byId = new Map<string, EventDescription>(Object.entries(shopEvents));

/** `order.updated` and `order_updated` are the same id. */
const shopEventId = (topic: string): string => topic.toLowerCase().replaceAll('.', '_');

const shopGenericType = (topic: string): GenericType | null => byId.get(shopEventId(topic))?.generic ?? null;

const signatureHeader = 'x-wc-webhook-signature';
const noSecret = authenticityRefusal(
  'no_secret_configured',
  'Every webhook of the shop is refused until its secret is entered under Connections. Connecting the shop under Settings enters it where PUBLIC_URL is set.',
);
const malformed = authenticityRefusal('signature_malformed', 'The signature is not 44 characters of base64.');
const mismatch = authenticityRefusal('signature_mismatch', unknownSecret);

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
    capabilities: ['signature', 'secret_rotation', 'test_events'],
    status: (now) =>
      liveSecrets(secrets(), now).length > 0 ? { active: true } : { active: false, reason: noSecret.text },
    getSupportedEventTypes: () => Object.keys(shopEvents),
    eventTypes: shopEvents,
    // The shop calls its orders by their ids.
    reading: { order_reference: 'id', order_prefix: null },
    validateAuthenticity: (input, context) =>
      verifySignature(input, { secrets: secrets(), noSecret, mismatch, read: () => readSignature(input) }, context),
    isPing: ({ headers, body }) => isForm({ headers }) && /^webhook_id=\d{1,20}$/.test(body.toString('latin1')),
    canHandle: (input) =>
      topicOf(input) !== undefined && (scalarAt(input.payload, 'id') !== undefined || isAlikeEachTime(input.payload)),
    normalize: (input) => [normalize(input)],
    // The headers are not signed: only the body tells one delivery from another. All orders that are gone have one body, and an action has it each time.
    computeIdempotencyKey: (input) =>
      keyOfBody(
        `${shopGateway} ${isAlikeEachTime(input.payload) ? `gone ${deliveryOf(input)?.slice(0, 64)}` : topicOf(input)}`,
        input.connection,
        input.body,
      ),
    extractTransactionId: (payload) => scalarAt(payload, 'transaction_id') ?? null,
    extractGatewaySpecificMetadata: (input) =>
      withoutEmpty({
        gateway_event_type: topicOf(input),
        delivery_id: deliveryOf(input),
        order_version: scalarAt(input.payload, 'version'),
      }),
    mapEventType: shopGenericType,
    sample: (eventType, order, now) => {
      const [secret] = liveSecrets(secrets(), now);
      return secret && sampleOf(eventType, order, now, secret.value);
    },
    draft: (eventType, order, now) => sampleOf(eventType, order, now, 'no secret'),
  };
}

/** Base64 HMAC-SHA256 of the body (decisions.md section 5). The shop says nothing about time, so neither can this. */
function readSignature(input: RawInput): Signature | Refusal {
  const value = oneHeader(input, [signatureHeader], 'X-WC-Webhook-Signature');
  if (typeof value === 'object') return value;
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value)) return malformed;
  const digest = Buffer.from(value, 'base64');
  return { fits: (secret, body) => equalBytes(digest, digestOf(secret, body)) };
}

export const digestOf = (secret: string, body: Buffer): Buffer => createHmac('sha256', secret).update(body).digest();

function topicOf({ headers }: Pick<RawInput, 'headers'>): string | undefined {
  const [topic, ...more] = headers['x-wc-webhook-topic'] ?? [];
  return topic !== undefined && more.length === 0 && /^[a-z_]{1,50}[._][a-z\d_-]{1,100}$/.test(topic)
    ? topic
    : undefined;
}

const deliveryOf = ({ headers }: Pick<RawInput, 'headers'>): string | undefined =>
  headers['x-wc-webhook-delivery-id']?.[0];

/**
 * The shop delivers the error of its own look-up: when the order was deleted before the delivery was sent, and where its REST interface is not there while a
 * visitor's request sends it (`rest_no_route`; github.com/woocommerce/woocommerce/issues/28363).
 */
const errorOf = (payload: Payload): string | undefined =>
  scalarAt(payload, 'id') === undefined && own(payload, 'message') !== undefined
    ? scalarAt(payload, 'code')
    : undefined;
const gone = 'woocommerce_rest_shop_order_invalid_id';

const isAlikeEachTime = (payload: Payload): boolean => (errorOf(payload) ?? scalarAt(payload, 'action')) !== undefined;

/** The currency is empty while the plugin that knows it is switched off. */
const isOrder = (payload: Payload): boolean =>
  own(payload, 'billing_period') === undefined &&
  ['id', 'status', 'currency', 'total'].every((key) => own(payload, key) !== undefined);

/** Hooks of WordPress whose first argument is the id of an order; a webhook with such a topic (`action.woocommerce_thankyou`) has nothing else. */
const hookOfOrder =
  /^woocommerce_(?:order_(?:payment_)?status_.+|order_(?:(?:partially|fully)_)?refunded|payment_complete.*|(?:new|update|trash|untrash)_order|thankyou|checkout_order_(?:processed|created))$/;

function orderIdOf(payload: Payload): string | null {
  if (isOrder(payload)) return scalarAt(payload, 'id') ?? null;
  return hookOfOrder.test(scalarAt(payload, 'action') ?? '') ? (scalarAt(payload, 'arg') ?? null) : null;
}

const draft = /^(?:checkout-draft|auto-draft|draft|new)$/;
/** How long after its creation an order counts as new, in milliseconds. */
const newOrder = 3_600_000;

/**
 * What the signed body says; the topic is not signed. It only tells a new order from a changed one, where the order is new, and names what is no
 * order. The payload is the order as it is when it is sent, which may be another state than that of the topic.
 */
function eventIdOf(input: AdapterInput): string {
  const { payload } = input;
  const error = errorOf(payload);
  if (error !== undefined) return error === gone ? 'order_gone' : 'order_error';
  const action = scalarAt(payload, 'action');
  const topic = shopEventId(action === undefined ? (topicOf(input) ?? '') : `action.${action}`);
  if (!isOrder(payload)) return topic.startsWith('order_') ? 'order_deleted' : topic;
  const status = (scalarAt(payload, 'status') ?? '').replace(/^wc-/, '');
  if (status === 'trash') return 'order_trashed';
  if (draft.test(status)) return 'order_draft';
  if (topic === 'order_restored' || (topic === 'order_created' && isNew(payload))) return topic;
  return status === 'completed' ? 'order_completed' : status === 'cancelled' ? 'order_cancelled' : 'order_updated';
}

function isNew(payload: Payload): boolean {
  const [created, modified] = [timeAt(payload, 'date_created_gmt'), timeAt(payload, 'date_modified_gmt')];
  return created === null || modified === null || Date.parse(modified) - Date.parse(created) < newOrder;
}

function normalize(input: AdapterInput): NormalizedEvent {
  const { payload } = input;
  const eventId = eventIdOf(input);
  const named = isOrder(payload);
  const id = scalarAt(payload, 'id') ?? orderIdOf(payload);
  const transaction = named ? (scalarAt(payload, 'transaction_id') ?? null) : null;
  const order_key = named ? scalarAt(payload, 'order_key') : undefined;
  const money = named
    ? decimalMoney(own(payload, 'total'), own(payload, 'currency'))
    : { amount: null, currency: null, amountProblem: null };
  return {
    eventType: `payment.shop.${eventId}`,
    // A body of an id alone is the same for an order, a product and a coupon that were deleted.
    genericType: named ? shopGenericType(eventId) : null,
    primaryObjectType: eventId.replace(/_.*$/, ''),
    primaryObjectID: id,
    secondaryObjectType: null,
    secondaryObjectID: null,
    transactionID: transaction,
    ...money,
    status: scalarAt(payload, 'status') ?? null,
    reason: errorOf(payload) ?? null,
    occurredAt: timeAt(payload, 'date_modified_gmt'),
    orderReference: {
      gateway_ids: [],
      order_id: orderIdOf(payload),
      transaction_id: transaction,
      // Nothing of the shop is found by what was paid.
      transactions: [],
      // A copy of the shop, made for tests, has its webhooks and their secret, and other orders under the same ids.
      ...(order_key === undefined ? {} : { claims: { order_key } }),
    },
  };
}

function timeAt(payload: Payload, key: string): string | null {
  const [, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d)?$/.exec(scalarAt(payload, key) ?? '') ?? [];
  const at = Date.parse(`${time}${zone}`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

const sampleStatus: Readonly<Record<string, string>> = {
  order_completed: 'completed',
  order_cancelled: 'cancelled',
  order_trashed: 'trash',
  order_draft: 'checkout-draft',
};

function sampleOf(eventType: string, order: SampleOrder, now: number, secret: string): SampleWebhook {
  const status = sampleStatus[eventType];
  const topic = status === undefined ? eventType.replace('_', '.') : 'order.updated';
  const whole = {
    id: order.id,
    status: status ?? 'processing',
    currency: order.currency,
    total: order.total,
    transaction_id: order.transaction,
    date_modified_gmt: new Date(now).toISOString().slice(0, 19),
  };
  const code = { order_gone: gone, order_error: 'rest_no_route' }[eventType];
  const payload = code
    ? { code, message: '', data: { status: 404 } }
    : eventType === 'order_deleted'
      ? { id: order.id }
      : whole;
  const body = Buffer.from(JSON.stringify(payload));
  const headers = { 'x-wc-webhook-topic': [topic], [signatureHeader]: [digestOf(secret, body).toString('base64')] };
  return { headers, body, testProof: null };
}
