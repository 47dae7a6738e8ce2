import type { Entry } from '../products';
import type { Ending, World } from './world';

/** `id` is the first of twenty ids of orders that the case has for itself. */
export type FieldCase = {
  readonly name: string;
  /** Orders there are; what is left out is that of a pending order of 49.00 USD. */
  readonly orders?: (id: number) => readonly Readonly<Record<string, unknown>>[];
  readonly happens: (world: World, id: number) => Promise<readonly Entry[] | void>;
  readonly ends: (id: number) => Readonly<Record<number, Ending>>;
  /** Kinds of entries that the log of the last webhook has. */
  readonly told?: readonly string[];
  /** Kinds that it has not. */
  readonly untold?: readonly string[];
};

export const intent = (id: number | string, transaction: string, more: object = {}) => ({
  id: transaction,
  object: 'payment_intent',
  amount: 4900,
  amount_received: 4900,
  currency: 'usd',
  status: 'succeeded',
  latest_charge: transaction.replace('pi_', 'ch_'),
  metadata: { order_id: String(id) },
  ...more,
});
/** `name` tells the charges of an order apart. */
export const charge = (id: number, name: string, amount: number, more: object = {}) => ({
  id: `ch_${name}_${id}`,
  object: 'charge',
  payment_intent: `pi_${name}_${id}`,
  amount,
  amount_captured: amount,
  captured: true,
  currency: 'usd',
  metadata: { order_id: String(id) },
  ...more,
});
export const money = (value: string) => ({ value, currency_code: 'USD' });
export const session = (id: number, more: object) => ({
  id: `cs_${id}`,
  object: 'checkout.session',
  payment_intent: `pi_cs_${id}`,
  client_reference_id: String(id),
  amount_total: 4900,
  currency: 'usd',
  metadata: {},
  ...more,
});
export const capture = (id: number, transaction: string, value: string, isFinal: boolean) => ({
  id: transaction,
  status: 'COMPLETED',
  amount: money(value),
  final_capture: isFinal,
  custom_id: String(id),
});
export const notification = (id: number, eventCode: string, success: string, pspReference: string) => ({
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        eventCode,
        success,
        pspReference,
        merchantReference: String(id),
        amount: { value: 4900, currency: 'USD' },
      },
    },
  ],
});
export const month = 30 * 24 * 3600;
export const now = Math.floor(Date.now() / 1000);
export const first =
  (...fields: Record<string, unknown>[]) =>
  (id: number) =>
    fields.map((one, at) => ({ id: id + at, ...one }));
export const invoice = (id: number, name: string, reason: string, amount = 4900) => ({
  id: `in_${name}_${id}`,
  object: 'invoice',
  billing_reason: reason,
  subscription: `sub_${id}`,
  payment_intent: `pi_${name}_${id}`,
  amount_due: amount,
  amount_paid: amount,
  total: amount,
  currency: 'usd',
  status: 'paid',
  subscription_details: { metadata: { order_id: String(id) } },
});
export const dispute = (id: number, name: string, status = 'needs_response') => ({
  id: `dp_${name}_${id}`,
  object: 'dispute',
  amount: 4900,
  currency: 'usd',
  charge: `ch_${name}_${id}`,
  payment_intent: `pi_${name}_${id}`,
  status,
  metadata: {},
});

/** A payment of a subscription, by the wallet. */
export const sale = (id: number, transaction: string, total: string, more: object = {}) => ({
  id: transaction,
  state: 'completed',
  amount: { total, currency: 'USD' },
  billing_agreement_id: `I-AG${id}`,
  custom: String(id),
  ...more,
});
