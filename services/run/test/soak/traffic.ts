import { setTimeout as delay } from 'node:timers/promises';
import { cardSignature } from '../card-webhook';
import type { Cluster } from '../cluster';
import type { LedgerLine } from '../kill-harness';
import type { Secrets } from '../product-client';
import { type Answer, payment, post } from '../products';

export type Traffic = {
  /** Sends no new ones; resolves with what was acknowledged, when all of them are. */
  stop(): Promise<readonly LedgerLine[]>;
  /** Sent, answered as duplicates, and tries that were refused or had no answer. */
  readonly counts: { sent: number; duplicates: number; repeated: number };
};

/** Also outside jest, where nothing is expected. Rejects when there is no answer. */
async function send(port: number, body: Buffer, { cardSecret }: Secrets): Promise<Answer> {
  const signature = cardSignature(cardSecret, body, Math.floor(Date.now() / 1000));
  return (await post(`http://127.0.0.1:${port}`, { body, headers: { 'card-signature': signature } })).answer;
}

/** Sends one payment an order at an even rate, each until it is acknowledged, every twentieth once more. */
export function startTraffic(cluster: Cluster, secrets: Secrets, orders: readonly number[], rate: number): Traffic {
  const counts = { sent: 0, duplicates: 0, repeated: 0 };
  const acknowledged: LedgerLine[] = [];
  const sending = new Set<Promise<void>>();
  let isOver = false;

  const sendUntilAcknowledged = async (order: number): Promise<void> => {
    const body = payment(`soak${order}`, order);
    for (let pause = 200; ; pause = Math.min(pause * 2, 2_000)) {
      const ports = cluster.edges();
      const port = ports[Math.floor(Math.random() * ports.length)];
      const answer = port === undefined ? undefined : await send(port, body, secrets).catch(() => undefined);
      if (answer?.duplicate) counts.duplicates += 1;
      if (answer?.success) return;
      counts.repeated += 1;
      await delay(pause);
    }
  };
  const sendOne = async (order: number, index: number): Promise<void> => {
    await sendUntilAcknowledged(order);
    acknowledged.push({ transaction: `pi_soak${order}`, order });
    if (index % 20 === 0) await sendUntilAcknowledged(order);
  };

  const running = (async () => {
    const began = performance.now();
    for (const [index, order] of orders.entries()) {
      if (isOver) return;
      counts.sent += 1;
      const one = sendOne(order, index).finally(() => sending.delete(one));
      sending.add(one);
      await delay(Math.max(0, began + (1_000 * (index + 1)) / rate - performance.now()));
    }
  })();
  return {
    counts,
    stop: async () => {
      isOver = true;
      await running;
      await Promise.all(sending);
      return acknowledged;
    },
  };
}
