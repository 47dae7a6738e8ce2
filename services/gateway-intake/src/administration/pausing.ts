import type { Clock } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import type { Delivery } from '../inbox/delivery';
import type { Inbox } from '../inbox/inbox';

export type PausingParts = {
  readonly endpoints: Endpoints;
  readonly inbox: Inbox;
  readonly delivery: Delivery;
  readonly clock: Clock;
};

const batch = 500;

/**
 * Pauses an endpoint, or resumes it: what was held meanwhile is evaluated in the order of its arrival. Resolves with how many events were
 * released.
 */
export async function setPaused(
  { endpoints, inbox, delivery, clock }: PausingParts,
  endpoint: string,
  paused: boolean,
): Promise<number> {
  await endpoints.setPaused(endpoint, paused);
  if (paused) return 0;
  let released = 0;
  for (;;) {
    const held = await inbox.held(endpoint, batch);
    if (held.length === 0) break;
    const due_at = new Date(clock.now()).toISOString();
    released += await inbox.move(
      held.map(({ _id }) => _id),
      'held',
      'accepted',
      { due_at },
    );
    delivery.publish(held.map((document) => ({ ...document, state: 'accepted' })));
  }
  return released;
}
