import { setTimeout as sleep } from 'node:timers/promises';
import { defaultBackoff, once } from '@order-automation/base';
import type { EventType, RequestType } from '@order-automation/contracts';
import { BusError } from '../errors';
import {
  type Bus,
  type BusStatus,
  type DeliveryOptions,
  type SubscribeOptions,
  type Subscription,
  silent,
} from '../port';
import { ask, newResponders, type Responder, respondingTo } from '../requests';
import { type AnyHandler, readingFor, type TextHandler } from '../settle';
import { exchangeOf, knownEvent, type Written, writeMessages } from '../wire';
import { newGroups } from './in-process-groups';

export type InProcessBusOptions = DeliveryOptions & {
  /** Messages that may wait for one group; it misses more, which are refused as `unavailable` where no other group takes them. Default 50,000. */
  readonly maxBacklog?: number;
  /** Characters that may wait for one group. Default 64 Mi. */
  readonly maxBacklogSize?: number;
  /** Milliseconds that `close` gives to what is queued and in flight. Default 5,000. */
  readonly drainTimeout?: number;
};

export type InProcessBus = Bus & {
  /** The same bus for what is written already, as it comes from another thread. */
  readonly texts: {
    publish(messages: readonly Written[]): void;
    subscribe(type: EventType, group: string | null, handler: TextHandler, options: SubscribeOptions): Subscription;
    request(type: RequestType, text: string): Promise<string>;
    respond(type: RequestType, responder: Responder): Subscription;
  };
};

const defaults = {
  maxDeliver: 5,
  ackWait: 30_000,
  maxBacklog: 50_000,
  maxBacklogSize: 64 * 1024 * 1024,
  drainTimeout: 5_000,
  log: silent,
};

/**
 * The bus inside one process. Events cross it as JSON, asynchronously: what is published in one turn of the event loop is delivered together
 * in the next. Requests and their answers cross as JSON, too. Memory only.
 */
export function inProcessBus(options: InProcessBusOptions = {}): InProcessBus {
  const settings = { ...defaults, ...options, backoff: { ...defaultBackoff, ...options.backoff } };
  const { log, drainTimeout } = settings;
  const groups = newGroups(settings);
  const responders = newResponders();
  let state: 'open' | 'closing' | 'closed' = 'open';

  const mustBeOpen = (): void => {
    if (state === 'closed') throw new BusError('closed', 'The bus is closed.');
  };
  const texts: InProcessBus['texts'] = {
    publish: (messages) => {
      mustBeOpen();
      groups.publish(messages);
    },
    subscribe: (type, name, handler, { maxBatch = 1, concurrency = 1 }) => {
      mustBeOpen();
      return { close: groups.join(knownEvent(type), name, { handler, maxBatch, concurrency }) };
    },
    request: async (type, text) => {
      mustBeOpen();
      return responders.ask(type, text);
    },
    respond: (type, responder) => {
      mustBeOpen();
      exchangeOf(type);
      return { close: responders.add(type, responder) };
    },
  };
  const close = once(async () => {
    state = 'closing';
    await Promise.race([
      Promise.all([groups.drained(), responders.idle()]),
      sleep(drainTimeout, undefined, { ref: false }),
    ]);
    state = 'closed';
    groups.drop();
  });
  return {
    texts,
    close,
    publish: async (messages) => texts.publish(writeMessages(messages)),
    subscribe: async (type, name, handler, subscribeOptions = {}) =>
      texts.subscribe(type, name, readingFor(knownEvent(type), handler as unknown as AnyHandler), subscribeOptions),
    request: (type, input, requestOptions = {}) =>
      ask(type, input, requestOptions, (text) => texts.request(type, text)),
    respond: async (type, handler) => texts.respond(type, respondingTo(type, handler, log)),
    status: (): BusStatus => (state === 'open' ? { ok: true } : { ok: false, reason: 'The bus is closed.' }),
  };
}
