import type { GenericType } from '@order-automation/contracts';
import type { AdapterInput, Context, GatewayAdapter, NormalizedEvent, SampleOrder } from '../adapter';
import { type Connection, liveSecrets } from '../connection';
import { parseBody } from '../form';
import { wholeUnits } from '../money';
import { withoutEmpty } from '../payload';
import { referenceOf } from '../references';
import { authenticityRefusal } from '../refusal';
import { eventsIn, objectionTo } from './elements';
import { genericEvents, isOfSomethingElse, isStateAlone, isWithoutOrder, vocabularyType } from './events';
import { decimalsIn, type GenericFields, genericFields } from './fields';
import { computeIdempotencyKey, earlierKey, genericGateway } from './idempotency-keys';
import { signedHeaders, verifyConnection } from './signature';

const connectionRequired = authenticityRefusal(
  'connection_required',
  'Webhooks without a connection are refused: send them to the address of a connection, /webhooks/generic/<name>.',
);
const permissive =
  'Anybody who can reach this service can move orders through generic webhooks until the first sender is connected (extended edition), or GENERIC_REQUIRE_CONNECTION=true is set.';

export type GenericOptions = {
  /** Whether posts without a connection are refused; undefined: once a connection has existed. Before that they pass, marked as not authenticated. */
  readonly requireConnection?: boolean | undefined;
  readonly hasConnections: () => boolean;
  /** Now or ever; as `hasConnections` without it. */
  readonly hadConnections?: () => boolean;
};

/** Any service that posts JSON or a form (sections 5 and 6.3 of the specification, decisions.md section 6). */
export function genericAdapter(options: GenericOptions): GatewayAdapter<NormalizedEvent> {
  const { requireConnection, hasConnections, hadConnections = hasConnections } = options;
  const isPermissive = (): boolean => !(requireConnection ?? hadConnections()) && !hasConnections();
  return {
    gateway: genericGateway,
    displayName: 'Generic webhooks',
    description: 'JSON or forms from any service, each with a connection of its own',
    capabilities: ['connections', 'signature', 'secret_rotation', 'field_paths', 'test_events'],
    status: () => (isPermissive() ? { active: true, warning: permissive, permissive: true } : { active: true }),
    getSupportedEventTypes: () => Object.keys(genericEvents),
    eventTypes: genericEvents,
    canHandle: () => true,
    isUnauthenticated: (_input, { connection }) => (connection ? connection.auth_method === 'none' : isPermissive()),
    validateAuthenticity: (input, context) => {
      if (context.connection) return verifyConnection(input, context.connection, context);
      return isPermissive() ? { kind: 'unauthenticated' } : { kind: 'refused', refusal: connectionRequired };
    },
    // Lists, texts, numbers and null too: only paths find anything in them, and without any they are events that name nothing.
    parse: parseBody,
    objection: ({ payload, context }) => objectionTo(payload, context.connection ?? {}),
    normalize: (input) => fieldsOf(input).map((fields) => normalize(fields, input.context.connection ?? {})),
    computeIdempotencyKey,
    earlierKey,
    extractTransactionId: (payload) => genericFields(payload).transaction,
    extractGatewaySpecificMetadata: (input) => {
      const [only, ...others] = fieldsOf(input);
      return others.length > 0 ? {} : withoutEmpty({ gateway_event_id: only?.event, gateway_event_type: only?.type });
    },
    mapEventType: (type) => vocabularyType(type) ?? 'custom_event',
    sample: genericSample,
  };
}

const fieldsOf = ({ payload, context, headers }: AdapterInput): readonly GenericFields[] =>
  eventsIn(payload, context.connection ?? {}, headers);

