import { type RequestInput, ServiceError } from '@order-automation/contracts';
import { recordsOf } from '@order-automation/service';
import { releaseHeld } from '../../delivery/held';
import { authenticityRefusal } from '../../gateways/refusal';
import { keptRejection } from '../../inbox/entries';
import type { Parts } from '../parts';

/**
 * Pauses an endpoint, or resumes it: what was held meanwhile is evaluated in the order of its arrival. Resolves with how many events were
 * released; what is left when the process ends is released by the relay.
 */
export async function setPaused(parts: Parts, endpoint: string, paused: boolean): Promise<number> {
  await parts.endpoints.setPaused(endpoint, paused);
  return paused ? 0 : releaseHeld(parts, parts.delivery.publish, endpoint);
}

type Deleted = Pick<RequestInput<'intake.connection.delete.v1'>, 'name' | 'held'>;

/** What a deletion does with events that are held. Rejects with 409 `svc_connection_holds_events` when events are held and nobody said what to do with them. */
export async function endHeld(parts: Parts, { endpoint, name, held, by }: Deleted & { endpoint: string; by: string }) {
  const count = await parts.collections.inbox.countHeld(endpoint);
  if (count === 0) return { released: 0, discarded: 0 };
  if (held === 'release') return { released: await setPaused(parts, endpoint, false), discarded: 0 };
  if (held === 'discard') return { released: 0, discarded: await discard(parts, endpoint, by) };
  const message = `The connection holds ${count} ${count === 1 ? 'event' : 'events'}: resume it first, so that they are evaluated. Over the API, held=release does so and held=discard refuses them.`;
  throw new ServiceError(409, 'svc_connection_holds_events', message, { name, held: count });
}

const batch = 200;

async function discard({ clock, collections, outbox }: Parts, endpoint: string, by: string): Promise<number> {
  const { inbox, payloads } = collections;
  const refusal = authenticityRefusal('discarded', `It was held, and ${by} discarded it with its connection.`);
  let discarded = 0;
  for (;;) {
    const held = await inbox.held(endpoint, batch);
    if (held.length === 0) return discarded;
    await outbox.add(recordsOf((await payloads.join(held)).map((event) => keptRejection(event, refusal))));
    const done_at = new Date(clock.now()).toISOString();
    const ids = held.map(({ _id }) => _id);
    discarded += await inbox.move(ids, 'held', 'refused', { reason: refusal.text, done_at });
  }
}
