import type { EventType } from '@order-automation/contracts';
import type { Msg, MsgHdrs } from 'nats';
import { decode } from './codec';
import type { BusLog } from './log';
import { batches } from './nats-batches';
import type { DeadLetterKeeper } from './nats-dead-letters';
import { acknowledgement, type Delivery, deliveryOf } from './nats-delivery';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import { duplicateWindow, type Provision } from './nats-provision';
import { startPull } from './nats-pull';
import { parseMessage } from './parse';
import type { DeadLetter, Message } from './port';
import { type AnyHandler, type Backoff, type Disposition, delayAfter, settleBatch, textOf } from './settle';

export type ConsumeOptions = {
  readonly link: Link;
  readonly names: Names;
  readonly provision: Provision;
  readonly keeper: DeadLetterKeeper;
  readonly log: BusLog;
  readonly maxDeliver: number;
  readonly ackWait: number;
  readonly backoff: Backoff;
};

export type Membership = {
  readonly type: EventType;
  readonly group: string;
  readonly handler: AnyHandler;
  readonly maxBatch: number;
  readonly concurrency: number;
};

/** Parsed, or why it cannot be. */
type Opened = { readonly delivery: Delivery; readonly message?: Message; readonly fault?: string };

const minute = 60_000;
const largestWindow = 1_024;

/** Joins a durable group. The function returned leaves it: what is in hand is finished, the rest goes to other members at once. */
export async function consume(options: ConsumeOptions, membership: Membership): Promise<() => Promise<void>> {
  const { link, names, provision, keeper, log, maxDeliver, ackWait, backoff } = options;
  const { type, group, handler, maxBatch, concurrency } = membership;
  const held = new Set<Msg>();
  /** A consumer made again starts here: what went by before was handed out, what is younger the server would not take twice. */
  let deliveredUpTo = 0;

  const reply = (msg: Msg, answer: Uint8Array): void => {
    if (msg.reply && !link.nc.isClosed()) link.nc.publish(msg.reply, answer);
  };

  const release = (msg: Msg, answer: Uint8Array): void => {
    reply(msg, answer);
    held.delete(msg);
  };

  const open = (delivery: Delivery): Opened => {
    try {
      const message = parseMessage(decode(delivery.msg.data));
      if (message.type !== type) throw new Error(`A message ${message.type} came as ${type}.`);
      return { delivery, message };
    } catch (error) {
      return { delivery, fault: textOf(error) };
    }
  };

  const giveUp = async ({ delivery, message }: Opened, reason: string, error?: unknown): Promise<void> => {
    const kept = await keeper.keep({
      type,
      group,
      id: message?.id ?? idOf(delivery.msg.headers, type, delivery.sequence),
      attempts: delivery.attempts,
      reason,
      ...(error === undefined ? {} : { error }),
      message: message ?? new Uint8Array(delivery.msg.data),
      time: new Date().toISOString(),
    });
    if (kept) release(delivery.msg, acknowledgement.never);
    else held.delete(delivery.msg);
  };

  const settle = async (opened: Opened, disposition: Disposition): Promise<void> => {
    const { msg, attempts } = opened.delivery;
    if (disposition.kind === 'done') release(msg, acknowledgement.done);
    else if (disposition.kind === 'retry') release(msg, acknowledgement.again(delayAfter(attempts, backoff)));
    else await giveUp(opened, disposition.reason, disposition.error);
  };

  const handle = async (good: readonly (Opened & { message: Message })[]): Promise<void> => {
    const messages = good.map(({ message }) => message);
    const attempts = good.map(({ delivery }) => delivery.attempts);
    const dispositions = await settleBatch(handler, messages, attempts, maxDeliver);
    const failed = dispositions.find((disposition) => disposition.kind === 'retry');
    if (failed) log.warn({ type, group, err: failed.error, reason: textOf(failed.error) }, 'will be delivered again');
    await Promise.all(good.map((opened, index) => settle(opened, dispositions[index] ?? { kind: 'done' })));
  };

  const work = async (deliveries: readonly Delivery[]): Promise<void> => {
    const opened = deliveries.map(open);
    const good = opened.filter((one): one is Opened & { message: Message } => one.message !== undefined);
    const bad = opened.filter(({ message }) => message === undefined);
    await Promise.all([
      good.length > 0 ? handle(good) : undefined,
      ...bad.map((one) => giveUp(one, one.fault ?? 'The message does not parse.')),
    ]);
    pull.settled(deliveries.length);
  };

  const queue = batches({ maxBatch, concurrency, work });
  const pull = await startPull({
    link,
    stream: names.stream(type),
    consumer: names.consumer(type, group),
    window: Math.min(Math.max(maxBatch * concurrency * 2, 16), largestWindow),
    log,
    ensure: () => provision.consumer(type, group, startOf(deliveredUpTo)),
    deliver: (msg) => {
      const delivery = deliveryOf(msg);
      if (!delivery) return;
      deliveredUpTo = Math.max(deliveredUpTo, delivery.storedAt);
      held.add(msg);
      queue.add(delivery);
    },
  });

  const forgetAbandoned = watchAbandoned(options, membership);
  const keepAlive = setInterval(() => {
    if (!link.trouble()) for (const msg of held) reply(msg, acknowledgement.working);
  }, ackWait / 3);
  return async () => {
    pull.stop();
    forgetAbandoned();
    const { left, finished } = queue.close();
    for (const { msg } of left) release(msg, acknowledgement.again(0));
    await finished;
    clearInterval(keepAlive);
    await link.flush();
  };
}

/** The moment from which a consumer that is made (again) reads, in milliseconds since the epoch. */
function startOf(deliveredUpTo: number): number {
  return Math.max(deliveredUpTo - minute, Date.now() - duplicateWindow - minute);
}

/** The id that an unreadable message was published with, or its place in the stream. */
function idOf(head: MsgHdrs | undefined, type: EventType, sequence: number): string {
  const known = head?.get('Nats-Msg-Id') || `sequence-${sequence}`;
  return known.startsWith(`${type}/`) ? known.slice(type.length + 1) : known;
}

/**
 * A message that nobody settled in all its deliveries (its handlers died with their processes): the server tells once, and one
 * member of the group gives it up.
 */
function watchAbandoned({ link, names, keeper, log }: ConsumeOptions, { type, group }: Membership): () => void {
  const stream = names.stream(type);
  const consumer = names.consumer(type, group);
  const abandoned = async (msg: Msg): Promise<void> => {
    const { stream_seq, deliveries } = msg.json<{ stream_seq?: unknown; deliveries?: unknown }>();
    const jsm = await link.nc.jetstreamManager({ checkAPI: false });
    const stored = await jsm.streams.getMessage(stream, { seq: Number(stream_seq) });
    await keeper.keep({
      type,
      group,
      id: idOf(stored.header, type, stored.seq),
      attempts: Number(deliveries),
      reason: 'Nobody settled the message in any of its deliveries.',
      message: readable(stored.data),
      time: new Date().toISOString(),
    });
  };
  const subscription = link.nc.subscribe(`$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.${stream}.${consumer}`, {
    queue: consumer,
    callback: (error, msg) => {
      if (error) return;
      abandoned(msg).catch((err) => log.error({ type, group, err }, 'an abandoned message could not be read'));
    },
  });
  return () => {
    if (!link.nc.isClosed()) subscription.unsubscribe();
  };
}

function readable(data: Uint8Array): DeadLetter['message'] {
  try {
    return parseMessage(decode(data));
  } catch {
    return new Uint8Array(data);
  }
}
