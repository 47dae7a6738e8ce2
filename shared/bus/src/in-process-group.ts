import { type Packed, unpack, weight } from './codec';
import { fifo } from './fifo';
import type { BusLog } from './log';
import type { DeadLetter, Message } from './port';
import { type AnyHandler, type Backoff, type Disposition, delayAfter, settleBatch, textOf } from './settle';

type Delivery = { readonly id: string; readonly packed: Packed; readonly weight: number; attempts: number };

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
  enqueue(id: string, packed: Packed): void;
  /** Hands out what waits, as far as members are free. */
  dispatch(): void;
  /** The function returned removes the member and waits for what it has in hand. */
  join(member: Member): () => Promise<void>;
  /** Resolves when nothing is in hand and nothing waits that a member could take. Delayed retries are not waited for. */
  drained(): Promise<void>;
  /** Drops what waits and what is delayed. */
  drop(): void;
};

type Working = Member & { running: number; readonly inFlight: Set<Promise<void>> };

export function inProcessGroup(options: GroupOptions): Group {
  const { type, name, backoff, log } = options;
  const maxDeliver = name === null ? 1 : options.maxDeliver;
  const members: Working[] = [];
  const inFlight = new Set<Promise<void>>();
  const timers = new Set<NodeJS.Timeout>();
  let ready = fifo<Delivery>();
  let turn = 0;
  let backlog = 0;
  let bytes = 0;
  let dropped = false;

  const nextFree = (): Working | undefined => {
    for (let tried = 0; tried < members.length; tried += 1) {
      const member = members[turn % members.length];
      turn += 1;
      if (member && member.running < member.concurrency) return member;
    }
    return undefined;
  };

  const hasRoom = (count: number, size: number): boolean =>
    backlog + count <= options.maxBacklog && bytes + size <= options.maxBacklogBytes;

  const leave = (delivery: Delivery): void => {
    backlog -= 1;
    bytes -= delivery.weight;
  };

  const letter = (delivery: Delivery, message: Message, end: Disposition & { kind: 'dead' }): DeadLetter => ({
    type,
    group: name ?? '',
    id: delivery.id,
    attempts: delivery.attempts,
    reason: end.reason,
    ...(end.error === undefined ? {} : { error: end.error }),
    message,
    time: new Date().toISOString(),
  });

  const later = (delay: number, deliveries: readonly Delivery[]): void => {
    if (dropped) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      for (const delivery of deliveries) ready.push(delivery);
      dispatch();
    }, delay);
    timer.unref();
    timers.add(timer);
  };

  const work = async (member: Working, deliveries: readonly Delivery[]): Promise<void> => {
    for (const delivery of deliveries) delivery.attempts += 1;
    const messages = deliveries.map(({ packed }) => unpack(packed) as Message);
    const attempts = deliveries.map((delivery) => delivery.attempts);
    const dispositions = await settleBatch(member.handler, messages, attempts, maxDeliver);
    const retries = new Map<number, Delivery[]>();
    for (const [index, delivery] of deliveries.entries()) {
      const disposition = dispositions[index];
      const message = messages[index];
      if (disposition?.kind === 'retry') {
        const delay = delayAfter(delivery.attempts, backoff);
        const same = retries.get(delay);
        if (same) same.push(delivery);
        else retries.set(delay, [delivery]);
        continue;
      }
      leave(delivery);
      if (disposition?.kind !== 'dead' || !message) continue;
      if (name === null) log.warn({ type, id: delivery.id, err: disposition.error }, 'a listener failed');
      else options.giveUp(letter(delivery, message, disposition));
    }
    const failed = dispositions.find((disposition) => disposition.kind === 'retry');
    if (failed)
      log.warn({ type, group: name, err: failed.error, reason: textOf(failed.error) }, 'will be delivered again');
    for (const [delay, same] of retries) later(delay, same);
  };

  const start = (member: Working, deliveries: readonly Delivery[]): void => {
    member.running += 1;
    const job = work(member, deliveries).then(() => {
      member.running -= 1;
      member.inFlight.delete(job);
      inFlight.delete(job);
      dispatch();
    });
    member.inFlight.add(job);
    inFlight.add(job);
  };

  function dispatch(): void {
    while (ready.length > 0) {
      const member = nextFree();
      if (!member) return;
      start(member, ready.take(member.maxBatch));
    }
  }

  return {
    name,
    get backlog() {
      return backlog;
    },
    hasRoom,
    enqueue: (id, packed) => {
      const size = weight(packed);
      if (name === null && !hasRoom(1, size)) return;
      backlog += 1;
      bytes += size;
      ready.push({ id, packed, weight: size, attempts: 0 });
    },
    dispatch,
    join: (member) => {
      const working: Working = { ...member, running: 0, inFlight: new Set() };
      members.push(working);
      return async () => {
        const index = members.indexOf(working);
        if (index >= 0) members.splice(index, 1);
        await Promise.all(working.inFlight);
      };
    },
    drained: async () => {
      dispatch();
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    drop: () => {
      dropped = true;
      ready = fifo();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
