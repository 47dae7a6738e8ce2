import { setTimeout as sleep } from 'node:timers/promises';
import { delayAfter, textOf } from '@order-automation/base';
import type { EventType } from '@order-automation/contracts';
import type { Consumer, ConsumerMessages, JsMsg } from 'nats';
import { type Group, type GroupMember, type GroupOptions, newGroup } from '../group';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import type { Provision } from './nats-provision';

export type ConsumeOptions = Omit<GroupOptions, 'type' | 'name'> & {
  readonly link: Link;
  readonly names: Names;
  readonly provision: Provision;
};

export type Membership = GroupMember & { readonly type: EventType; readonly group: string };

/** Joins a durable group. The function returned leaves it: what is in flight is finished, the rest goes to other members at once. */
export async function consume(options: ConsumeOptions, membership: Membership): Promise<() => Promise<void>> {
  const { link, ackWait } = options;
  const { type, group: name } = membership;
  const group = newGroup({ ...options, type, name });
  const leaveGroup = group.join(membership);
  const held = newHeld(link);
  const pull = await startPull(options, membership, {
    /** How many more messages may wait here. */
    room: () => Math.max(16, membership.maxBatch * membership.concurrency * 2) - group.backlog.count,
    deliver: (msg) => enqueue(group, held, msg),
  });
  const keepAlive = setInterval(held.stillWorking, ackWait / 3);
  return async () => {
    await pull.stop();
    for (const item of group.drop()) item.returnToServer?.(0);
    await leaveGroup();
    clearInterval(keepAlive);
    await link.flush();
  };
}

const maxHangs = 1_000;

/** The messages that this process has and the server waits for. */
function newHeld(link: Link) {
  const held = new Set<JsMsg>();
  /** How often a message hung here, by its sequence: the server's count includes deliveries that nobody handled. */
  const hangs = new Map<number, number>();
  const release = (msg: JsMsg, answer: () => void): void => {
    if (held.delete(msg) && !link.nc.isClosed()) answer();
  };
  return {
    add: (msg: JsMsg) => held.add(msg),
    hangs: ({ seq }: JsMsg): number => hangs.get(seq) ?? 0,
    finish: (msg: JsMsg): void => {
      hangs.delete(msg.seq);
      release(msg, () => msg.ack());
    },
    returnToServer: (msg: JsMsg, delay: number): void =>
      release(msg, () => {
        hangs.set(msg.seq, (hangs.get(msg.seq) ?? 0) + 1);
        const [oldest = 0] = hangs.keys();
        if (hangs.size > maxHangs) hangs.delete(oldest);
        msg.nak(delay);
      }),
    /** Asks the server to wait on. None is held for ever: each handler has its time. */
    stillWorking: (): void => {
      if (!link.trouble()) for (const msg of held) msg.working();
    },
  };
}

/** A JetStream message holds one of ours per line; it is acknowledged when every line is settled. */
function enqueue(group: Group, held: ReturnType<typeof newHeld>, msg: JsMsg): void {
  const texts = msg.string().split('\n');
  let left = texts.length;
  const settled = (): void => {
    left -= 1;
    if (left === 0) held.finish(msg);
  };
  const returnToServer = (delay: number): void => held.returnToServer(msg, delay);
  const [logName, failures] = [`sequence-${msg.seq}`, held.hangs(msg)];
  held.add(msg);
  group.enqueue(texts.map((text) => ({ text, logName, failures, settled, returnToServer })));
}

type Flow = { readonly room: () => number; readonly deliver: (msg: JsMsg) => void };

const minute = 60_000;
/** A group that is made (again) reads from here on: its stream may have been made before it. */
const lookBack = 10 * minute;
const pullFor = 5_000;
const heartbeat = 1_000;

/** Pulls as long as there is room, whatever happens to the connection, the consumer or the stream. Rejects when the consumer cannot be made. */
async function startPull({ link, names, provision, log }: ConsumeOptions, { type, group }: Membership, flow: Flow) {
  const [stream, consumer] = [names.stream(type), names.consumer(type, group)];
  const stopping = new AbortController();
  /** Resolves after so many milliseconds, or when it stops. */
  const pause = (milliseconds: number): Promise<void> =>
    sleep(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
  let from: Consumer | undefined;
  let current: ConsumerMessages | undefined;
  let deliveredUpTo = 0;
  const ensure = () => {
    return provision.consumer(type, group, Math.max(deliveredUpTo - minute, Date.now() - lookBack));
  };
  const pullOnce = async (): Promise<void> => {
    const room = flow.room();
    // The server counts envelopes, this process what is in them.
    if (room <= 0) return pause(5);
    from ??= await link.js.consumers.get(stream, consumer);
    const pulled = await from.fetch({ max_messages: Math.ceil(room / 4), expires: pullFor, idle_heartbeat: heartbeat });
    current = pulled;
    if (stopping.signal.aborted) pulled.stop();
    for await (const msg of pulled) {
      deliveredUpTo = Math.max(deliveredUpTo, msg.info.timestampNanos / 1e6);
      flow.deliver(msg);
    }
  };
  const pullOn = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      try {
        if (failures > 0) await ensure();
        await pullOnce();
        failures = 0;
      } catch (error) {
        failures += 1;
        from = undefined;
        if (stopping.signal.aborted) return;
        log.warn(
          { stream, consumer, reason: textOf(error), failures },
          'messages cannot be pulled, will be tried again',
        );
        await pause(delayAfter(failures, { first: 100, longest: 2_000 }));
      }
    }
  };
  await ensure();
  const pulling = pullOn();
  return {
    stop: async (): Promise<void> => {
      stopping.abort();
      current?.stop();
      await pulling;
    },
  };
}

const maxWaiting = 10_000;

/** A listener of its own (group null), while it is connected. The function returned ends it. */
export async function listen(
  { link, names, log, ackWait }: ConsumeOptions,
  member: Omit<Membership, 'group'>,
): Promise<() => Promise<void>> {
  const { type } = member;
  const backoff = { first: 0, longest: 0 };
  const group = newGroup({ type, name: null, maxDeliver: 1, backoff, ackWait, log });
  const leave = group.join(member);
  const subscription = link.nc.subscribe(names.subject(type), {
    callback: (error, msg) => {
      if (error || group.backlog.count >= maxWaiting) return;
      group.enqueue(
        msg
          .string()
          .split('\n')
          .map((text) => ({ text, logName: 'broadcast' })),
      );
    },
  });
  await link.flush();
  return async () => {
    if (!link.nc.isClosed()) subscription.unsubscribe();
    group.drop();
    await leave();
  };
}