/** Types outside the vocabulary pass unchanged and mean `custom_event`. */
function normalize(fields: GenericFields, { preset, types = {} }: Partial<Connection>): NormalizedEvent {
  const { genericType, ...names } = meaningOf(fields);
  // A preset without types is of a sender whose types are its user's own.
  const isLeftOut = preset !== undefined && Object.keys(types).length > 0 && genericType === 'custom_event';
  const own = /^subscription_(?!renewed)/.test(genericType ?? '') && fields.isBareId ? fields.transaction : null;
  const subscription = fields.meaning === 'no_order' ? null : (fields.subscription ?? own);
  const isWithout = isAboutNoOrder(fields);
  const transaction = isWithout ? null : paymentOf(fields, genericType);
  const isAside = fields.isBareId && (isOther(fields) || isLeftOut || own !== null);
  const orderReference = orderReferenceOf(fields, { transaction, subscription, isWithout, isLeftOut, isAside });
  const order = orderReference.order_id;
  const part = partOf(fields, genericType);
  const primary = part?.id ?? order ?? transaction;
  const secondary = primary === transaction ? null : transaction;
  return {
    ...names,
    genericType,
    ...(isLeftOut && { isLeftOut }),
    primaryObjectType: part?.kind ?? (order === null ? (transaction === null ? 'event' : 'transaction') : 'order'),
    primaryObjectID: primary,
    secondaryObjectType: secondary === null ? null : 'transaction',
    secondaryObjectID: secondary,
    transactionID: transaction,
    amount: genericType === 'payment_refunded' ? (fields.amount?.replace(/^-/, '') ?? null) : fields.amount,
    currency: fields.currency,
    amountProblem: fields.amountProblem,
    status: fields.status,
    reason: fields.reason,
    occurredAt: fields.time,
    orderReference,
    ...(subscription !== null && { subscriptionID: subscription }),
    ...(fields.minorUnits !== undefined && { minorUnits: fields.minorUnits }),
    ...(genericType === 'payment_refunded' && fields.isRefundTotal && { isRefundTotal: true }),
  };
}

type Named = Record<'transaction' | 'subscription', string | null>;
type Kind = Record<'isWithout' | 'isLeftOut' | 'isAside', boolean>;

/**
 * The transaction of a sender that nobody knows is no id that a shop has kept of a gateway, but one that an order may have as its own. An id of something
 * else is looked for, and not waited for; that of a subscription is that of no payment.
 */
function orderReferenceOf({ said, parent }: GenericFields, { transaction, subscription, ...kind }: Named & Kind) {
  const links = subscription === null ? [] : [subscription];
  const transactions = [parent ?? undefined, ...(kind.isLeftOut ? links : [])];
  const all = kind.isWithout ? { ...said, references: [] } : said;
  const reference = referenceOf(all, { transaction, transactions, links });
  if (reference.order_id !== null) return { ...reference, gateway_ids: links };
  return { ...reference, ...(kind.isAside && { transaction_id: null }), gateway_ids: kind.isLeftOut ? [] : links };
}

const isOther = ({ type, meaning }: GenericFields): boolean => meaning === undefined && isOfSomethingElse(type);

/** By its kind, or because all that it names is its own id. */
function isAboutNoOrder(fields: GenericFields): boolean {
  const { references } = fields.said;
  const { type, meaning } = fields;
  const areIts = (own: RegExp) => references.every(({ from }) => own.test(from) && meaning === undefined);
  if (meaning === 'no_order' || (isWithoutOrder(type) && areIts(/^reference$|\/(?:reference_)?id$/))) return true;
  return references.length > 0 && isOther(fields) && areIts(/\/id$/);
}

/**
 * What is done to a payment has an id of its own and names the payment beside it (docs.adyen.com/development-resources/webhooks/webhook-types,
 * `originalReference`). Each capture is a payment by itself.
 */
const paymentOf = ({ transaction, parent }: GenericFields, genericType: GenericType | null): string | null =>
  genericType !== null && towardsPayment.has(genericType) ? transaction : (parent ?? transaction);

/** The refund, a failed one too, or the dispute that it is about, where it has an id of its own. */
function partOf(
  { type, isOfRefund, refund, dispute, parent, transaction }: GenericFields,
  genericType: GenericType | null,
) {
  const isOther = genericType === null || genericType === 'custom_event';
  const isRefund = genericType === 'payment_refunded' || (isOther && (isOfRefund || /refund/i.test(type ?? '')));
  const kind = isRefund ? 'refund' : genericType?.startsWith('dispute_') ? 'dispute' : null;
  const id = (kind === 'refund' ? refund : dispute) ?? (parent === null ? null : transaction);
  return kind === null || id === null ? undefined : { kind, id };
}

