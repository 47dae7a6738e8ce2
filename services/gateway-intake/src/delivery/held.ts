import { type Relay, restingSweep, startRelay } from '@order-automation/service';
import { firstDelay } from '../inbox/documents';
import type { DeliveryDeps, DeliveryParts } from './delivery';
import type { FastPath } from './fast-path';

const batch = 500;

/**
 * Releases the held events of every endpoint that is not paused: those that a resume left when its process ended, and those that another
 * process held because it learned of the resume a moment later.
 */
export function heldRelay(parts: DeliveryParts): Relay {
  const { collections, endpoints, fast } = parts;
  let after = '';
  return startRelay<string>({
    ...parts,
    longest: restingSweep,
    name: 'held events',
    pending: async () => {
      for (let rounds = 0; rounds < maxEndpoints; rounds += 1) {
        const endpoint = await collections.inbox.endpointWithHeldAfter(after);
        after = endpoint ?? '';
        if (endpoint === undefined) return [];
        if (!(await endpoints.isPausedNow(endpoint))) return [endpoint];
      }
      return [];
    },
    send: async (resumed) => {
      for (const endpoint of resumed) await releaseHeld(parts, fast.announce, endpoint);
    },
    batch: 1,
  });
}

const maxEndpoints = 2_000;

/** Lets the held events of an endpoint be evaluated, in the order of their arrival, until it is paused again. Resolves with how many there were. */
export async function releaseHeld(
  { clock, collections, endpoints }: Pick<DeliveryDeps, 'clock' | 'collections' | 'endpoints'>,
  announce: FastPath['announce'],
  endpoint: string,
): Promise<number> {
  let released = 0;
  for (;;) {
    const held = await collections.inbox.held(endpoint, batch);
    if (held.length === 0 || (await endpoints.isPausedNow(endpoint))) return released;
    const due_at = new Date(clock.now() + firstDelay).toISOString();
    const ids = held.map(({ _id }) => _id);
    released += await collections.inbox.move(ids, 'held', 'accepted', { due_at });
    announce((await collections.payloads.join(held)).map((document) => ({ ...document, state: 'accepted' as const })));
  }
}
