import { newCrew } from './crew';
import type { Parcel } from './in-process-groups';
import type { BusLog } from './log';
import type { DeadLetter, Message } from './port';
import { type AnyHandler, type Backoff, type Disposition, delayAfter, settleBatch, textOf } from './settle';

type Delivery = { readonly parcel: Parcel; attempts: number };

export type Member = {
  readonly handler: AnyHandler;
  readonly maxBatch: number;
  readonly concurrency: number;
};

export type GroupOptions = {
  readonly type: string;
  /** Null: a listener of its own, for whom messages beyond the bounds are dropped (the port's broadcast). */
  readonly name: string | null;
  readonly maxDeliver: number;
  readonly backoff: Backoff;
  readonly maxBacklog: number;
  readonly maxBacklogBytes: number;
  readonly log: BusLog;
  readonly giveUp: (letter: DeadLetter) => void;
};

/** One group of one event type: what waits for it, and who shares the work. */
export type Group = {
  readonly name: string | null;
  readonly backlog: number;
  /** Whether it can take so much more without growing past its bounds. */
  hasRoom(messages: number, bytes: number): boolean;
  enqueue(parcel: Parcel): void;
  /** Hands out what waits, as far as members are free. */
  dispatch(): void;
  /** The function returned removes the member and waits for what it has in hand. */
  join(member: Member): () => Promise<void>;
  /** Resolves when nothing is in hand and nothing waits that a member could take. Delayed retries are not waited for. */
  drained(): Promise<void>;
  /** Drops what waits and what is delayed. */
  drop(): void;
};

type Outcome = { readonly delivery: Delivery; readonly message: Message; readonly disposition: Disposition };

export function inProcessGroup(options: GroupOptions): Group {
  const { name, maxBacklog, maxBacklogBytes } = options;
  const crew = newCrew<Delivery>();
  const delays = newDelays((deliveries: readonly Delivery[]) => {
    for (const delivery of deliveries) crew.add(delivery);
    crew.dispatch();
  });
  let backlog = 0;
  let bytes = 0;

  const hasRoom = (count: number, size: number): boolean =>
    backlog + count <= maxBacklog && bytes + size <= maxBacklogBytes;

  const work = async (handler: AnyHandler, deliveries: readonly Delivery[]): Promise<void> => {
    const retried = await deliver(handler, deliveries, options);
    for (const [delay, again] of byDelay(retried, options)) delays.add(delay, again);
    backlog -= deliveries.length - retried.length;
    for (const { parcel } of deliveries) bytes -= parcel.weight;
    for (const { parcel } of retried) bytes += parcel.weight;
  };

  return {
    name,
    get backlog() {
      return backlog;
    },
    hasRoom,
    enqueue: (parcel) => {
      if (name === null && !hasRoom(1, parcel.weight)) return;
      backlog += 1;
      bytes += parcel.weight;
      crew.add({ parcel, attempts: 0 });
    },
    dispatch: crew.dispatch,
    join: ({ handler, ...rest }) => crew.join({ ...rest, work: (deliveries) => work(handler, deliveries) }),
    drained: crew.idle,
    drop: () => {
      crew.clear();
      delays.drop();
    },
  };
}

/** Hands the deliveries to the handler, and gives up those at their end; resolves with those to be delivered again. */
async function deliver(
  handler: AnyHandler,
  deliveries: readonly Delivery[],
  options: GroupOptions,
): Promise<readonly Delivery[]> {
  const maxDeliver = options.name === null ? 1 : options.maxDeliver;
  const messages: Message[] = [];
  const attempts: number[] = [];
  for (const delivery of deliveries) {
    delivery.attempts += 1;
    attempts.push(delivery.attempts);
    messages.push(delivery.parcel.open());
  }
  const dispositions = await settleBatch(handler, messages, attempts, maxDeliver);
  if (dispositions.every(({ kind }) => kind === 'done')) return [];
  const outcomes = deliveries.flatMap((delivery, index): Outcome[] => {
    const [message, disposition] = [messages[index], dispositions[index]];
    return message && disposition ? [{ delivery, message, disposition }] : [];
  });
  return failed(outcomes, options);
}

/** Gives up what is at its end; the others are those to be delivered again. */
function failed(outcomes: readonly Outcome[], { type, name, log, giveUp }: GroupOptions): readonly Delivery[] {
  for (const outcome of outcomes) {
    const { delivery, disposition } = outcome;
    if (disposition.kind !== 'dead') continue;
    if (name !== null) giveUp(letterOf(outcome, type, name, disposition.reason));
    else log.warn({ type, id: delivery.parcel.id, err: disposition.error }, 'a listener failed');
  }
  const retried = outcomes.filter(({ disposition }) => disposition.kind === 'retry');
  const [first] = retried;
  if (first?.disposition.kind === 'retry') {
    const { error } = first.disposition;
    log.warn({ type, group: name, err: error, reason: textOf(error) }, 'will be delivered again');
  }
  return retried.map(({ delivery }) => delivery);
}

function letterOf(
  { delivery, message, disposition }: Outcome,
  type: string,
  group: string,
  reason: string,
): DeadLetter {
  const error = disposition.kind === 'dead' && disposition.error !== undefined ? { error: disposition.error } : {};
  return {
    type,
    group,
    id: delivery.parcel.id,
    attempts: delivery.attempts,
    reason,
    ...error,
    message,
    time: new Date().toISOString(),
  };
}

/** What is to be delivered again, by the milliseconds until then. */
function byDelay(deliveries: readonly Delivery[], { backoff }: GroupOptions): Map<number, Delivery[]> {
  const delays = new Map<number, Delivery[]>();
  for (const delivery of deliveries) {
    const delay = delayAfter(delivery.attempts, backoff);
    const same = delays.get(delay);
    if (same) same.push(delivery);
    else delays.set(delay, [delivery]);
  }
  return delays;
}

/** One timer for all that failed together. */
function newDelays<Item>(due: (items: readonly Item[]) => void) {
  const timers = new Set<NodeJS.Timeout>();
  let dropped = false;
  return {
    add: (delay: number, items: readonly Item[]): void => {
      if (dropped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        due(items);
      }, delay);
      timer.unref();
      timers.add(timer);
    },
    drop: (): void => {
      dropped = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
