import { currencyDecimals } from '@order-automation/contracts';
import type { AdapterInput } from '../adapter';
import { keyOfBody, keyOfId, sha256 } from '../idempotency-keys';
import { scalarAt } from '../payload';
import { eventsIn, listOf } from './elements';
import { earlierNames, type GenericFields, genericFields } from './fields';
import { familyOf } from './signature';

export const genericGateway = 'generic';

type Said = (string | null)[];

/**
 * An id of the event itself identifies it, with its type and order unless the connection says where it is, and an idempotency key with type and state:
 * `subscription_billing_attempts/challenged` and `…/success` share one (shopify.dev/docs/api/webhooks). An id of the payment does not: the same payment is
 * first pending, then completed, and is refunded twice, so everything that the payload says belongs to the key but for what its delivery adds. Without any
 * id the body does. When in doubt, two events: payments, refunds and disputes are recognised by what they are about.
 */
export function computeIdempotencyKey(input: AdapterInput): string {
  const keys = eventsIn(input.payload, input.context.connection ?? {}, input.headers).map((fields) =>
    keyOfEvent(input, fields),
  );
  return keys.length === 1 ? (keys[0] ?? '') : keyOf(keys);
}

function keyOfEvent(input: AdapterInput, fields: GenericFields): string {
  const { said, amount, amountProblem, currency, type } = fields;
  const order = said.references[0]?.value ?? null;
  const values = saidBy(input, fields, [order, amount ?? amountProblem, currency]);
  const { auth_method, paths } = input.context.connection ?? {};
  const isPlaced = paths?.event !== undefined || auth_method === 'standard_webhooks';
  if (fields.event !== null && !isPlaced && isOfEventAlone(input.payload, fields.event))
    return keyOf([input.connection, 'event', fields.event, type, order]);
  const found = isPlaced ? fields : { ...fields, event: null, transaction: fields.transaction ?? fields.event };
  return keyBy(input, found, () => {
    const rest = restOf(input.payload, new Set(values.map(plain)));
    return rest.length === 0 ? values : [...values, sha256(JSON.stringify(rest))];
  });
}

/**
 * Whether an id is the event's own: at the top, and of nothing else. The `event_id` of a refund may be the refund's (docs.finmo.net/reference/refund-created),
 * and that in data, or beside an order, a concert's (dev.wix.com/docs/rest/business-solutions/events/orders/order-paid), which many orders have.
 */
function isOfEventAlone(payload: unknown, event: string): boolean {
  const places = restOf(payload, new Set()).filter((one) => one.endsWith(`=${event}`));
  return places.length === 1 && /^\/[^/]*=/.test(places[0] ?? '');
}

/** Of one delivery, not of the event: when and how often it was sent, and what signs it. */
const ofDelivery =
  /^(?:sent(?:at|on)?$|attempt|deliveryattempt|retry|retries|isretry|redeliver|nonce|signature|hmac|requestid|traceid|pendingwebhooks)/;

/** What a payload says besides these values, field by field in the order of their places. */
function restOf(payload: unknown, values: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) {
      const text = plain(value);
      if (text !== '' && !values.has(text)) found.push(`${place}=${text}`);
      return;
    }
    for (const [key, inner] of Object.entries(value))
      if (!ofDelivery.test(key.toLowerCase().replace(/[^a-z]/g, ''))) visit(inner, `${place}/${key}`);
  };
  visit(payload, '');
  return found.sort();
}

/** 5, "5" and "5.00" are one value. */
function plain(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value).trim();
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** The key that b457727 gave it, where it was another one. */
export function earlierKey(input: AdapterInput): string | undefined {
  if (listOf(input.context.connection?.paths ?? {}) !== undefined) return undefined;
  const fields = genericFields(input.payload, { paths: input.context.connection?.paths ?? {} }, { by: earlierNames });
  const key = keyBy(input, fields, () => saidBy(input, fields, earlierValues(fields)));
  return key === computeIdempotencyKey(input) ? undefined : key;
}

function keyBy(
  { connection, context, headers, body }: AdapterInput,
  { event, request, type, status, transaction }: GenericFields,
  values: () => readonly unknown[],
): string {
  const id = headers[`${familyOf(context.connection?.hmac_header ?? '')}-id`]?.[0];
  if (context.connection?.auth_method === 'standard_webhooks' && id !== undefined)
    return keyOf([connection, 'webhook-id', id]);
  if (event !== null) return keyOf([connection, 'event', event]);
  if (request !== null) return keyOf([connection, 'request', request, type, status]);
  return transaction === null ? keyOfBody(genericGateway, connection, body) : keyOf(values());
}

const keyOf = (values: readonly unknown[]): string => keyOfId(genericGateway, JSON.stringify(values));

function saidBy(
  { connection, payload }: Pick<AdapterInput, 'connection' | 'payload'>,
  { type, transaction, status }: GenericFields,
  [order, amount, currency]: Said,
): unknown[] {
  const own = scalarAt(payload, 'id');
  const values = [connection, type, order, transaction, amount, currency, status];
  return own !== undefined && own !== transaction ? [...values, own] : values;
}

/** Order, amount and currency as b457727 read them: only ISO 4217 had currencies. */
function earlierValues({ said, amount, amountProblem, currency }: GenericFields): Said {
  const order = said.references[0]?.value ?? null;
  const isUnknown = currency !== null && currencyDecimals(currency, -1) === -1;
  if (!isUnknown && amountProblem === null) return [order, amount, currency];
  const problem = amountProblem ?? `The currency "${currency}" is not the code of a currency.`;
  const text = problem.replace('the code of a currency.', 'a currency code of ISO 4217.');
  return [order, text, isUnknown ? null : currency];
}
