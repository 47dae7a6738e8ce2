import type { EventDone, RuleVersionName, UniversalEvent } from '@order-automation/contracts';

/**
 * `verifying`: the wallet has not confirmed it yet. `held`: its gateway or connection is paused. `accepted`: on its way to evaluation until that
 * reports `done` or `dead`. `waiting`: evaluation waits for something, usually its order. `refused`: kept, and never evaluated.
 */
export type InboxState = 'verifying' | 'held' | 'accepted' | 'waiting' | 'done' | 'dead' | 'refused';

/** States of events that evaluation has still to finish. */
export const openStates: readonly InboxState[] = ['accepted', 'waiting'];
/** States that are final. */
export const finishedStates: readonly InboxState[] = ['done', 'dead', 'refused'];

export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** What is kept of a webhook besides its event and its body. */
export type StoredWebhook = {
  readonly connection: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_bytes: number;
  readonly metadata: Metadata;
  /** The span of its reception, where that was traced. */
  readonly traceparent?: string;
};

/**
 * What became of one event: small, because it is rewritten. Times are ISO 8601 UTC; `_id` is the id of the event and sorts by arrival.
 */
export type InboxDocument = {
  readonly _id: string;
  /** The idempotency key. */
  readonly key: string;
  readonly state: InboxState;
  /** `gateway_card`, `generic/erp`: what is paused and counted. */
  readonly endpoint: string;
  /** As in its payload, to filter by. */
  readonly gateway: string;
  readonly event_type: string;
  readonly process_id: string;
  /** Bytes that count for the quota of webhooks that nothing proves. */
  readonly quota_bytes?: number;
  /** The gateway confirmed it after it was stored. */
  readonly confirmed?: true;
  /** When it is published again, or asked about again; absent when nothing more is to be done. */
  readonly due_at?: string;
  /** How often the relay has published it or asked about it. */
  readonly attempts: number;
  /** What evaluation waits for, and until when. */
  readonly waiting_for?: string;
  readonly waiting_until?: string;
  readonly order_id?: number;
  readonly outcome?: EventDone['outcome'];
  /** The event that this one repeats, and how often an event was repeated. */
  readonly replay_of?: string;
  readonly replays?: number;
  /** Versions of the rules that a replay is to be evaluated with; without them the rules as they are. */
  readonly rules?: readonly RuleVersionName[];
  /** Why it is dead or refused, as the log says it. */
  readonly reason?: string;
  readonly done_at?: string;
};

/**
 * One event with the webhook that brought it, as they were stored: only an erasure changes it. The body is the received bytes: as text where they
 * are UTF-8, else in base64; of several events of one webhook the first has it, and a replay has none.
 */
export type PayloadDocument = {
  readonly _id: string;
  readonly event: UniversalEvent;
  readonly webhook: StoredWebhook;
  readonly body?: string;
  readonly body_encoding?: 'base64';
};

/** An event with all that is kept of it, its body excepted unless it was asked for. */
export type InboxEvent = InboxDocument & PayloadDocument;

/** The event as it counts now: one that was confirmed later is authenticated. */
export function joined(document: InboxDocument, payload: PayloadDocument): InboxEvent {
  const event = document.confirmed ? { ...payload.event, authenticated: true } : payload.event;
  return { ...payload, ...document, event };
}

/** The two documents that an event is stored as. */
export function split({ event, webhook, body, body_encoding, ...document }: InboxEvent): {
  readonly document: InboxDocument;
  readonly payload: PayloadDocument;
} {
  const payload = {
    _id: document._id,
    event,
    webhook,
    ...(body !== undefined && { body }),
    ...(body_encoding !== undefined && { body_encoding }),
  };
  return { document, payload };
}
