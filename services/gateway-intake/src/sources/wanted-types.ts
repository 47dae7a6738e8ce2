import type { DeliveryDeps } from '../delivery/delivery';
import { genericTypeOf } from '../gateways/adapter';
import type { EventSource } from './source';

type Parts = Pick<DeliveryDeps, 'collections' | 'router'>;

/** Newest events of a type among which one that a webhook brought is looked for. */
const looked = 5;

/** Milliseconds for which it is known what webhooks bring. */
const knownFor = 3_600_000;

/**
 * The types of events to ask for, in the sender's own words: an account has many more than its webhook sends, several of them about the same payment. Those
 * that its webhooks have brought are wanted, and, where none of their meaning is among these, those that a shop cannot do without. None: all are.
 */
export function wantedTypes(parts: Parts) {
  const known = new Map<string, { readonly types: readonly string[]; readonly until: number }>();
  return async (source: EventSource, now: number): Promise<readonly string[]> => {
    const { gateway, listsOurs, always, first } = source;
    const adapter = parts.router.adapterFor(gateway);
    if (listsOurs || !adapter) return [];
    const before = known.get(gateway);
    const received = before && before.until > now ? before.types : await receivedTypes(parts, source);
    // As long as nothing has arrived, the next webhook says more.
    if (received.length > 0 && received !== before?.types)
      known.set(gateway, { types: received, until: now + knownFor });
    const meanings = new Set(received.map((type) => genericTypeOf(adapter, type)));
    const needed = always.filter((type) => !meanings.has(genericTypeOf(adapter, type)));
    return [...(received.length === 0 ? [first] : received), ...needed];
  };
}

/** What webhooks have brought: no tests, no replays, nothing that was imported or asked for. */
async function receivedTypes({ collections }: Parts, { gateway, typePrefix }: EventSource): Promise<string[]> {
  const { inbox, payloads } = collections;
  const types = new Set<string>();
  let type = await inbox.typeAfter(typePrefix, typePrefix);
  while (type !== undefined) {
    const newest = await payloads.join(await inbox.newest({ event_type: type }, 0, looked));
    const one = newest.find(
      ({ event, replay_of }) =>
        event.sourceGateway === gateway && event.channel === 'webhook' && !event.isTest && replay_of === undefined,
    );
    const name = one?.webhook.metadata.gateway_event_type;
    if (typeof name === 'string') types.add(name);
    type = await inbox.typeAfter(typePrefix, type);
  }
  return [...types];
}
