import {
  type EventDescription,
  type GenericType,
  genericTypeSchema,
  type UniversalEvent,
} from '@order-automation/contracts';
import type { Connection, LiveSecret, Reading } from './connection';
import type { Parsed, Payload } from './payload';
import type { Refusal } from './refusal';

/**
 * A webhook before its sender is proven. Header names are in lower case and keep every value of a repeated header. `payload` is parsed when an adapter reads
 * it (specification 6.4 has it in every input); undefined where the body cannot be parsed.
 */
export type RawInput = {
  readonly payload?: Payload | undefined;
  readonly connection: string | null;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
  /** Milliseconds since the epoch. */
  readonly now: number;
};

/** What a webhook is judged by besides its bytes and the adapter's own settings. */
export type Context = {
  /** The connection that was addressed, with its secrets; null at the gateway's own address. */
  readonly connection: Connection | null;
  /** The other connections, for the diagnosis of a refusal alone: their secrets never accept anything. */
  readonly otherConnections: () => readonly Connection[];
  /** False: the sender has used up its limit of webhooks that prove nothing. A refusal needs no diagnosis then, and nobody is asked. */
  readonly withinRate: boolean;
  /** Set by the test route alone, for this one webhook: what proves it besides the configured secrets. */
  readonly testProof: string | null;
};

export type AdapterInput = RawInput & { readonly context: Context; readonly payload: Payload };

/** What an adapter makes of a payload; intake adds ids, times and the idempotency key. */
export type NormalizedEvent = Omit<
  UniversalEvent,
  'id' | 'sourceGateway' | 'channel' | 'receivedAt' | 'idempotencyKey' | 'authenticated' | 'isTest'
>;

/** What an adapter has to say of an event: the fields of specification 2.6. Intake completes the others. */
export type AdapterEvent = Pick<NormalizedEvent, 'eventType'> &
  Partial<Omit<NormalizedEvent, 'eventType' | 'amount' | 'orderReference'>> & {
    /** Any of the ways to find the order; without one it is found by the transaction, or by the primary object where that is an order. */
    readonly orderReference?: Partial<NormalizedEvent['orderReference']>;
    /** Decimal text or a number; read as every amount is, unless the adapter says what is wrong with it. */
    readonly amount?: string | number | null;
    /** Known to intake, and ignored. */
    readonly sourceGateway?: string;
    readonly rawData?: unknown;
  };

export type Proof =
  /** `singleUse`: an id that may come with this body alone, whatever the signature says. `secret`: the id of the secret that signed. */
  | { readonly kind: 'authentic'; readonly singleUse?: string; readonly secret?: string }
  /** Nothing proves it and nothing has to. */
  | { readonly kind: 'unauthenticated' }
  /** Stored and asked again later: nothing is evaluated before `confirm` answers. */
  | { readonly kind: 'verifying' }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Specification 6.4 has a boolean: true is authentic, false is refused without a diagnosis. */
export type Authenticity = boolean | Proof;

export type AdapterStatus =
  | { readonly active: true; readonly warning?: string; readonly permissive?: boolean }
  | { readonly active: false; readonly reason: string };

export type SampleOrder = {
  readonly id: string;
  readonly total: string;
  readonly currency: string;
  readonly transaction: string;
};

export type SampleWebhook = {
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Buffer;
  /** For `Context.testProof`. */
  readonly testProof: string | null;
};

/**
 * One gateway (specification 6.4). An adapter sees only what was posted to its own address. All functions are pure but for their
 * configuration, and all but `validateAuthenticity` and `confirm` are synchronous. What one throws refuses the webhook.
 */
