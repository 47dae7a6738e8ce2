import type { Payloads } from '../inbox/payloads';
import type { Accepted, Arrival } from './admission';

type Parts = { readonly collections: { readonly payloads: Pick<Payloads, 'byKeys'> } };

/**
 * The arrivals, and those that an earlier version stored under a key of its own with that key. The earlier key told less apart: only the same body is
 * the same webhook. Where the sender is not proven the body is part of the key.
 */
export async function underEarlierKeys(
  { collections }: Parts,
  arrivals: readonly Arrival<Accepted>[],
): Promise<readonly Arrival<Accepted>[]> {
  const keys = arrivals.flatMap(({ inspection: { earlierKey } }) => earlierKey ?? []);
  if (keys.length === 0) return arrivals;
  const bodies = new Map<string | undefined, string | undefined>();
  for (const { key, body, body_encoding } of await collections.payloads.byKeys(keys))
    bodies.set(key, body === undefined ? undefined : Buffer.from(body, body_encoding ?? 'utf8').toString('latin1'));
  return arrivals.map((arrival) => {
    const { inspection, webhook } = arrival;
    const { earlierKey, events, unauthenticated, verifying } = inspection;
    if (earlierKey === null || !bodies.has(earlierKey)) return arrival;
    const isInKey = unauthenticated || verifying;
    if (!isInKey && bodies.get(earlierKey) !== Buffer.from(webhook.body).toString('latin1')) return arrival;
    return {
      ...arrival,
      inspection: { ...inspection, events: events.map((event) => ({ ...event, idempotencyKey: earlierKey })) },
    };
  });
}
