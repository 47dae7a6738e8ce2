/** An amount in the smallest unit of the order's currency. */
export type Minor = number;

/** What a webhook says has happened, in the words of the model. A webhook that says nothing of this moves no order. */
export type Said =
  | {
      readonly kind: 'payment';
      readonly transaction: string;
      readonly amount: Minor;
      readonly currency: string;
      readonly subscription?: string;
      /** What the gateway says of a payment of a subscription; undefined where it does not say. */
      readonly billing?: 'first' | 'renewal' | 'other';
    }
  | { readonly kind: 'failure'; readonly transaction: string }
  | { readonly kind: 'refund'; readonly refund: string; readonly transaction: string }
  | { readonly kind: 'dispute'; readonly dispute: string; readonly transaction: string }
  | { readonly kind: 'dispute_end'; readonly dispute: string; readonly how: 'WON' | 'LOST' | 'RESOLVED' }
  | { readonly kind: 'cancellation' }
  /** A name of the gateway that a rule of `webhook_event` lists. */
  | { readonly kind: 'named' };

export type Webhook = {
  readonly gateway: 'gateway_card' | 'gateway_wallet' | 'generic';
  readonly connection: string | null;
  /** The gateway's own name of the event. */
  readonly name: string;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly form: boolean;
  readonly body: string;
  readonly says: readonly Said[];
};

export type Gateway = 'card' | 'wallet' | 'ipn' | 'generic';

export type PlannedOrder = {
  readonly id: number;
  readonly number: string;
  readonly key: string;
  readonly total: Minor;
  readonly currency: string;
  readonly status: string;
  /** As a payment plugin stores it at checkout; empty where it does not. */
  readonly transaction: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What the events of the order call it. */
  readonly reference: string;
};

export type Step =
  | { readonly kind: 'webhook'; readonly webhook: Webhook; readonly isCopy: boolean }
  /** The shop saves the order, which it may not have had before. */
  | { readonly kind: 'save'; readonly fields: Readonly<Record<string, unknown>> };

/** One order with what is sent about it, in the order of sending. */
export type Life = {
  /** The law that it is there for. */
  readonly law: string;
  readonly gateway: Gateway;
  readonly order: PlannedOrder;
  /** Made by the first `save` of the steps. */
  readonly isLate: boolean;
  readonly steps: readonly Step[];
};

/** Decimals of the currencies of the year (ISO 4217; IRT, the toman of Iranian shops, is in no list). */
const decimals: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3, IRT: 0 };

export function decimalText(amount: Minor, currency: string): string {
  const places = decimals[currency] ?? 2;
  const digits = String(amount).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export const minutes = 60_000;
export const days = 24 * 60 * minutes;
