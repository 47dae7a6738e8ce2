import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import {
  type EventDone,
  isoTime,
  type ReceivedWebhook,
  type RuleVersionName,
  type UniversalEvent,
} from '@order-automation/contracts';
import headers from './kept-headers.json';
import type { Use } from './quota';

/**
 * Milliseconds after which the relay looks at what the fast path should have finished: more than a burst takes to be worked off, because
 * what is published again only makes a queue longer.
 */
export const firstDelay = 15_000;

/**
 * `verifying`: the wallet has not confirmed it yet. `held`: its gateway or connection is paused. `accepted`: on its way to evaluation until that
 * reports `done` or `dead`. `waiting`: evaluation waits for something, usually its order. `refused`: kept, and never evaluated.
 */
export type InboxState = 'verifying' | 'held' | 'accepted' | 'waiting' | 'done' | 'dead' | 'refused';

/** decisions.md section 6: milliseconds in which a key is not accepted again. */
export const keyLifetime = 35 * 24 * 60 * 60_000;

/** States of events that evaluation has still to finish. */
export const openStates: readonly InboxState[] = ['accepted', 'waiting'];
export const finishedStates: readonly InboxState[] = ['done', 'dead', 'refused'];

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** What is kept of a webhook besides its event and its body. */
export type StoredWebhook = {
  readonly connection: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_bytes: number;
  /** SHA-256 in hex; absent of what earlier versions received. */
  readonly body_sha256?: string;
  readonly metadata: Metadata;
};

/** What became of one event: small, because it is rewritten. Times are ISO 8601 UTC; `_id` is the id of the event and sorts by arrival. */
export type InboxDocument = {
  readonly _id: string;
  /** The id: an index of b457727 makes it unique. */
  readonly key: string;
  readonly state: InboxState;
  /** `gateway_card`, `generic/erp`: what is paused and counted. */
  readonly endpoint: string;
  /** As in its payload, to filter by. */
  readonly gateway: string;
  readonly event_type: string;
  readonly process_id: string;
  /** Bytes that count for the quota of webhooks that nothing proves. */
  readonly quota_bytes?: number | undefined;
  /** The total that they count for; without it, `unauthenticated`. */
  readonly quota_total?: string | undefined;
  /** Its webhook had never arrived: its gateway was asked for it. */
  readonly recovered?: true | undefined;
  /** The gateway confirmed it after it was stored. */
  readonly confirmed?: true;
  /** When it is published again, or asked about again; absent when nothing more is to be done. */
  readonly due_at?: string | undefined;
  /** How often the relay has published it or asked about it. */
  readonly attempts: number;
  /** What evaluation waits for, and until when. */
  readonly waiting_for?: string;
  readonly waiting_until?: string;
  readonly order_id?: number;
  readonly outcome?: EventDone['outcome'];
  /** The event that this one repeats, and how often an event was repeated. */
  readonly replay_of?: string | undefined;
  readonly replayed_at?: string | undefined;
  readonly replays?: number;
  /** Versions of the rules that a replay is to be evaluated with; without them the rules as they are. */
  readonly rules?: readonly RuleVersionName[] | undefined;
  /** Why it is dead or refused, as the log says it. */
  readonly reason?: string | undefined;
  readonly done_at?: string;
};

/** What a webhook and its event are, as they came. The body is the received bytes: as text where they are UTF-8, else in base64. */
type Received = {
  readonly event: UniversalEvent;
  readonly webhook: StoredWebhook;
  /** Of several events of one webhook the first has it, and a replay has none. */
  readonly body?: string | undefined;
  readonly body_encoding?: 'base64' | undefined;
};

/** The state in which an event is stored: its inbox document follows from it. */
type InitialState = {
  /** The idempotency key: unique. */
  readonly key: string;
  readonly process_id: string;
  readonly endpoint: string;
  /** Absent: accepted. */
  readonly begins?: InboxState | undefined;
} & Pick<InboxDocument, 'replay_of' | 'replayed_at' | 'rules' | 'reason' | 'quota_bytes' | 'quota_total'>;

/** One event with the webhook that brought it, as they were stored: only an erasure changes it. */
export type PayloadDocument = { readonly _id: string } & Received & InitialState;

/** An event with all that is kept of it, its body excepted unless it was asked for. */
export type InboxEvent = InboxDocument & Received;

/** The event as it counts now: one that was confirmed later is authenticated. */
export function joined(
  document: InboxDocument,
  { event, webhook, key, body, body_encoding }: PayloadDocument,
): InboxEvent {
  const joint: InboxEvent = {
    ...document,
    key,
    event: document.confirmed ? { ...event, authenticated: true } : event,
    webhook,
  };
  return body === undefined ? joint : { ...joint, body, ...(body_encoding !== undefined && { body_encoding }) };
}

