import type { GenericType } from '@order-automation/contracts';
import type { NormalizedEvent } from '../adapter';
import { decimalMoney, type Money } from '../money';
import { isObject, objectAt, own, type Payload, scalarAt } from '../payload';
import { walletEventId, walletGenericType } from './events';
import { orderIdIn } from './order-id';

/** Events about what the gateway pays out belong to no order. */
const aboutNoOrder: ReadonlySet<string> = new Set(['mass_payment_completed', 'mass_payment_failed']);

/** The event of a JSON webhook: what is about the payment stands in `resource`. */
export function resourceEvent(payload: Payload): NormalizedEvent[] {
  const type = scalarAt(payload, 'event_type');
  const resource = objectAt(payload, 'resource');
  if (type === undefined || resource === undefined) return [];
  const eventId = exactId(walletEventId(type), resource);
  const transaction = transactionOf(payload, resource);
  const named = aboutNoOrder.has(eventId);
  return [
    {
      eventType: `payment.wallet.${eventId}`,
      genericType: walletGenericType(eventId) as GenericType | null,
      primaryObjectType: scalarAt(payload, 'resource_type')?.slice(0, 100) ?? 'payment',
      primaryObjectID: idOf(resource) ?? null,
      ...secondaryOf(resource, transaction),
      transactionID: named ? null : transaction,
      ...moneyOf(resource),
      status: scalarAt(resource, 'status') ?? scalarAt(resource, 'state') ?? null,
      reason: reasonOf(resource),
      occurredAt: instant(scalarAt(payload, 'create_time')),
      orderReference: named
        ? { gateway_ids: [], order_id: null, transaction_id: null }
        : {
            gateway_ids: gatewayIds(resource, transaction),
            order_id: orderIdOf(resource),
            transaction_id: transaction,
          },
    },
  ];
}

/** The payment behind a JSON webhook. */
export function resourceTransaction(payload: Payload): string | null {
  const resource = objectAt(payload, 'resource');
  return resource ? transactionOf(payload, resource) : null;
}

/** A dispute says in its outcome who won it. */
function exactId(eventId: string, resource: Payload): string {
  if (eventId !== 'dispute_resolved') return eventId;
  const outcome = scalarAt(objectAt(resource, 'dispute_outcome'), 'outcome_code') ?? '';
  if (/SELLER/i.test(outcome)) return 'dispute_won';
  return /BUYER/i.test(outcome) ? 'dispute_lost' : eventId;
}

function idOf(resource: Payload): string | undefined {
  return scalarAt(resource, 'id') ?? scalarAt(resource, 'dispute_id');
}

/** A refund leads up to what it refunds, a dispute to what is disputed, an order to its capture. Subscriptions are no payment. */
function transactionOf(payload: Payload, resource: Payload): string | null {
  const kind = scalarAt(payload, 'resource_type') ?? '';
  if (kind === 'subscription' || kind === 'plan') return null;
  const refunded = kind === 'refund' ? (upwards(resource) ?? scalarAt(resource, 'sale_id')) : undefined;
  return (
    refunded ??
    scalarAt(firstOf(resource, 'disputed_transactions'), 'seller_transaction_id') ??
    scalarAt(captureOf(resource), 'id') ??
    scalarAt(resource, 'transaction_id') ??
    (kind === 'dispute' ? undefined : scalarAt(resource, 'id')) ??
    null
  );
}

/** The last segment of the link `up`. */
function upwards(resource: Payload): string | undefined {
  const links = own(resource, 'links');
  if (!Array.isArray(links)) return undefined;
  const up = links.slice(0, 50).find((link) => own(link, 'rel') === 'up');
  return /\/([A-Za-z0-9-]{1,100})$/.exec(scalarAt(up, 'href') ?? '')?.[1];
}

function firstOf(source: Payload | undefined, key: string): Payload | undefined {
  const list = own(source, key);
  const [first] = Array.isArray(list) ? list : [];
  return isObject(first) ? first : undefined;
}

function captureOf(resource: Payload): Payload | undefined {
  return firstOf(objectAt(firstOf(resource, 'purchase_units'), 'payments'), 'captures');
}

function secondaryOf(resource: Payload, transaction: string | null) {
  const subscription = scalarAt(resource, 'billing_agreement_id');
  const id = subscription ?? (transaction === idOf(resource) ? undefined : (transaction ?? undefined));
  const type = subscription === undefined ? 'capture' : 'subscription';
  return { secondaryObjectType: id === undefined ? null : type, secondaryObjectID: id ?? null };
}

/** `amount.value` with `currency_code`, or `amount.total` with `currency` in the older shape. */
function moneyOf(resource: Payload): Money {
  const amount =
    own(resource, 'amount') ??
    own(resource, 'dispute_amount') ??
    own(firstOf(resource, 'purchase_units'), 'amount') ??
    own(objectAt(objectAt(resource, 'billing_info'), 'last_payment'), 'amount');
  if (!isObject(amount)) return decimalMoney(amount, undefined);
  const value = own(amount, 'value') ?? own(amount, 'total');
  return decimalMoney(value ?? amount, own(amount, 'currency_code') ?? own(amount, 'currency'));
}

const relatedKeys = ['order_id', 'authorization_id', 'capture_id'] as const;
const linkKeys = ['parent_payment', 'sale_id', 'billing_agreement_id'] as const;

function gatewayIds(resource: Payload, transaction: string | null): string[] {
  const related = objectAt(objectAt(resource, 'supplementary_data'), 'related_ids');
  const ids = [
    idOf(resource),
    transaction ?? undefined,
    ...relatedKeys.map((key) => scalarAt(related, key)),
    ...linkKeys.map((key) => scalarAt(resource, key)),
  ];
  return [...new Set(ids.filter((id) => id !== undefined))];
}

function orderIdOf(resource: Payload): string | null {
  const unit = firstOf(resource, 'purchase_units');
  const disputed = firstOf(resource, 'disputed_transactions');
  for (const source of [resource, unit, disputed]) {
    const custom = scalarAt(source, 'custom_id') ?? scalarAt(source, 'custom');
    const id =
      (custom === undefined ? undefined : orderIdIn(custom)) ??
      scalarAt(source, 'invoice_id') ??
      scalarAt(source, 'invoice_number');
    if (id !== undefined) return id;
  }
  return null;
}

/** The gateway's code for why; never its free text. */
function reasonOf(resource: Payload): string | null {
  return (
    scalarAt(objectAt(resource, 'status_details'), 'reason') ??
    scalarAt(resource, 'reason_code') ??
    scalarAt(resource, 'pending_reason') ??
    (scalarAt(resource, 'dispute_id') === undefined ? undefined : scalarAt(resource, 'reason')) ??
    null
  );
}

function instant(text: string | undefined): string | null {
  const time = text !== undefined && /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(time) && time >= 0 ? new Date(time).toISOString() : null;
}
