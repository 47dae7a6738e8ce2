import type { NewAuditEntry } from '@order-automation/contracts';
import { batcher, type ServiceDeps } from '@order-automation/service';
import { receptionEntry } from '../receiving/entries';
import type { Telemetry } from '../telemetry';
import type { Inbox, InboxDocument } from './inbox';
import type { Owed, OwedDocument } from './owed';

export type Recorder = {
  /** Records receptions without a promise: `ensureRecorded` makes up for what this misses. */
  receptions(documents: readonly InboxDocument[]): void;
  /** Resolves when audit has the reception of each of these events. */
  ensureRecorded(ids: readonly string[]): Promise<void>;
  /** Nobody will ask about these any more. */
  forget(ids: readonly string[]): void;
  /** Records entries that are owed, without a promise: the relay makes up for what this misses. */
  owed(documents: readonly OwedDocument[]): void;
  /** Resolves when audit has these, and they are owed no longer. */
  confirmOwed(documents: readonly OwedDocument[]): Promise<void>;
  idle(): Promise<void>;
};

type Parts = Pick<ServiceDeps, 'bus'> & {
  readonly inbox: Inbox;
  readonly owed: Owed;
  readonly telemetry: Telemetry;
};

type Item = { readonly id: string; readonly entry: NewAuditEntry; readonly owed: boolean };

const entriesInBatch = 200;
/** Past this the work is left to the relay and to `ensureRecorded`, which keep nothing in memory. */
const mostWaiting = 5_000;
/** Receptions that are remembered as recorded; further ones are recorded twice, which audit notices by their uid. */
const mostRemembered = 100_000;

/**
 * Records receptions, refusals and duplicates in the log. What is owed lies in the store until audit has it; a reception follows from its
 * inbox document, which is not closed before audit has it.
 */
export function startRecorder({ bus, inbox, owed, telemetry }: Parts): Recorder {
  const recorded = new Set<string>();
  const run = async (items: readonly Item[]): Promise<undefined[]> => {
    try {
      await bus.request('audit.record.v1', { entries: items.map(({ entry }) => entry) }, { timeout: 10_000 });
    } catch (error) {
      telemetry.entriesKept(items.length, error);
      throw error;
    }
    for (const { id, owed: isOwed } of items) if (!isOwed && recorded.size < mostRemembered) recorded.add(id);
    const confirmed = items.filter((item) => item.owed).map(({ id }) => id);
    if (confirmed.length > 0) await owed.remove(confirmed);
    return items.map(() => undefined);
  };
  const batches = batcher<Item, undefined>({ maxItems: entriesInBatch, concurrency: 2, run });
  const try_ = (item: Item): void => {
    if (batches.waiting() < mostWaiting) batches.add(item).catch(() => undefined);
  };
  const itemOf = (document: InboxDocument): Item => ({
    id: document._id,
    entry: receptionEntry(document),
    owed: false,
  });
  return {
    receptions: (documents) => {
      for (const document of documents) try_(itemOf(document));
    },
    ensureRecorded: async (ids) => {
      const missing = ids.filter((id) => !recorded.has(id));
      if (missing.length === 0) return;
      const documents = await inbox.inState(missing, 'accepted');
      await Promise.all(documents.map((document) => batches.add(itemOf(document))));
    },
    forget: (ids) => {
      for (const id of ids) recorded.delete(id);
    },
    owed: (documents) => {
      for (const { _id, entry } of documents) try_({ id: _id, entry, owed: true });
    },
    confirmOwed: async (documents) => {
      await Promise.all(documents.map(({ _id, entry }) => batches.add({ id: _id, entry, owed: true })));
    },
    idle: () => batches.idle(),
  };
}