/** The event as it is stored when it comes. One literal, and so is the next: these run once for every webhook. */
export function payloadOf(one: InboxEvent): PayloadDocument {
  const { _id, key, process_id, endpoint, state, replay_of, rules, reason, event, webhook, body, body_encoding } = one;
  const { quota_bytes, quota_total, replayed_at } = one;
  const begins = state === 'accepted' ? undefined : state;
  const initial = { process_id, endpoint, begins, replay_of, replayed_at, rules, reason, quota_bytes, quota_total };
  return { _id, key, ...initial, event, webhook, body, body_encoding };
}

export function documentOf(one: InboxEvent): InboxDocument {
  const { _id, state, endpoint, gateway, event_type, process_id, quota_bytes, quota_total, due_at, attempts } = one;
  const { replay_of, replayed_at, rules, reason, event } = one;
  const recovered = event.channel === 'recovered' && replay_of === undefined ? (true as const) : undefined;
  const fixed = { _id, key: _id, endpoint, gateway, event_type, process_id, recovered };
  return { ...fixed, state, quota_bytes, quota_total, due_at, attempts, replay_of, replayed_at, rules, reason };
}

/** The inbox document of an event whose process ended before it was written. */
export function acceptedWithoutDocument(payload: PayloadDocument): InboxDocument {
  const { begins: state = 'accepted', event } = payload;
  const { sourceGateway: gateway, eventType: event_type } = event;
  const isDue = state === 'accepted' || state === 'verifying';
  const due_at = isDue ? isoTime(Date.parse(event.receivedAt) + firstDelay) : undefined;
  return documentOf({ ...payload, state, gateway, event_type, due_at, attempts: 0 });
}

/** What its body counts for, negative: it counts no more. */
export const quotaReleased = ({ quota_bytes = 0, quota_total = 'unauthenticated' }: InboxDocument): Use => ({
  total: quota_total,
  bytes: -quota_bytes,
});

/** Headers that are kept with an accepted webhook; what is not named here may be a secret. */
const keptHeaders: ReadonlySet<string> = new Set(headers);

type Accepted = {
  readonly events: readonly UniversalEvent[];
  readonly metadata: Metadata;
  /** Nothing proves it, for now or ever: the total that its bytes count for. */
  readonly quotaTotal?: string | null;
};

/** A webhook's events as they are stored; of a refused one the body is not. `now` in milliseconds since the epoch. No spreads: this runs for every webhook. */
export function inboxEvents(
  webhook: ReceivedWebhook,
  { events, metadata, quotaTotal = null }: Accepted,
  state: InboxState,
  now: number,
): InboxEvent[] {
  const received = {
    connection: webhook.connection,
    headers: headersOf(webhook),
    body_bytes: webhook.body.length,
    body_sha256: hash('sha256', webhook.body, 'hex'),
    metadata,
  };
  return events.map((event, index) => {
    const document: InboxEvent = {
      _id: event.id,
      key: event.idempotencyKey,
      state,
      endpoint: endpointOf(webhook),
      gateway: webhook.gateway,
      event_type: event.eventType,
      process_id: webhook.process_id,
      event,
      webhook: received,
      ...(index === 0 && state !== 'refused' ? storedBody(webhook.body) : {}),
      ...(index === 0 && quotaTotal !== null ? { quota_bytes: webhook.body.length, quota_total: quotaTotal } : {}),
      ...(state === 'accepted' || state === 'verifying' ? { due_at: isoTime(now + firstDelay) } : {}),
      attempts: 0,
    };
    return document;
  });
}

/** `gateway_card`, `generic`, `generic/erp`. */
export const endpointOf = ({ gateway, connection }: Pick<ReceivedWebhook, 'gateway' | 'connection'>): string =>
  connection === null ? gateway : `${gateway}/${connection}`;

function storedBody(body: Uint8Array): Pick<PayloadDocument, 'body' | 'body_encoding'> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes) ? { body: bytes.toString('utf8') } : { body: bytes.toString('base64'), body_encoding: 'base64' };
}

export function bodyBytes({
  body = '',
  body_encoding = undefined,
}: Pick<PayloadDocument, 'body' | 'body_encoding'>): Buffer {
  return Buffer.from(body, body_encoding ?? 'utf8');
}

function headersOf({ headers }: ReceivedWebhook): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = keptHeaders.has(name) ? headers[name]?.[0] : undefined;
    if (value !== undefined) kept[name] = value.slice(0, 500);
  }
  return kept;
}
