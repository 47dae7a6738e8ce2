import { type Backoff, delayAfter, type Member, newWorkQueue, retryOf, textOf, within } from '@order-automation/base';
import type { EventType } from '@order-automation/contracts';
import type { BusLog, Settlement } from './port';
import { settle, type TextHandler } from './settle';
import { readMessage } from './wire';

/** A message that a group has to handle. */
export type Item = {
  readonly text: string;
  /** Names it in the log when the text does not parse. */
  readonly logName: string;
  /** Called when it is handled, or given up. */
  readonly settled?: () => void;
  /** Failures that it had when the group returned it earlier. */
  readonly failures?: number;
  /** Its handler hangs: lets the bus deliver it to another member. Without it the group delivers it again. */
  readonly returnToServer?: (delay: number) => void;
};

export type GroupMember = Member & { readonly handler: TextHandler };

export type GroupOptions = {
  readonly type: EventType;
  /** Null: a listener of its own, which hears each message at most once. */
  readonly name: string | null;
  /** Failures of a message before it is given up. Failures because something is unavailable do not count. */
  readonly maxDeliver: number;
  readonly backoff: Backoff;
  /** Milliseconds a handler has for a batch. */
  readonly ackWait: number;
  readonly log: BusLog;
};

export type Group = ReturnType<typeof newGroup>;

type Delivery = { readonly item: Item; tries: number; failures: number };

/** One group of one event type: what waits for it, the members who share the work, and its retries. Both adapters deliver through it. */
export function newGroup(options: GroupOptions) {
  /** Messages that are not settled, and the characters in them. */
  const backlog = { count: 0, size: 0 };
  const leave = ({ text }: Item): void => {
    backlog.count -= 1;
    backlog.size -= text.length;
  };
  const queue = newWorkQueue<Delivery, GroupMember>(async ({ handler }, batch) => {
    for (const [index, end] of (await deliver(batch, handler, options)).entries()) {
      const delivery = batch[index] as Delivery;
      if (end.kind === 'later') delays.add(end.delay, delivery);
      else leave(delivery.item);
      if (end.kind === 'settled') delivery.item.settled?.();
    }
  });
  const delays = newDelays<Delivery>((delivery) => queue.add([delivery]));

  return {
    name: options.name,
    backlog: backlog as Readonly<typeof backlog>,
    /** Handed out in the next turn of the event loop, together with what else comes in this one. */
    enqueue: (items: readonly Item[]): void => {
      for (const { text } of items) {
        backlog.count += 1;
        backlog.size += text.length;
      }
      queue.add(items.map((item) => ({ item, tries: 0, failures: item.failures ?? 0 })));
    },
    join: queue.join,
    /** Delayed retries are not waited for. */
    drained: queue.drained,
    /** Drops what waits and what is delayed, and returns it. */
    drop: (): readonly Item[] => [...queue.clear(), ...delays.drop()].map(({ item }) => item),
  };
}

/** What became of a delivery: settled, to be delivered again by this group, or left to the bus. */
type End = Outcome | { readonly kind: 'left' };
type Outcome =
  | { readonly kind: 'settled' }
  | { readonly kind: 'later'; readonly delay: number; readonly error: unknown };

/** Runs the handler on a batch, within `ackWait`. Never rejects. */
async function deliver(batch: readonly Delivery[], handler: TextHandler, options: GroupOptions): Promise<End[]> {
  const { ackWait } = options;
  const texts = batch.map(({ item }) => item.text);
  const hung = new Error(`The handler did not settle within ${ackWait} ms.`);
  const settlements = await settle(batch.length, () => within(ackWait, handler(texts), () => hung));
  warnOfRetries(settlements, options);
  return batch.map((delivery, index): End => {
    const outcome = outcomeOf(delivery, settlements[index] as Settlement, options);
    const { returnToServer } = delivery.item;
    if (outcome.kind === 'settled' || outcome.error !== hung || !returnToServer) return outcome;
    returnToServer(outcome.delay);
    return { kind: 'left' };
  });
}

/** What becomes of a message. Counts the try. */
function outcomeOf(delivery: Delivery, settlement: Settlement, options: GroupOptions): Outcome {
  const { name, maxDeliver, backoff, log, type } = options;
  delivery.tries += 1;
  if (settlement.kind === 'done') return { kind: 'settled' };
  if (name === null) {
    log.warn({ type, ...reasonOf(settlement) }, 'a listener failed');
    return { kind: 'settled' };
  }
  if (settlement.kind === 'reject') return givenUp(delivery, settlement, options);
  const { error } = settlement;
  if (retryOf(error) !== 'later') delivery.failures += 1;
  if (delivery.failures >= maxDeliver) return givenUp(delivery, { reason: textOf(error), error }, options);
  return { kind: 'later', delay: delayAfter(delivery.tries, backoff), error };
}

const reasonOf = (settlement: Exclude<Settlement, { kind: 'done' }>): object =>
  settlement.kind === 'retry'
    ? { err: settlement.error, reason: textOf(settlement.error) }
    : { reason: settlement.reason };

function warnOfRetries(settlements: readonly Settlement[], { name, log, type }: GroupOptions): void {
  const retried = settlements.filter((one) => one.kind === 'retry');
  const [first] = retried;
  if (name === null || !first) return;
  log.warn({ type, group: name, count: retried.length, ...reasonOf(first) }, 'will be delivered again');
}

/** The stores hold what matters: its publisher publishes the message again until its work is done. */
function givenUp(
  { item, tries }: Delivery,
  { reason, error }: { readonly reason: string; readonly error?: unknown },
  { type, name, log }: GroupOptions,
): Outcome {
  log.error({ type, group: name, id: idOf(type, item), attempts: tries, reason, err: error }, 'message is given up');
  return { kind: 'settled' };
}

function idOf(type: EventType, { text, logName }: Item): string {
  try {
    return readMessage(type, text).id;
  } catch {
    return logName;
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
