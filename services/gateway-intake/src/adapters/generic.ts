import { type Payload, withoutEmpty } from '../payload';
import { untrusted } from '../refusal';
import type { AdapterInput, GatewayAdapter, NormalizedEvent } from './adapter';
import { genericFields } from './generic-fields';
import { genericEvents, genericTypeOf } from './generic-types';
import { keyOfBody, keyOfId } from './keys';

const gateway = 'generic';
const connectionRequired = untrusted(
  'connection_required',
  'Webhooks without a connection are refused (GENERIC_REQUIRE_CONNECTION).',
);

export type GenericOptions = {
  /** Refuse what is posted without a connection. Else it passes, and its events are marked as not authenticated. */
  readonly requireConnection: boolean;
};

/** Any service that posts JSON (sections 5 and 6.3 of the specification, decisions.md section 6). */
export function genericAdapter({ requireConnection }: GenericOptions): GatewayAdapter {
  return {
    gateway,
    displayName: 'Generic webhooks',
    status: () => ({ active: true }),
    getSupportedEventTypes: () => genericEvents,
    canHandle: () => true,
    validateAuthenticity: () => (requireConnection ? connectionRequired : 'permitted'),
    normalize: ({ payload }) => [normalize(payload)],
    computeIdempotencyKey,
    extractTransactionId: (payload) => genericFields(payload).transaction,
    extractGatewaySpecificMetadata: ({ payload }) => {
      const { event, type } = genericFields(payload);
      return withoutEmpty({ gateway_event_id: event, gateway_event_type: type });
    },
    mapEventType: (type) => genericTypeOf(type) ?? 'custom_event',
  };
}

/** Types outside the vocabulary pass unchanged and mean `custom_event`. */
function normalize(payload: Payload): NormalizedEvent {
  const fields = genericFields(payload);
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
 * the payload says about it belongs to the key. Without any id the body does.
 */
function computeIdempotencyKey({ connection, body, payload }: AdapterInput): string {
  const { event, type, order, transaction, amount, amountProblem, currency, status } = genericFields(payload);
  if (event !== null) return keyOfId(gateway, JSON.stringify([connection, 'event', event]));
  if (transaction === null) return keyOfBody(gateway, connection, body);
  return keyOfId(
    gateway,
    JSON.stringify([connection, type, order, transaction, amount ?? amountProblem, currency, status]),
  );
}
