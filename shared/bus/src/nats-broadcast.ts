import type { EventType } from '@order-automation/contracts';
import { decode } from './codec';
import type { BusLog } from './log';
import { batches } from './nats-batches';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import { parseMessage } from './parse';
import type { Message } from './port';
import { recentIds } from './recent-ids';
import { type AnyHandler, settleBatch } from './settle';

export type ListenOptions = {
  readonly type: EventType;
  readonly handler: AnyHandler;
  readonly maxBatch: number;
  readonly concurrency: number;
};

const rememberFor = 10 * 60_000;
const remembered = 10_000;
const mostWaiting = 10_000;

/** A listener of its own (group null): at most once, while connected. The function returned ends it. */
export async function listen(
  link: Link,
  names: Names,
  log: BusLog,
  options: ListenOptions,
): Promise<() => Promise<void>> {
  const { type, handler, maxBatch, concurrency } = options;
  const known = recentIds(rememberFor, remembered);
  const queue = batches<Message>({
    maxBatch,
    concurrency,
    work: async (messages) => {
      const attempts = messages.map(() => 1);
      const outcome = await settleBatch(handler, messages, attempts, 1);
      const failed = outcome.find((disposition) => disposition.kind === 'dead');
      if (failed) log.warn({ type, err: failed.error, reason: failed.reason }, 'a listener failed');
    },
  });
  const subscription = link.nc.subscribe(names.subject(type), {
    callback: (error, msg) => {
      if (error || queue.waiting >= mostWaiting) return;
      try {
        const message = parseMessage(decode(msg.data));
        if (message.type === type && !known.seen(message.id, Date.now())) queue.add(message);
      } catch (err) {
        log.warn({ type, err }, 'a message to all listeners does not parse');
      }
    },
  });
  await link.flush();
  return async () => {
    if (!link.nc.isClosed()) subscription.unsubscribe();
    await queue.close().finished;
  };
}
