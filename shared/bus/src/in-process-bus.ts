import { weightOf } from './copy';
import { listeners } from './dead-letters';
import { BusError } from './errors';
import { inProcessGroups, type Parcel } from './in-process-groups';
import { inProcessRequests } from './in-process-requests';
import { type BusLog, silent } from './log';
import { copyOfMessage, knownEvent, knownRequest, ownMessage } from './parse';
import type { Bus, BusStatus, DeadLetter, Message, SubscribeOptions } from './port';
import { recentIds } from './recent-ids';
import type { AnyHandler, Backoff } from './settle';

export type InProcessBusOptions = {
  /** Deliveries of a message before it is given up. Default 5. */
  readonly maxDeliver?: number;
  /** Delays between deliveries. Default 50 ms, doubling, at most 5 s. */
  readonly backoff?: Partial<Backoff>;
  /** Messages that may wait for one group; more are refused as `unavailable`. Default 50,000. */
  readonly maxBacklog?: number;
  /** Bytes that may wait for one group. Default 64 MiB. */
  readonly maxBacklogBytes?: number;
  /** Milliseconds in which an id is remembered. Default 10 minutes. */
  readonly duplicateWindow?: number;
  /** Ids remembered at most. Default 100,000. */
  readonly duplicateCapacity?: number;
  /** Dead letters kept at most; the oldest go first. Default 1,000. */
  readonly keptDeadLetters?: number;
  /** Milliseconds that `close` gives to what is queued and in hand. Default 5,000. */
  readonly drainTimeout?: number;
  readonly log?: BusLog;
};

export type InProcessBus = Bus & {
  /** Publishes what another thread has checked and written down. */
  publishParcels(parcels: readonly Parcel[]): Promise<void>;
  /** The newest dead letters, oldest first. */
  deadLetters(): readonly DeadLetter[];
};

const defaults = {
  maxDeliver: 5,
  maxBacklog: 50_000,
  maxBacklogBytes: 64 * 1024 * 1024,
  duplicateWindow: 10 * 60_000,
  duplicateCapacity: 100_000,
  keptDeadLetters: 1_000,
  drainTimeout: 5_000,
  log: silent,
};

type State = 'open' | 'closing' | 'closed';

/**
 * The bus inside one process. Messages cross it as copies, which hold what JSON would, asynchronously: what is published in one turn
 * of the event loop is delivered together in the next. Memory only.
 */
export function inProcessBus(options: InProcessBusOptions = {}): InProcessBus {
  const settings = { ...defaults, ...options };
  const { log } = settings;
  const backoff: Backoff = { first: 50, factor: 2, longest: 5_000, ...options.backoff };
  const published = recentIds(settings.duplicateWindow, settings.duplicateCapacity);
  const letters = keptLetters(settings.keptDeadLetters, log);
  const groups = inProcessGroups({ ...settings, backoff, giveUp: letters.keep });
  const requests = inProcessRequests(log);
  let state: State = 'open';
  let closing: Promise<void> | undefined;

  const mustBeOpen = (): void => {
    if (state === 'closed') throw new BusError('closed', 'The bus is closed.');
  };

  const take = (parcels: readonly Parcel[]): void => {
    mustBeOpen();
    groups.refuseOverflow(parcels);
    const now = Date.now();
    for (const parcel of parcels) {
      if (!published.seen(`${parcel.type}/${parcel.id}`, now)) groups.deliver(parcel);
    }
  };

  const shutDown = async (): Promise<void> => {
    await Promise.race([Promise.all([groups.drained(), requests.drained()]), timeUp(settings.drainTimeout)]);
    state = 'closed';
    groups.drop();
  };

  return {
    publish: async (messages) => {
      mustBeOpen();
      take(parcelsOf(messages));
    },
    publishParcels: async (parcels) => take(parcels),
    subscribe: async (type, name, handler, { maxBatch = 1, concurrency = 1 }: SubscribeOptions = {}) => {
      mustBeOpen();
      const group = groups.of(knownEvent(type), name);
      const leave = group.join({ handler: handler as unknown as AnyHandler, maxBatch, concurrency });
      group.dispatch();
      const close = async (): Promise<void> => {
        if (name === null) groups.remove(type, group);
        await leave();
      };
      return { close };
    },
    request: async (type, input, requestOptions) => {
      mustBeOpen();
      return requests.request(type, input, requestOptions);
    },
    respond: async (type, handler, respondOptions) => {
      mustBeOpen();
      const answer = handler as (input: unknown) => Promise<unknown>;
      return { close: requests.respond(knownRequest(type), answer, respondOptions) };
    },
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

function parcelsOf(messages: Message | readonly Message[]): Parcel[] {
  const list = Array.isArray(messages) ? (messages as readonly Message[]) : [messages as Message];
  return list.map((message) => {
    const copy = ownMessage(message);
    return { type: copy.type, id: copy.id, weight: weightOf(copy), open: () => copyOfMessage(copy) };
  });
}

/** The newest dead letters, and who wants to hear of each. */
function keptLetters(limit: number, log: BusLog) {
  const all: DeadLetter[] = [];
  const ears = listeners(log);
  const keep = (letter: DeadLetter): void => {
    all.push(letter);
    if (all.length > limit) all.shift();
    ears.tell(letter);
  };
  return { all, keep, onKept: ears.add };
}

function timeUp(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
