import type { EventType } from '@order-automation/contracts';
import { newGroup } from './group';
import type { BusLog } from './log';
import type { Link } from './nats-link';
import type { Names } from './nats-names';
import type { TextHandler } from './settle';

export type ListenOptions = {
  readonly type: EventType;
  readonly handler: TextHandler;
  readonly maxBatch: number;
  readonly concurrency: number;
  readonly ackWait: number;
};

const maxWaiting = 10_000;

/** A listener of its own (group null), while it is connected. The function returned ends it. */
export async function listen(
  link: Link,
  names: Names,
  log: BusLog,
  options: ListenOptions,
): Promise<() => Promise<void>> {
  const { type, ackWait } = options;
  const backoff = { first: 0, longest: 0 };
  const group = newGroup({ type, name: null, maxDeliver: 1, backoff, ackWait, log });
  const leave = group.join(options);
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
