import type { NewAuditEntry } from '@order-automation/contracts';
import { batcher, type ServiceDeps } from '@order-automation/service';
import type { Inbox } from './inbox';
import type { Owed } from './owed';
import type { Telemetry } from './telemetry';

/** An entry, and the document that is removed (of `owed`) or marked (of `inbox`) when audit has it. */
export type Owing = { readonly of: 'owed' | 'inbox'; readonly id: string; readonly entry: NewAuditEntry };

export type HandOver = {
  /** Settles when audit has it. */
  confirmed(owing: Owing): Promise<undefined>;
  /** Drops it when too many wait: the relay comes back to it. */
  add(owing: Owing): void;
  idle(): Promise<void>;
};

type Parts = Pick<ServiceDeps, 'bus'> & {
  readonly inbox: Inbox;
  readonly owed: Owed;
  readonly telemetry: Telemetry;
};

const entriesBatch = 200;
/** Past this the fast path leaves the work to the relay, which keeps nothing in memory. */
const mostOwed = 5_000;

/** Entries on their way to audit. */
export function entryBatches({ bus, inbox, owed, telemetry }: Parts): HandOver {
  const handOver = async (batch: readonly Owing[]): Promise<undefined[]> => {
    try {
      await bus.request('audit.record.v1', { entries: batch.map(({ entry }) => entry) });
      const idsOf = (wanted: Owing['of']) => batch.filter((owing) => owing.of === wanted).map(({ id }) => id);
      const [removed, marked] = [idsOf('owed'), idsOf('inbox')];
      if (removed.length > 0) await owed.remove(removed);
      if (marked.length > 0) await inbox.markHanded(marked);
      return batch.map(() => undefined);
    } catch (error) {
      telemetry.entriesKept(batch.length, error);
      throw error;
    }
  };
  const batches = batcher<Owing, undefined>({ maxItems: entriesBatch, concurrency: 2, run: handOver });
  return {
    confirmed: (owing) => batches.add(owing),
    add: (owing) => {
      if (batches.waiting() < mostOwed) batches.add(owing).catch(() => undefined);
    },
    idle: () => batches.idle(),
  };
}
