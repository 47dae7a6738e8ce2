import type { NewAuditEntry } from '@order-automation/contracts';
import type { Outbox } from '@order-automation/service';
import type { Documents, Store } from '@order-automation/store';
import { keyOfEarlier } from '../gateways/generic/idempotency-keys';
import { type InboxDocument, type InboxEvent, split } from './documents';
import { recordOf } from './entries';
import type { Payloads } from './payloads';

const batch = 100;

/** As a version before stored it: with its payload, and without what is said of that beside it. */
type OldDocument = Omit<InboxEvent, 'gateway' | 'event_type'>;

/**
 * Moves the payloads of documents that a version before has written. Those come first in the order of arrival: the oldest document tells whether
 * any is left, and a second call goes on where the first one ended.
 */
export async function moveOldPayloads(documents: Documents<InboxDocument>, payloads: Payloads): Promise<void> {
  for (let after = ''; ; ) {
    const limit = after === '' ? 1 : batch;
    const found = await documents
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit)
      .toArray();
    const old = found.filter(isOld);
    const last = found.at(-1);
    if (!last || old.length === 0) return;
    await moveBatch(documents, payloads, old);
    after = last._id;
  }
}

function isOld(document: InboxDocument): document is InboxDocument & OldDocument {
  return 'event' in document && 'webhook' in document;
}

async function moveBatch(
  documents: Documents<InboxDocument>,
  payloads: Payloads,
  old: readonly OldDocument[],
): Promise<void> {
  const both = old.map((one) => {
    const key = keyOfEarlier({ key: one.key, connection: one.webhook.connection, body: one.body ?? '' });
    return split({ ...one, key, gateway: one.event.sourceGateway, event_type: one.event.eventType });
  });
  await payloads.addEarlier(both.map(({ payload }) => payload));
  await documents.bulkWrite(
    both.map(({ document: { _id, ...replacement } }) => ({ replaceOne: { filter: { _id }, replacement } })),
    { ordered: false },
  );
}

type OldEntry = { readonly _id: string; readonly entry: NewAuditEntry };

/** Entries that a version before has not handed to audit yet go into the outbox. */
export async function moveOldEntries(store: Store, outbox: Pick<Outbox, 'add'>): Promise<void> {
  const documents = await store.collection<OldEntry>('owed');
  for (;;) {
    const found = await documents.find({}).limit(batch).toArray();
    if (found.length === 0) return;
    await outbox.add(found.map(({ entry }) => recordOf(entry)));
    await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  }
}
