import { idBound } from '@order-automation/contracts';
import { type Relay, startPolling, startRelay } from '@order-automation/service';
import { type InboxDocument, quotaReleased } from '../inbox/documents';
import { keyLifetime } from '../inbox/inbox';
import type { DeliveryParts } from './delivery';

const batch = 200;
const cleanUpEvery = 10 * 60_000;

/** Milliseconds between two looks for bodies that have to go, and for which those of finished events are kept where nothing proved them. */
const quotaEvery = 1_000;
const unprovenLife = 24 * 60 * 60_000;

/** Removes what is older than keys are kept, and sooner the bodies of finished events that nothing proved. */
export function maintenanceRelays(parts: DeliveryParts): Relay[] {
  const { clock, log, collections } = parts;
  const { inbox, quota } = collections;
  return [
    startRelay<InboxDocument>({
      name: 'bodies that nothing proved',
      pending: (now, limit) => inbox.finishedWithQuota(quota.isUnderPressure() ? now : now - unprovenLife, limit),
      send: (documents) => removeBodies(parts, documents),
      every: quotaEvery,
      batch,
      clock,
      log,
    }),
    startRelay<InboxDocument>({
      name: 'inbox clean-up',
      pending: (now, limit) => inbox.expired(now, limit),
      send: (documents) => remove(parts, documents),
      every: cleanUpEvery,
      batch,
      clock,
      log,
    }),
    startPolling(
      'payload clean-up',
      cleanUpEvery,
      async () => {
        await removeOrphans(parts);
        await inbox.lookForEarlier();
      },
      parts,
    ),
  ];
}

async function remove({ collections, clock }: DeliveryParts, documents: readonly InboxDocument[]): Promise<void> {
  const { inbox, payloads, quota, transmissions } = collections;
  const ids = documents.map(({ _id }) => _id);
  await payloads.remove(ids);
  await inbox.remove(ids);
  await quota.add(documents.map(quotaReleased));
  await transmissions.removeExpired(clock.now());
}

async function removeBodies({ collections }: DeliveryParts, documents: readonly InboxDocument[]): Promise<void> {
  const { inbox, payloads, quota } = collections;
  for (const document of documents) {
    await payloads.erase(document._id, {});
    if (await inbox.endQuota(document._id)) await quota.add([quotaReleased(document)]);
  }
}

/** Payloads without a document, which a process of an earlier version left that ended between two writes. */
async function removeOrphans({ collections, clock }: DeliveryParts): Promise<void> {
  const { inbox, payloads } = collections;
  const below = idBound('evt', clock.now() - keyLifetime);
  for (let from = ''; ; ) {
    const ids = await payloads.ids({ from, below }, batch);
    const last = ids.at(-1);
    if (last === undefined) return;
    const there = new Set((await inbox.byIds(ids)).map(({ _id }) => _id));
    const orphans = ids.filter((id) => !there.has(id));
    if (orphans.length > 0) await payloads.remove(orphans);
    from = last;
  }
}
