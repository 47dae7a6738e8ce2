import type { GenericType, UniversalEvent } from '@order-automation/contracts';
import type { Payload } from '../payload';
import type { Refusal } from '../refusal';

/** A webhook before anybody believes it. Header names are in lower case and keep every value of a repeated header. */
export type RawInput = {
  readonly connection: string | null;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** An authentic webhook with its parsed payload. */
export type AdapterInput = RawInput & { readonly payload: Payload };

/** What an adapter makes of a payload; the intake adds ids, times and the idempotency key. */
export type NormalizedEvent = Omit<
  UniversalEvent,
  'id' | 'sourceGateway' | 'channel' | 'receivedAt' | 'idempotencyKey' | 'authenticated' | 'isTest'
>;

/** True: proven. `permitted`: nothing proves it and nothing has to. False or a refusal: not believed. */
export type Authenticity = boolean | 'permitted' | Refusal;

export type AdapterStatus = { readonly active: true } | { readonly active: false; readonly reason: string };

/**
 * One gateway (section 6.4 of the specification). An adapter sees only what was posted to its own address; all functions are
 * synchronous and pure but for their configuration. What one throws refuses the webhook.
 */
export interface GatewayAdapter {
  /** Key of the gateway in the address, for example `gateway_card`. */
  readonly gateway: string;
  readonly displayName: string;
  status(): AdapterStatus;
  /** All ids of the adapter, in its own words. */
  getSupportedEventTypes(): readonly string[];
  /** Whether the payload has the shape of this gateway's events. Asked after the authenticity is settled. */
  canHandle(input: AdapterInput): boolean;
  /** Judges the received bytes, before anything is parsed. */
  validateAuthenticity(input: RawInput): Authenticity;
  /** The events in the payload; none when there is nothing to record. */
  normalize(input: AdapterInput): readonly NormalizedEvent[];
  /** The same for every copy of one webhook, and for no other. */
  computeIdempotencyKey(input: AdapterInput): string;
  extractTransactionId(payload: Payload): string | null;
  /** What the log shows besides the universal event: short scalars, nothing secret or personal. */
  extractGatewaySpecificMetadata(input: AdapterInput): Readonly<Record<string, string | number | boolean>>;
  /** The generic type of one of the gateway's own ids; null when there is no counterpart. */
  mapEventType(eventType: string): GenericType | null;
}
