import { type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import type { Telemetry } from '../telemetry';
import type { Collections } from './collections';
import { inboxFigures } from './figures';

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
  telemetry.inbox(await inboxFigures(collections), clock.now());
  for (const [endpoint, { last_event_at }] of await endpoints.all())
    if (last_event_at !== undefined) telemetry.lastAccepted(endpoint, Date.parse(last_event_at) / 1000);
  telemetry.secretEnds(secretEnds());
}
