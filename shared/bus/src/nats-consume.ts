import type { EventType } from '@order-automation/contracts';
import type { BusLog } from './log';
import { watchAbandoned } from './nats-abandoned';
import { batches } from './nats-batches';
import type { DeadLetterKeeper } from './nats-dead-letters';
import { acknowledgement, type Delivery, deliveryOf } from './nats-delivery';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import { duplicateWindow, type Provision } from './nats-provision';
import { startPull } from './nats-pull';
import { handle, newHands } from './nats-settle';
import type { AnyHandler, Backoff } from './settle';

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

const minute = 60_000;
const largestWindow = 1_024;

/** Joins a durable group. The function returned leaves it: what is in hand is finished, the rest goes to other members at once. */
export async function consume(options: ConsumeOptions, membership: Membership): Promise<() => Promise<void>> {
  const { link, names, provision, log, ackWait } = options;
  const { type, group, maxBatch, concurrency } = membership;
  const hands = newHands(link);
  /** A consumer made again starts here: what went by before was handed out, what is younger the server would not take twice. */
  let deliveredUpTo = 0;

  const work = async (deliveries: readonly Delivery[]): Promise<void> => {
    await handle(options, membership, hands, deliveries);
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
      hands.take(msg);
      queue.add(delivery);
    },
  });
  const forgetAbandoned = watchAbandoned(options, membership);
  const keepAlive = setInterval(hands.stillWorking, ackWait / 3);
  return async () => {
    pull.stop();
    forgetAbandoned();
    const { left, finished } = queue.close();
    for (const { msg } of left) hands.release(msg, acknowledgement.again(0));
    await finished;
    clearInterval(keepAlive);
    await link.flush();
  };
}

/** The moment from which a consumer that is made (again) reads, in milliseconds since the epoch. */
function startOf(deliveredUpTo: number): number {
  return Math.max(deliveredUpTo - minute, Date.now() - duplicateWindow - minute);
}
