import type { EventType, RequestType } from '@order-automation/contracts';
import { type Backoff, defaultBackoff } from './backoff';
import { listeners } from './dead-letters';
import { BusError } from './errors';
import { type Group, newGroup } from './group';
import { type BusLog, silent } from './log';
import type { Bus, BusStatus, DeadLetter, SubscribeOptions, Subscription } from './port';
import { ask, newResponders, respondingTo, type TextResponder } from './requests';
import { type AnyHandler, readingFor, type TextHandler } from './settle';
import { exchangeOf, knownEvent, type Written, writeMessages } from './wire';

export type InProcessBusOptions = {
  /** Failures of a message before it is given up. Default 5. */
  readonly maxDeliver?: number;
  /** Delays between deliveries. Default 100 ms, doubling, at most 30 s. */
  readonly backoff?: Partial<Backoff>;
  /** Milliseconds a handler has before its messages are delivered again. Default 30,000. */
  readonly ackWait?: number;
  /** Messages that may wait for one group; more are refused as `unavailable`. Default 50,000. */
  readonly maxBacklog?: number;
  /** Characters that may wait for one group. Default 64 Mi. */
  readonly maxBacklogSize?: number;
  /** Dead letters kept at most; the oldest go first. Default 1,000. */
  readonly keptDeadLetters?: number;
  /** Milliseconds that `close` gives to what is queued and in flight. Default 5,000. */
  readonly drainTimeout?: number;
  readonly log?: BusLog;
};

export type InProcessBus = Bus & {
  /** The newest dead letters, oldest first. */
  deadLetters(): readonly DeadLetter[];
  /** The same bus for what is written already, as it comes from another thread. */
  readonly texts: {
    publish(messages: readonly Written[]): void;
    subscribe(type: EventType, group: string | null, handler: TextHandler, options: SubscribeOptions): Subscription;
    request(type: RequestType, text: string): Promise<string>;
    respond(type: RequestType, responder: TextResponder): Subscription;
  };
};

const defaults = {
  maxDeliver: 5,
  ackWait: 30_000,
  maxBacklog: 50_000,
  maxBacklogSize: 64 * 1024 * 1024,
  keptDeadLetters: 1_000,
  drainTimeout: 5_000,
  log: silent,
};

/**
 * The bus inside one process. Messages cross it as JSON, asynchronously: what is published in one turn of the event loop is delivered together
 * in the next. Memory only.
 */
export function inProcessBus(options: InProcessBusOptions = {}): InProcessBus {
  const settings = { ...defaults, ...options };
  const { log } = settings;
  const letters = keptLetters(settings.keptDeadLetters, log);
  const backoff = { ...defaultBackoff, ...options.backoff };
  const groups = newGroups({ ...settings, backoff, keep: letters.keep });
  const responders = newResponders();
  let state: 'open' | 'closing' | 'closed' = 'open';
  let closing: Promise<void> | undefined;

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
  const shutDown = async (): Promise<void> => {
    await Promise.race([Promise.all([groups.drained(), responders.idle()]), timeUp(settings.drainTimeout)]);
    state = 'closed';
    groups.drop();
  };

  return {
    texts,
    publish: async (messages) => {
      mustBeOpen();
      texts.publish(writeMessages(messages));
    },
    subscribe: async (type, name, handler, subscribeOptions = {}) =>
      texts.subscribe(type, name, readingFor(knownEvent(type), handler as unknown as AnyHandler), subscribeOptions),
    request: async (type, input, requestOptions = {}) => {
      mustBeOpen();
      return ask(type, input, requestOptions, (text) => responders.ask(type, text));
    },
    respond: async (type, handler) => texts.respond(type, respondingTo(type, handler, log)),
    onDeadLetter: letters.onKept,
    status: (): BusStatus => (state === 'open' ? { ok: true } : { ok: false, reason: 'The bus is closed.' }),
    deadLetters: () => letters.all,
    close: () => {
      if (state === 'open') state = 'closing';
      closing ??= shutDown();
      return closing;
    },
  };
}

type GroupsOptions = Omit<Parameters<typeof newGroup>[0], 'type' | 'name'> & {
  readonly maxBacklog: number;
  readonly maxBacklogSize: number;
};

/** Every group of every event type. */
function newGroups(options: GroupsOptions) {
  const { maxBacklog, maxBacklogSize } = options;
  const groups = new Map<EventType, readonly Group[]>();
  const at = (type: EventType): readonly Group[] => groups.get(type) ?? [];
  const hasRoom = ({ backlog }: Group, all: readonly Written[]): boolean =>
    backlog.count + all.length <= maxBacklog &&
    backlog.size + all.reduce((sum, { text }) => sum + text.length, 0) <= maxBacklogSize;

  const of = (type: EventType, name: string | null): Group => {
    const found = name === null ? undefined : at(type).find((group) => group.name === name);
    if (found) return found;
    const group = newGroup({ ...options, type, name });
    groups.set(type, [...at(type), group]);
    return group;
  };

  return {
    /** All or nothing: a named group without room for its part refuses the whole call. */
    publish: (messages: readonly Written[]): void => {
      const byType = new Map<EventType, Written[]>();
      for (const message of messages) {
        const alike = byType.get(message.type);
        if (alike) alike.push(message);
        else byType.set(message.type, [message]);
      }
      for (const [type, all] of byType) {
        const full = at(type).find((group) => group.name !== null && !hasRoom(group, all));
        if (!full) continue;
        const { name, backlog } = full;
        throw new BusError('unavailable', `The backlog of ${name} is full (${backlog.count} of ${type}).`);
      }
      for (const [type, all] of byType) {
        const items = all.map(({ text }) => ({ text, place: 'unreadable' }));
        for (const group of at(type)) if (group.name !== null || hasRoom(group, all)) group.enqueue(items);
      }
    },
    /** The function returned leaves; a listener without a name is forgotten then, a group stays. */
    join: (type: EventType, name: string | null, member: Parameters<Group['join']>[0]): (() => Promise<void>) => {
      const group = of(type, name);
      const leave = group.join(member);
      return async () => {
        if (name === null) {
          groups.set(
            type,
            at(type).filter((other) => other !== group),
          );
        }
        await leave();
      };
    },
    drained: async (): Promise<void> => {
      await Promise.all([...groups.values()].flat().map((group) => group.drained()));
    },
    drop: (): void => {
      for (const group of [...groups.values()].flat()) group.drop();
    },
  };
}

/** The newest dead letters, and who wants to hear of each. */
function keptLetters(limit: number, log: BusLog) {
  const all: DeadLetter[] = [];
  const hearing = listeners(log);
  const keep = (letter: DeadLetter): boolean => {
    all.push(letter);
    if (all.length > limit) all.shift();
    hearing.tell(letter);
    return true;
  };
  return { all, keep, onKept: hearing.add };
}

function timeUp(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
