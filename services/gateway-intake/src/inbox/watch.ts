import { type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import type { Telemetry } from '../telemetry';
import type { Collections } from './collections';

export type WatchDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly collections: Pick<Collections, 'inbox' | 'payloads'>;
  readonly endpoints: Endpoints;
  readonly telemetry: Telemetry;
  /** When the last secret of each endpoint ends; milliseconds since the epoch. */
  readonly secretEnds: () => ReadonlyMap<string, number>;
};

const watchEvery = 10_000;

/** Measures what is in the inbox, for graphs and alerts: nothing stays there unseen. */
export function startWatch(deps: WatchDeps): Relay {
  const { clock, log } = deps;
  return startRelay<never>({
    name: 'inbox watch',
    pending: async () => {
      await measure(deps);
      return [];
    },
    send: async () => undefined,
    every: watchEvery,
    batch: 1,
    clock,
    log,
  });
}

async function measure({ collections, endpoints, clock, telemetry, secretEnds }: WatchDeps): Promise<void> {
  const { inbox, payloads } = collections;
  const [accepted, held, verifying, dead] = await Promise.all([
    inbox.countAccepted(),
    ...(['held', 'verifying', 'dead'] as const).map((state) => inbox.count({ state })),
  ]);
  const oldest = await inbox.oldestAccepted();
  const [event] = oldest ? await payloads.join([oldest]) : [];
  telemetry.inbox({
    backlog: accepted,
    held: held ?? 0,
    verifying: verifying ?? 0,
    dead: dead ?? 0,
    oldest: event ? (clock.now() - Date.parse(event.event.receivedAt)) / 1000 : 0,
  });
  for (const [endpoint, { last_event_at }] of await endpoints.all())
    if (last_event_at !== undefined) telemetry.lastAccepted(endpoint, Date.parse(last_event_at) / 1000);
  telemetry.secretEnds(secretEnds());
}