/** A payment, or what leads to one, in the words of senders; not what is done to one, or belongs to it. */
const ofPayment =
  /^(?!.*(?:refund|revers|dispute|charge_?back|adjust|method|token|link|payout|void|cancel))(?:payment|charge|capture|sale|authori[sz])/i;
const towardsPayment: ReadonlySet<GenericType | undefined> = new Set([
  'payment_created',
  'payment_pending',
  'payment_processing',
  'payment_completed',
]);
/** Words that say themselves that nothing was paid. A cancellation that failed is none: `void`, `CANCELLATION`. */
const saysFailure = /fail|declin|denied|reject|refus|expir|^(?!subscription).*(?:cancell?ed|voided)$/i;

type Meaning = Pick<NormalizedEvent, 'eventType' | 'genericType' | 'sentAs'>;
/** A state alone, such as `SUCCESS`, beside a refund: docs.dlocal.com/reference/the-refund-object has every field of a payment. */
const stateOfRefund: Partial<Record<GenericType, 'payment_refunded' | 'refund_pending' | 'refund_failed'>> = {
  payment_created: 'refund_pending',
  payment_pending: 'refund_pending',
  payment_processing: 'refund_pending',
  payment_completed: 'payment_refunded',
  payment_failed: 'refund_failed',
  payment_cancelled: 'refund_failed',
};

/** What the sender says happened; where it says in the same breath that it did not succeed, the failure of that. */
function meaningOf({ type, meaning, isFailure, hasFailed, isOfRefund }: GenericFields): Meaning {
  const named = type ?? 'custom_event';
  const said = meaning === 'no_order' ? undefined : (meaning ?? vocabularyType(named));
  const ofRefund = isOfRefund && (type === null || isStateAlone(type)) ? said && stateOfRefund[said] : undefined;
  if (ofRefund !== undefined && ofRefund !== 'payment_refunded') return { eventType: ofRefund, genericType: null };
  const generic = ofRefund ?? said;
  // Section 6.3 of the specification: a type outside the list passes unchanged.
  const isListed = generic !== undefined && generic !== 'custom_event' && Object.hasOwn(genericEvents, generic);
  const eventType = isListed ? generic : named;
  const asSent = {
    eventType,
    genericType: generic ?? 'custom_event',
    ...(type !== null && type !== eventType && { sentAs: type.slice(0, 255) }),
  } as const;
  const isGood = towardsPayment.has(generic) || generic === 'payment_refunded';
  const isUndone = isFailure || (hasFailed && isGood);
  if (!isUndone || (!isGood && (type === null || saysFailure.test(type) || generic?.endsWith('_failed'))))
    return asSent;
  const isPayment = generic === undefined ? ofPayment.test(named) : towardsPayment.has(generic);
  if (isPayment) return { eventType: 'payment_failed', genericType: 'payment_failed' };
  return { eventType: `${named.toLowerCase().slice(0, 200)}_failed`, genericType: null };
}

function genericSample(eventType: string, order: SampleOrder, now: number, { connection }: Context) {
  const id = `evt_${order.transaction}_${eventType}`;
  const { amount_unit, decimals } = connection ?? {};
  const scale = decimalsIn(order.currency, decimals);
  const amount = amount_unit === 'minor' ? wholeUnits(order.total, scale) : order.total;
  const payload = {
    event_id: id,
    event_type: eventType,
    created_at: new Date(now).toISOString(),
    data: { order_id: order.id, transaction_id: order.transaction, amount, currency: order.currency },
  };
  const body = Buffer.from(JSON.stringify(payload));
  const [secret] = connection ? liveSecrets(connection.secrets, now) : [];
  const headers = connection ? signedHeaders(connection, secret?.value, { body, id, now }) : {};
  return headers && { headers: { 'content-type': ['application/json'], ...headers }, body, testProof: null };
}
