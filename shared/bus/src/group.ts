import type { EventType } from '@order-automation/contracts';
import { type Backoff, delayAfter } from './backoff';
import { isOutage, textOf } from './errors';
import { type InFlight, newInFlight } from './in-flight';
import type { BusLog } from './log';
import type { DeadLetter, Settlement } from './port';
import { settle, type TextHandler } from './settle';
import { readMessage } from './wire';
import { within } from './within';

/** A message that a group has to handle. */
export type Item = {
  readonly text: string;
  /** What a dead letter is called whose text does not parse. */
  readonly place: string;
  /** The group is through with it: handled, or kept as a dead letter. */
  readonly settled?: () => void;
  /** Its handler hangs: lets the bus deliver it to another member. Without it the group delivers it again. */
  readonly giveBack?: (delay: number) => void;
};

export type Member = {
  readonly handler: TextHandler;
  readonly maxBatch: number;
  /** Batches in flight at once. */
  readonly concurrency: number;
};

export type GroupOptions = {
  readonly type: EventType;
  /** Null: a listener of its own, which hears each message at most once. */
  readonly name: string | null;
  /** Tries of a message before it is given up. Those that fail because something is unavailable do not count. */
  readonly maxDeliver: number;
  readonly backoff: Backoff;
  /** Milliseconds a handler has for a batch. */
  readonly ackWait: number;
  readonly log: BusLog;
  /** Keeps a dead letter; resolves with false when it cannot be kept and the message must stay. Must not reject. */
  readonly keep: (letter: DeadLetter) => boolean | Promise<boolean>;
};

/** One group of one event type: what waits for it, the members who share the work, and its retries. Both adapters deliver through it. */
export type Group = {
  readonly name: string | null;
  /** Messages that are not settled, and the characters in them. */
  readonly backlog: { readonly count: number; readonly size: number };
  /** Handed out in the next turn of the event loop, together with what else comes in this one. */
  enqueue(items: readonly Item[]): void;
  /** The function returned removes the member and waits for its batches in flight. */
  join(member: Member): () => Promise<void>;
  /** Resolves when nothing is in flight and nothing waits that a member could take. Delayed retries are not waited for. */
  drained(): Promise<void>;
  /** Drops what waits and what is delayed, and returns it. */
  drop(): readonly Item[];
};

type Delivery = { readonly item: Item; tries: number; failures: number };
type Place = Member & { readonly inFlight: InFlight };

export function newGroup(options: GroupOptions): Group {
  const waiting: Delivery[] = [];
  const places: Place[] = [];
  const inFlight = newInFlight();
  const backlog = { count: 0, size: 0 };
  const delays = newDelays<Delivery>((delivery) => {
    waiting.push(delivery);
    dispatch();
  });
  let scheduled = false;
  let turn = 0;

  const finish = ({ item }: Delivery): void => {
    backlog.count -= 1;
    backlog.size -= item.text.length;
    item.settled?.();
  };

  const work = async ({ handler }: Member, batch: readonly Delivery[]): Promise<void> => {
    const texts = batch.map(({ item }) => item.text);
    const hung = new Error(`The handler did not settle within ${options.ackWait} ms.`);
    const settlements = await settle(batch.length, () => within(options.ackWait, handler(texts), () => hung));
    warnOfRetries(settlements, options);
    const ends = batch.map(async (delivery, index) => {
      const outcome = next(delivery, settlements[index] as Settlement, options);
      if (outcome.kind === 'finish') return finish(delivery);
      if (outcome.kind === 'later') {
        const { giveBack } = delivery.item;
        if (outcome.error !== hung || !giveBack) return delays.add(outcome.delay, delivery);
        giveBack(outcome.delay);
      } else if (await options.keep(letterOf(delivery, outcome, options))) return finish(delivery);
      backlog.count -= 1;
      backlog.size -= delivery.item.text.length;
    });
    await Promise.all(ends);
  };

  const nextFree = (): Place | undefined => {
    for (let tried = 0; tried < places.length; tried += 1) {
      turn = (turn + 1) % places.length;
      const place = places[turn];
      if (place && place.inFlight.size < place.concurrency) return place;
    }
    return undefined;
  };

  function dispatch(): void {
    scheduled = false;
    while (waiting.length > 0) {
      const place = nextFree();
      if (!place) return;
      const job = work(place, waiting.splice(0, place.maxBatch));
      place.inFlight.add(job);
      inFlight.add(job);
      void job.then(dispatch);
    }
  }

  const schedule = (): void => {
    if (!scheduled) setImmediate(dispatch);
    scheduled = true;
  };

  return {
    name: options.name,
    backlog,
    enqueue: (items) => {
      for (const item of items) {
        backlog.count += 1;
        backlog.size += item.text.length;
        waiting.push({ item, tries: 0, failures: 0 });
      }
      schedule();
    },
    join: (member) => {
      const place = { ...member, inFlight: newInFlight() };
      places.push(place);
      schedule();
      return async () => {
        const index = places.indexOf(place);
        if (index >= 0) places.splice(index, 1);
        await place.inFlight.idle();
      };
    },
    drained: async () => {
      dispatch();
      while (inFlight.size > 0) await inFlight.idle();
    },
    drop: () => [...waiting.splice(0), ...delays.drop()].map(({ item }) => item),
  };
}

