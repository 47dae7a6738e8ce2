import type { Outbox, ServiceDeps } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import type { AdapterRouter } from '../gateways/router';
import type { Collections } from '../inbox/collections';
import { firstDelay, type InboxEvent } from '../inbox/documents';
import type { Telemetry } from '../telemetry';
import { confirmationRelays } from './confirmations';
import { eventRelay } from './events';
import { type FastPath, fastPath } from './fast-path';
import { heldRelay } from './held';
import { maintenanceRelays } from './maintenance';
import { newProgress, type Progress } from './progress';
import { type Receptions, recordReceptions } from './receptions';

export type Delivery = Awaited<ReturnType<typeof startDelivery>>;

export type DeliveryDeps = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly collections: Collections;
  readonly endpoints: Pick<Endpoints, 'paused' | 'isPausedNow'>;
  readonly router: AdapterRouter;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly telemetry: Telemetry;
};

export type DeliveryParts = DeliveryDeps & {
  readonly receptions: Receptions;
  readonly fast: FastPath;
  readonly progress: Progress;
  /** Milliseconds between two sweeps. */
  readonly every: number;
};

/** Everything after the answer (architecture, "The one promise", step 2). Rejects when the store is unavailable. */
export async function startDelivery(deps: DeliveryDeps, { every }: { readonly every: number }) {
  const { clock, collections } = deps;
  // Whatever the clock said when it was put off, and however long nothing ran.
  await collections.inbox.makeDue(clock.now());
  const receptions = recordReceptions(deps);
  const progress = newProgress(clock.now(), firstDelay);
  const fast = fastPath(deps, () => events.kick());
  const parts: DeliveryParts = { ...deps, receptions, fast, progress, every };
  const events = eventRelay(parts);
  const relays = [events, heldRelay(parts), ...confirmationRelays(parts), ...maintenanceRelays(parts)];
  return {
    /** These are stored: publishes those that are to be evaluated, and records their reception; without a promise, for the relay finds what this misses. */
    accepted: (documents: readonly InboxEvent[]): void => {
      fast.announce(documents.filter(({ state }) => state === 'accepted'));
      receptions.add(documents);
    },
    /** Publishes these without recording them again. */
    publish: fast.announce,
    /** Evaluation has finished these events, and audit has their receptions. */
    done: (ids: readonly string[]): void => {
      progress.done(ids, clock.now());
      fast.forget(ids);
      receptions.forget(ids);
    },
    /** Stops sweeping and waits for what is in flight. */
    close: async () => {
      await Promise.all(relays.map((relay) => relay.close()));
      await Promise.all([fast.idle(), receptions.close()]);
    },
  };
}
