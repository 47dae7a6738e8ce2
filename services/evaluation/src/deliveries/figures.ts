import { isoTime, type RequestOutput } from '@order-automation/contracts';
import type { Deliveries } from './document';

type Counted = Pick<Deliveries, 'count' | 'pendingChannelAfter' | 'queuedBefore'>;
export type DeliveryFigures = RequestOutput<'evaluation.figures.get.v1'>;

/** Milliseconds in the queue after which a delivery is stuck: its host or the mail server does not take it. */
const stuckAfter = 10 * 60_000;
const maxHosts = 100;

/** The one count of deliveries that metrics, notifications, the interface and the console show. */
export async function deliveryFigures(deliveries: Counted, now: number): Promise<DeliveryFigures> {
  const [pending, failed, stuck] = await Promise.all([
    deliveries.count({ state: 'pending' }),
    deliveries.count({ state: 'failed' }),
    stuckHosts(deliveries, now - stuckAfter),
  ]);
  const hosts = stuck.sort((a, b) => a.since - b.since);
  return {
    pending,
    failed,
    stuck: {
      total: hosts.reduce((sum, { total }) => sum + total, 0),
      since: hosts[0] ? isoTime(hosts[0].since) : null,
      hosts: hosts.map(({ channel: host, total, since }) => ({ host, total, since: isoTime(since) })),
    },
  };
}

async function stuckHosts(deliveries: Counted, before: number) {
  const found: { channel: string; total: number; since: number }[] = [];
  let channel = await deliveries.pendingChannelAfter('');
  while (channel !== undefined && found.length < maxHosts) {
    const stuck = await deliveries.queuedBefore(before, channel);
    if (stuck.total > 0) found.push({ channel, ...stuck });
    channel = await deliveries.pendingChannelAfter(channel);
  }
  return found;
}
