import type { EventType } from '@order-automation/contracts';
import type { Msg } from 'nats';
import { contentOf } from './group';
import type { BusLog } from './log';
import type { DeadLetterKeeper } from './nats-dead-letters';
import type { Link } from './nats-link';
import type { Names } from './nats-names';

export type WatchOptions = {
  readonly link: Link;
  readonly names: Names;
  readonly keeper: DeadLetterKeeper;
  readonly log: BusLog;
};

/**
 * A message that was not settled in any of its deliveries (the handlers' processes died, or the handlers hung): the server announces it once,
 * and one member of the group makes it a dead letter.
 */
export function watchAbandoned(
  { link, names, keeper, log }: WatchOptions,
  { type, group }: { readonly type: EventType; readonly group: string },
): () => void {
  const stream = names.stream(type);
  const consumer = names.consumer(type, group);
  const abandoned = async (msg: Msg): Promise<void> => {
    const { stream_seq, deliveries } = msg.json<{ stream_seq?: unknown; deliveries?: unknown }>();
    const stored = await (await link.manager()).streams.getMessage(stream, { seq: Number(stream_seq) });
    const place = `sequence-${stored.seq}`;
    for (const text of new TextDecoder().decode(stored.data).split('\n')) {
      await keeper.keep({
        type,
        group,
        ...contentOf(type, { text, place }),
        attempts: Number(deliveries),
        reason: 'No handler settled the message in any of its deliveries.',
        time: new Date().toISOString(),
      });
    }
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
