import type { Backoff } from '@order-automation/base';
import type {
  EventType,
  Message,
  MessageData,
  RequestInput,
  RequestOutput,
  RequestType,
} from '@order-automation/contracts';

/** What happened to one message of a batch. A handler that resolves with nothing has done them all. */
export type Settlement =
  | { readonly kind: 'done' }
  | { readonly kind: 'retry'; readonly error: unknown }
  | { readonly kind: 'reject'; readonly reason: string; readonly error?: unknown };

/**
 * Handles what was delivered, up to `maxBatch` messages, oldest first. Resolve with nothing: all are done. Throw: all are retried with backoff (a
 * RejectError: all are given up). Resolve with one Settlement per message, in order, to settle each by itself.
 */
export type BatchHandler<T extends EventType> = (
  messages: readonly Message<T>[],
) => Promise<void | readonly Settlement[]>;

export type Subscription = { close(): Promise<void> };

export type SubscribeOptions = {
  /** Most messages handed over at once. Default 1. */
  readonly maxBatch?: number;
  /** Batches in flight at once. Default 1. */
  readonly concurrency?: number;
};

export type RequestOptions = {
  /** Milliseconds until the request fails with BusError code `timeout`. Default 2,500. */
  readonly timeout?: number;
};

/**
 * How services talk. Every adapter keeps these guarantees (test/conformance proves them on each):
 *
 * - Events are delivered at least once to every group that is known at the time of publishing; members of a group share the work.
 *   The first `subscribe` of a group makes it known; with NATS it stays known while no member runs. Nothing is deduplicated: what is
 *   published twice is delivered twice, and handlers are idempotent. No group holds up another: one that is behind by more than the bus has room for
 *   misses messages, which their publisher's store publishes again.
 * - Group null: every such subscriber gets its own copy while it is connected, without redelivery. For news that every
 *   process wants to hear (a cache is stale).
 * - A handler that throws gets the message again after 100 ms, then after twice as long each time, up to 30 s. After `maxDeliver` failures,
 *   and at once for a RejectError or a message that does not parse, the message is given up, with a line in the log. A failure because something is
 *   unavailable (`retryOf`: later) does not count: such a message is retried for ever. Others of its batch are not held up.
 * - A handler has `ackWait` milliseconds for a batch. After that it has failed, and its messages are delivered again.
 * - Messages of one publisher and type reach a group in the order of publishing, as long as none is retried and one handler runs at a time.
 * - `publish` resolves when the bus has taken the messages, which is no promise that it keeps them: the stores hold the truth.
 * - Requests are answered by one responder of the type, or fail with a BusError: `no_responder`, `timeout`, `unavailable`, `too_large`;
 *   or with the responder's own ServiceError, its code, status and data unchanged. The timeout is counted where the caller is.
 * - What arrives is what JSON carries (bytes as base64), and belongs to the receiver alone: it crosses as text, also within a thread, and is parsed by its
 *   schema when sent and when received.
 * - `close` stops taking messages, waits for handlers in flight, sends what is buffered, and is idempotent.
 */
export interface Bus {
  publish(messages: Message | readonly Message[]): Promise<void>;
  subscribe<T extends EventType>(
    type: T,
    group: string | null,
    handler: BatchHandler<T>,
    options?: SubscribeOptions,
  ): Promise<Subscription>;
  request<T extends RequestType>(type: T, input: RequestInput<T>, options?: RequestOptions): Promise<RequestOutput<T>>;
  respond<T extends RequestType>(
    type: T,
    handler: (input: RequestInput<T>) => Promise<RequestOutput<T>>,
  ): Promise<Subscription>;
  /** Whether messages can be sent now; `reason` may be shown to an operator. */
  status(): BusStatus;
  close(): Promise<void>;
}

export type BusStatus = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export type { EventType, Message, MessageData, RequestInput, RequestOutput, RequestType };

/** The log of an adapter; a pino logger fits. */
export type BusLog = {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
};

/** How an adapter delivers. */
export type DeliveryOptions = {
  /** Failures of a message before it is given up. Default 5. */
  readonly maxDeliver?: number;
  /** Delays between deliveries. Default 100 ms, doubling, at most 30 s. */
  readonly backoff?: Partial<Backoff>;
  /** Milliseconds a handler has before its messages are delivered again; NATS then hands on what a silent process held. Default 30,000. */
  readonly ackWait?: number;
  readonly log?: BusLog;
};

const ignore = (): void => undefined;

export const silent: BusLog = { info: ignore, warn: ignore, error: ignore };