export interface GatewayAdapter<Event extends AdapterEvent = AdapterEvent> {
  /** Key of the gateway in the address, for example `gateway_card`. */
  readonly gateway: string;
  /** What administrators read; the key of the gateway where it is missing. */
  readonly displayName?: string;
  readonly description?: string;
  readonly version?: string;
  /** What it can do, as the listing of gateways shows it. */
  readonly capabilities?: readonly string[];
  /** `now` in milliseconds since the epoch. */
  status?(now: number): AdapterStatus;
  /** All ids of the adapter, in its own words. */
  getSupportedEventTypes(): readonly string[];
  /** Label and meaning of each of its ids; ids without a description are shown as they are. */
  readonly eventTypes?: Readonly<Record<string, EventDescription>>;
  /** How its references to orders are read, whatever the settings say; for a sender whose references are all of one kind. */
  readonly reading?: Reading;
  /** Whether nothing will have proved the webhook when it is stored. Asked first: its bytes must fit into a quota. */
  isUnauthenticated?(input: RawInput, context: Context): boolean;
  /** Whether it is only the sender's trial of the address: answered, and no event. Asked before the proof. */
  isPing?(input: RawInput): boolean;
  /** Judges the received bytes, before anything is parsed. */
  validateAuthenticity(input: RawInput, context: Context): Authenticity | Promise<Authenticity>;
  /** Asks again about a webhook that was `verifying`; undefined: no answer yet. */
  confirm?(body: Buffer): Promise<boolean | undefined>;
  /** Reads the body; JSON where the adapter has no `parse` of its own. */
  parse?(input: RawInput): Parsed;
  /** Whether the payload has the shape of this gateway's events. Asked after the authenticity is settled. */
  canHandle(input: AdapterInput): boolean;
  /** Why an authentic webhook takes no effect; it is kept and refused. */
  objection?(input: AdapterInput): Refusal | undefined;
  /** The events in the payload; none when there is nothing to record. */
  normalize(input: AdapterInput): readonly Event[];
  /** The same for every copy of one webhook, and for no other. */
  computeIdempotencyKey(input: AdapterInput): string;
  /** The key that the version before gave the same webhook, where it was another one: a copy of a stored event is recognised by it. */
  earlierKey?(input: AdapterInput): string | undefined;
  extractTransactionId(payload: Payload): string | null;
  /** What the log shows besides the universal event: short scalars, nothing secret or personal. */
  extractGatewaySpecificMetadata(input: AdapterInput): Readonly<Record<string, string | number | boolean>>;
  /** The generic type of one of the gateway's own ids; null, or any other text, when there is no counterpart. */
  mapEventType(eventType: string): string | null;
  /** A webhook of this type, signed as the sender would; undefined when nothing can be signed. Without it the gateway has no test route. */
  sample?(eventType: string, order: SampleOrder, now: number, context: Context): SampleWebhook | undefined;
  /** Why `sample` can sign nothing although the gateway is active. */
  readonly unsigned?: string;
  /** The same without a proof, so that nothing has to be configured: what a simulation reads. Without it, `sample` is asked. */
  draft?(eventType: string, order: SampleOrder, now: number): Pick<SampleWebhook, 'headers' | 'body'>;
}

export const displayNameOf = ({ displayName, gateway }: Pick<GatewayAdapter, 'displayName' | 'gateway'>): string =>
  displayName ?? gateway;

/** The generic type of one of the gateway's own ids, which may stand in the form `payment.<gateway>.<id>` of the specification. */
export function genericTypeOf(adapter: Pick<GatewayAdapter, 'mapEventType'>, eventType: string): GenericType | null {
  for (const id of new Set([eventType, eventType.replace(/^payment\.[^.]+\./, '')])) {
    const mapped = genericTypeSchema.safeParse(adapter.mapEventType(id));
    if (mapped.success) return mapped.data;
  }
  return null;
}

export const authentic: Proof = { kind: 'authentic' };

export const provedBy = ({ id }: Pick<LiveSecret, 'id'>): Proof =>
  id === undefined ? authentic : { kind: 'authentic', secret: id };

export const refused = (refusal: Refusal): Proof => ({ kind: 'refused', refusal });
