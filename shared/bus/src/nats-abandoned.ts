import type { Msg } from 'nats';
import { decode } from './codec';
import type { ConsumeOptions, Membership } from './nats-consume';
import { idOf } from './nats-delivery';
import { parseMessage } from './parse';
import type { DeadLetter } from './port';

/**
 * A message that nobody settled in all its deliveries (its handlers died with their processes): the server tells once, and one
 * member of the group gives it up.
 */
export function watchAbandoned({ link, names, keeper, log }: ConsumeOptions, { type, group }: Membership): () => void {
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
