import type { AdapterInput, Context, GatewayAdapter, NormalizedEvent, SampleOrder, SampleWebhook } from '../adapter';
import { liveSecrets } from '../connection';
import { keyOfBody, keyOfId } from '../keys';
import { type Parsed, type Payload, parseJson, scalarAt, withoutEmpty } from '../payload';
import { orderReference } from '../references';
import { untrusted } from '../refusal';
import { failureOf, genericEvents, genericTypeOf } from './events';
import { type GenericFields, genericFields } from './fields';
import { signedHeaders, verifyConnection } from './signature';

export const genericGateway = 'generic';
const connectionRequired = untrusted(
  'connection_required',
  'Webhooks without a connection are refused: send them to the address of a connection, /webhooks/generic/<name>.',
);
const permissive =
  'Anybody who reaches this port can move orders through /webhooks/generic: no connection exists yet. Make one, or set GENERIC_REQUIRE_CONNECTION=true.';

export type GenericOptions = {
  /** Refuse what is posted without a connection. Else it passes while no connection exists, and its events are marked as not authenticated. */
  readonly requireConnection: boolean;
  readonly hasConnections: () => boolean;
};

/** Any service that posts JSON (sections 5 and 6.3 of the specification, decisions.md section 6). */
export function genericAdapter({ requireConnection, hasConnections }: GenericOptions): GatewayAdapter<NormalizedEvent> {
  const isPermissive = (): boolean => !requireConnection && !hasConnections();
  return {
    gateway: genericGateway,
    displayName: 'Generic webhooks',
    description: 'JSON from any service, each with a connection of its own',
    version: '1.0.0',
    capabilities: ['connections', 'signature', 'secret_rotation', 'field_paths', 'test_events'],
    status: () => (isPermissive() ? { active: true, warning: permissive, permissive: true } : { active: true }),
    getSupportedEventTypes: () => Object.keys(genericEvents),
    eventTypes: genericEvents,
    canHandle: () => true,
    isUnproven: (_input, { connection }) => (connection ? connection.method === 'none' : isPermissive()),
    validateAuthenticity: (input, context) => {
      if (context.connection) return verifyConnection(input, context.connection, context);
      return isPermissive() ? { kind: 'permitted' } : { kind: 'refused', refusal: connectionRequired };
    },
    parse: ({ body }) => parseAny(body),
    normalize: (input) => [normalize(fieldsOf(input))],
    computeIdempotencyKey,
    earlierKey,
    extractTransactionId: (payload) => genericFields(payload).transaction,
    extractGatewaySpecificMetadata: (input) => {
      const { event, type } = fieldsOf(input);
      return withoutEmpty({ gateway_event_id: event, gateway_event_type: type });
    },
    mapEventType: (type) => genericTypeOf(type) ?? 'custom_event',
    sample: genericSample,
  };
}

/** Lists, texts, numbers and null too: only paths find anything in them, and without any they are events that name nothing. */
function parseAny(body: Buffer): Parsed {
  const { value, refusal } = parseJson(body);
  return refusal ? { refusal } : { payload: value as Payload };
}

function fieldsOf({ payload, context }: AdapterInput): GenericFields {
  return genericFields(payload, context.connection?.paths, context.connection?.amountUnit);
}

/** Types outside the list pass unchanged (section 6.3 of the specification); those that no word of the vocabulary means are `custom_event`. */
function normalize(fields: GenericFields): NormalizedEvent {
  const { type, order, transaction, refund, success } = fields;
  const meaning = type === null ? undefined : genericTypeOf(type);
  const generic = success ? (meaning ?? 'custom_event') : failureOf(type, meaning);
  const isListed = generic !== null && Object.hasOwn(genericEvents, generic) && (meaning !== undefined || !success);
  const isRefund = refund !== null && /refund/.test(meaning ?? type ?? '');
  const primary = isRefund ? 'refund' : order === null ? (transaction === null ? 'event' : 'transaction') : 'order';
  const secondary = primary === 'transaction' ? null : transaction;
  return {
    eventType: isListed ? generic : (type ?? 'custom_event'),
    genericType: generic,
    primaryObjectType: primary,
    primaryObjectID: isRefund ? refund : (order ?? transaction),
    secondaryObjectType: secondary === null ? null : 'transaction',
    secondaryObjectID: secondary,
    transactionID: transaction,
    amount: fields.amount,
    currency: fields.currency,
    amountProblem: fields.amountProblem,
    status: fields.status ?? (success ? null : 'failed'),
    reason: fields.reason,
    occurredAt: fields.time,
    orderReference: { ...orderReference(fields.named, transaction, { transactions: [], links: [] }), gateway_ids: [] },
  };
}

/**
 * An id of the event itself identifies it, and the first one where the sender repeats it. An id of the payment does not: the same payment is first
 * pending, then completed, so what the payload says about it belongs to the key, its refund and its time included. Without any id the body does.
 */
function computeIdempotencyKey(input: AdapterInput): string {
  const { payload } = input;
  const fields = fieldsOf(input);
  const { refund, changed, time, success } = fields;
  const further = [refund, time, changed, scalarAt(payload, 'webhook_id') ?? null, success ? null : 'failed'];
  return keyOf(input, fields, further.some((one) => one !== null) ? [further] : []);
}

/** The key of version b457727: an endpoint's `webhook_id` identified the event there, and neither refund nor time did. */
function earlierKey(input: AdapterInput): string {
  const { payload } = input;
  const fields = fieldsOf(input);
  const ids = ['event_id', 'webhook_id', 'delivery_id', 'idempotency_key'].map((name) => scalarAt(payload, name));
  return keyOf(input, { ...fields, event: ids.find((id) => id !== undefined) ?? fields.event }, []);
}

function keyOf(input: AdapterInput, fields: GenericFields, further: readonly unknown[]): string {
  const { connection, body, context, headers, payload } = input;
  const id = headers['webhook-id']?.[0];
  if (context.connection?.method === 'standard_webhooks' && id !== undefined)
    return keyOfId(genericGateway, JSON.stringify([connection, 'webhook-id', id]));
  const { event, type, order, transaction, amount, amountProblem, currency, status } = fields;
  if (event !== null) return keyOfId(genericGateway, JSON.stringify([connection, 'event', event]));
  if (transaction === null) return keyOfBody(genericGateway, connection, body);
  const own = scalarAt(payload, 'id');
  const said: unknown[] = [connection, type, order, transaction, amount ?? amountProblem, currency, status];
  if (own !== undefined && own !== transaction) said.push(own);
  return keyOfId(genericGateway, JSON.stringify([...said, ...further]));
}

function genericSample(
  eventType: string,
  order: SampleOrder,
  now: number,
  context: Context,
): SampleWebhook | undefined {
  const { connection } = context;
  const id = `evt_${order.transaction}_${eventType}`;
  const payload = {
    event_id: id,
    event_type: eventType,
    created_at: new Date(now).toISOString(),
    data: { order_id: order.id, transaction_id: order.transaction, amount: order.total, currency: order.currency },
  };
  const body = Buffer.from(JSON.stringify(payload));
  const [secret] = connection ? liveSecrets(connection.secrets, now) : [];
  const headers = connection ? signedHeaders(connection, secret?.value, { body, id, now }) : {};
  return headers && { headers: { 'content-type': ['application/json'], ...headers }, body, testProof: null };
}