type Outcome =
  | { readonly kind: 'finish' }
  | { readonly kind: 'later'; readonly delay: number; readonly error: unknown }
  | { readonly kind: 'dead'; readonly reason: string; readonly error?: unknown };

/** What becomes of a message. Counts the try. */
function next(
  delivery: Delivery,
  settlement: Settlement,
  { name, maxDeliver, backoff, log, type }: GroupOptions,
): Outcome {
  delivery.tries += 1;
  if (settlement.kind === 'done') return { kind: 'finish' };
  if (name === null) {
    log.warn({ type, ...reasonOf(settlement) }, 'a listener failed');
    return { kind: 'finish' };
  }
  if (settlement.kind === 'reject') return { ...settlement, kind: 'dead' };
  const { error } = settlement;
  if (!isOutage(error)) delivery.failures += 1;
  if (delivery.failures >= maxDeliver) return { kind: 'dead', reason: textOf(error), error };
  return { kind: 'later', delay: delayAfter(delivery.tries, backoff), error };
}

function reasonOf(settlement: Exclude<Settlement, { kind: 'done' }>): object {
  return settlement.kind === 'retry'
    ? { err: settlement.error, reason: textOf(settlement.error) }
    : { reason: settlement.reason };
}

function warnOfRetries(settlements: readonly Settlement[], { name, log, type }: GroupOptions): void {
  const retried = settlements.filter((one) => one.kind === 'retry');
  const [first] = retried;
  if (name === null || !first) return;
  log.warn({ type, group: name, count: retried.length, ...reasonOf(first) }, 'will be delivered again');
}

function letterOf(
  { item, tries }: Delivery,
  { reason, error }: Extract<Outcome, { kind: 'dead' }>,
  { type, name }: GroupOptions,
): DeadLetter {
  const cause = error === undefined ? {} : { error };
  const time = new Date().toISOString();
  return { type, group: name ?? '', attempts: tries, reason, ...cause, ...contentOf(type, item), time };
}

/** The message with its id; its text when it does not parse. */
export function contentOf(type: EventType, { text, place }: Item): Pick<DeadLetter, 'id' | 'message'> {
  try {
    const message = readMessage(type, text);
    return { id: message.id, message };
  } catch {
    return { id: place, message: text };
  }
}

/** What waits for a moment to come. */
function newDelays<Value>(due: (value: Value) => void) {
  const delayed = new Map<NodeJS.Timeout, Value>();
  let dropped = false;
  return {
    add: (delay: number, value: Value): void => {
      const timer = setTimeout(() => {
        delayed.delete(timer);
        due(value);
      }, delay);
      timer.unref();
      delayed.set(timer, value);
      if (dropped) clearTimeout(timer);
    },
    drop: (): Value[] => {
      dropped = true;
      for (const timer of delayed.keys()) clearTimeout(timer);
      return [...delayed.values()];
    },
  };
}
