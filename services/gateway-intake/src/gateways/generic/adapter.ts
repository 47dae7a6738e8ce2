import type { AdapterInput, Context, GatewayAdapter, NormalizedEvent, SampleOrder, SampleWebhook } from '../adapter';
import { liveSecrets } from '../connection';
import { keyOfBody, keyOfId } from '../keys';
import { type Parsed, type Payload, parseJson, scalarAt, withoutEmpty } from '../payload';
import { untrusted } from '../refusal';
import { genericEvents, genericTypeOf } from './events';
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
  /**
   * Whether what is posted without a connection is refused; undefined: once a connection has existed. Else it passes while none exists, and its events are
   * marked as not authenticated.
   */
  readonly requireConnection?: boolean | undefined;
  readonly hasConnections: () => boolean;
  /** Now or ever; as `hasConnections` without it. */
  readonly hadConnections?: () => boolean;
};

/** Any service that posts JSON (sections 5 and 6.3 of the specification, decisions.md section 6). */
export function genericAdapter(options: GenericOptions): GatewayAdapter<NormalizedEvent> {
  const { requireConnection, hasConnections, hadConnections = hasConnections } = options;
  const isPermissive = (): boolean => !(requireConnection ?? hadConnections()) && !hasConnections();
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
  return genericFields(payload, context.connection?.paths);
}

/** Types outside the vocabulary pass unchanged and mean `custom_event`. */
function normalize(fields: GenericFields): NormalizedEvent {
  const generic = fields.type === null ? 'custom_event' : genericTypeOf(fields.type);
  return {
    eventType: generic ?? fields.type ?? 'custom_event',
    genericType: generic ?? 'custom_event',
    primaryObjectType: fields.order === null ? (fields.transaction === null ? 'event' : 'transaction') : 'order',
    primaryObjectID: fields.order ?? fields.transaction,
    secondaryObjectType: fields.order === null || fields.transaction === null ? null : 'transaction',
    secondaryObjectID: fields.order === null ? null : fields.transaction,
    transactionID: fields.transaction,
    amount: fields.amount,
    currency: fields.currency,
    amountProblem: fields.amountProblem,
    status: fields.status,
    reason: fields.reason,
    occurredAt: fields.time,
    orderReference: { gateway_ids: [], order_id: fields.order, transaction_id: fields.transaction },
  };
}

/**
 * An id of the event itself identifies it. An id of the payment does not: the same payment is first pending, then completed, so what
 * the payload says about it belongs to the key, an id of its own included. Without any id the body does.
 */
function computeIdempotencyKey(input: AdapterInput): string {
  const { connection, body, context, headers } = input;
  const id = headers['webhook-id']?.[0];
  if (context.connection?.method === 'standard_webhooks' && id !== undefined)
    return keyOfId(genericGateway, JSON.stringify([connection, 'webhook-id', id]));
  const { event, type, order, transaction, amount, amountProblem, currency, status } = fieldsOf(input);
  if (event !== null) return keyOfId(genericGateway, JSON.stringify([connection, 'event', event]));
  if (transaction === null) return keyOfBody(genericGateway, connection, body);
  const own = scalarAt(input.payload, 'id');
  const said = [connection, type, order, transaction, amount ?? amountProblem, currency, status];
  if (own !== undefined && own !== transaction) said.push(own);
  return keyOfId(genericGateway, JSON.stringify(said));
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
