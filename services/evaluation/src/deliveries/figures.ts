import { isoTime, type RequestOutput } from '@order-automation/contracts';
import type { Deliveries } from './document';

export type DeliveryFigures = RequestOutput<'evaluation.figures.get.v1'>;

/** Milliseconds in the queue after which a delivery is stuck: its host or the mail server does not take it. */
export const stuckAfter = 10 * 60_000;
const maxHosts = 100;

/** The one count of deliveries that metrics, notifications, the interface and the console show. */
export async function deliveryFigures(
  deliveries: Pick<Deliveries, 'count' | 'stuckAfter'>,
  now: number,
): Promise<DeliveryFigures> {
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

async function stuckHosts(deliveries: Pick<Deliveries, 'stuckAfter'>, before: number) {
  const found: NonNullable<Awaited<ReturnType<Deliveries['stuckAfter']>>>[] = [];
  while (found.length < maxHosts) {
    const next = await deliveries.stuckAfter(found.at(-1)?.channel ?? '', before);
    if (!next) break;
    found.push(next);
  }
  return found;
}
