import { type Relay, startRelay } from '@order-automation/service';
import { type InboxDocument, quotaReleased } from '../inbox/documents';
import type { DeliveryParts } from './delivery';

const batch = 200;
const cleanUpEvery = 10 * 60_000;

/** Milliseconds between two looks for bodies that have to go, and for which those of finished events are kept where nothing proved them. */
const quotaEvery = 1_000;
const unauthenticatedLife = 24 * 60 * 60_000;

/** Removes what is older than keys are kept, and sooner the bodies of finished events that nothing proved. */
export function maintenanceRelays(parts: DeliveryParts): Relay[] {
  const { inbox, payloads, quota, transmissions } = parts.collections;
  return [
    startRelay<InboxDocument>({
      ...parts,
      name: 'bodies that nothing proved',
      pending: (now, limit) =>
        inbox.finishedWithQuota(quota.isUnderPressure() ? now : now - unauthenticatedLife, limit),
      send: async (documents) => {
        for (const document of documents) {
          await payloads.erase(document._id, {});
          if (await inbox.endQuota(document._id)) await quota.add([quotaReleased(document)]);
        }
      },
      every: quotaEvery,
      batch,
    }),
    startRelay<InboxDocument>({
      ...parts,
      name: 'inbox clean-up',
      pending: (now, limit) => inbox.expired(now, limit),
      send: async (documents) => {
        const ids = documents.map(({ _id }) => _id);
        await payloads.remove(ids);
        await inbox.remove(ids);
        await quota.add(documents.map(quotaReleased));
        await transmissions.removeExpired(parts.clock.now());
      },
      every: cleanUpEvery,
      batch,
    }),
  ];
}
