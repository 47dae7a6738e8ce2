import { type Packed, pack, weight } from './codec';
import { listeners } from './dead-letters';
import { BusError } from './errors';
import { type Group, inProcessGroup } from './in-process-group';
import { inProcessRequests } from './in-process-requests';
import { type BusLog, silent } from './log';
import { knownEvent, knownRequest, parseMessage } from './parse';
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
 * The bus inside one process. Messages cross it as JSON, asynchronously: what is published in one turn of the event loop is delivered
 * together in the next. What was parsed on sending is not parsed again on receipt: both ends are the same code. Memory only.
 */
export function inProcessBus(options: InProcessBusOptions = {}): InProcessBus {
  const settings = { ...defaults, ...options };
  const { log } = settings;
  const backoff: Backoff = { first: 50, factor: 2, longest: 5_000, ...options.backoff };
  const groups = new Map<string, Group[]>();
  const published = recentIds(settings.duplicateWindow, settings.duplicateCapacity);
  const deadLetters: DeadLetter[] = [];
  const ears = listeners(log);
  const requests = inProcessRequests(log);
  const dirty = new Set<Group>();
  let state: State = 'open';
  let closing: Promise<void> | undefined;

  const giveUp = (letter: DeadLetter): void => {
    deadLetters.push(letter);
    if (deadLetters.length > settings.keptDeadLetters) deadLetters.shift();
    ears.tell(letter);
  };

  const groupOf = (type: string, name: string | null): Group => {
    const known = groups.get(type) ?? [];
    const found = name === null ? undefined : known.find((group) => group.name === name);
    if (found) return found;
    const { maxDeliver, maxBacklog, maxBacklogBytes } = settings;
    const group = inProcessGroup({ type, name, maxDeliver, backoff, maxBacklog, maxBacklogBytes, log, giveUp });
    groups.set(type, [...known, group]);
    return group;
  };

  const flush = (): void => {
    const due = [...dirty];
    dirty.clear();
    for (const group of due) group.dispatch();
  };

  const deliver = (message: Message, packed: Packed): void => {
    for (const group of groups.get(message.type) ?? []) {
      group.enqueue(message.id, packed);
      if (dirty.size === 0) setImmediate(flush);
      dirty.add(group);
    }
  };

  const refuseOverflow = (parcels: readonly Parcel[]): void => {
    const byType = new Map<string, { count: number; bytes: number }>();
    for (const { message, packed } of parcels) {
      const sum = byType.get(message.type) ?? { count: 0, bytes: 0 };
      byType.set(message.type, { count: sum.count + 1, bytes: sum.bytes + weight(packed) });
    }
    for (const [type, { count, bytes }] of byType) {
      const full = groups.get(type)?.find((group) => group.name !== null && !group.hasRoom(count, bytes));
      if (full) throw new BusError('unavailable', `The backlog of ${full.name} is full (${full.backlog} of ${type}).`);
    }
  };

  const mustBeOpen = (): void => {
    if (state === 'closed') throw new BusError('closed', 'The bus is closed.');
  };

  const shutDown = async (): Promise<void> => {
    const all = [...groups.values()].flat();
    const drain = async (): Promise<void> => {
      flush();
      await Promise.all([...all.map((group) => group.drained()), requests.drained()]);
    };
    await Promise.race([drain(), timeUp(settings.drainTimeout)]);
    state = 'closed';
    for (const group of all) group.drop();
  };

  return {
    publish: async (messages) => {
      mustBeOpen();
      const list = Array.isArray(messages) ? (messages as readonly Message[]) : [messages as Message];
      const parcels = list.map((message): Parcel => {
        const parsed = parseMessage(message);
        return { message: parsed, packed: pack(parsed) };
      });
      refuseOverflow(parcels);
      const now = Date.now();
      for (const { message, packed } of parcels) {
        if (!published.seen(message.id, now)) deliver(message, packed);
      }
    },
    subscribe: async (type, name, handler, { maxBatch = 1, concurrency = 1 }: SubscribeOptions = {}) => {
      mustBeOpen();
      const group = groupOf(knownEvent(type), name);
      const leave = group.join({ handler: handler as unknown as AnyHandler, maxBatch, concurrency });
      group.dispatch();
      return {
        close: async () => {
          if (name === null)
            groups.set(
              type,
              (groups.get(type) ?? []).filter((other) => other !== group),
            );
          await leave();
        },
      };
    },
    request: async (type, input, requestOptions) => {
      mustBeOpen();
      return requests.request(type, input, requestOptions);
    },
    respond: async (type, handler) => {
      mustBeOpen();
      return { close: requests.respond(knownRequest(type), handler as (input: unknown) => Promise<unknown>) };
    },
    onDeadLetter: ears.add,
    status: (): BusStatus => (state === 'open' ? { ok: true } : { ok: false, reason: 'The bus is closed.' }),
    deadLetters: () => deadLetters,
    close: () => {
      if (state === 'open') state = 'closing';
      closing ??= shutDown();
      return closing;
    },
  };
}

type Parcel = { readonly message: Message; readonly packed: Packed };

function timeUp(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref();
  });
}
