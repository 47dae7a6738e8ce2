import type { CommandResult, Order } from '@order-automation/contracts';
import { recordEntries, type ServiceDeps } from '@order-automation/service';
import { type ChangeSource, entryOf, isRecorded, messageOf, type ShopEvent } from '../builtin/order-change';
import type { Telemetry } from '../telemetry';
import { dueAfter, type Journal, type JournalDocument } from './journal';

export type Done = {
  readonly _id: string;
  readonly order: Order;
  readonly result: CommandResult | null;
  readonly change: ShopEvent | null;
  readonly source: ChangeSource;
};

export type Handover = ReturnType<typeof handoverOf>;

/** What a change of an order owes the world: it is published until evaluation has seen it through, and recorded until audit confirms its entry. */
export function handoverOf({ bus, clock }: Pick<ServiceDeps, 'bus' | 'clock'>, journal: Journal, telemetry: Telemetry) {
  const background = new Set<Promise<void>>();

  const publish = async ({ change }: JournalDocument): Promise<void> => {
    if (change === null) return;
    await bus
      .publish([messageOf(change, clock.now())])
      .catch((error: unknown) => telemetry.notHandedOver('order changes', error));
  };

  const record = async ({ _id, entries }: JournalDocument): Promise<void> => {
    if (entries.length === 0) return;
    try {
      await recordEntries(bus, entries);
      await journal.entriesRecorded(_id);
    } catch (error) {
      telemetry.notHandedOver('audit entries', error);
    }
  };

  return {
    /** Stores it, publishes the change and records its entry; the log is not waited for. */
    add: async ({ _id, order, result, change, source }: Done): Promise<void> => {
      const entries = change && isRecorded(change) ? [entryOf(change, order, source)] : [];
      const base = { _id, order_id: order.id, at: clock.now(), result, change, entries, attempt: 0 };
      const document = change === null ? base : { ...base, due: dueAfter(0, clock.now()) };
      const isNew = await journal.add(document);
      if (!isNew || change === null) return;
      telemetry.orderChanged(change);
      await publish(document);
      const task: Promise<void> = record(document).finally(() => background.delete(task));
      background.add(task);
    },
    due: (limit: number) => journal.due(clock.now(), limit),
    /** Everything these still owe, once more. */
    again: async (documents: readonly JournalDocument[]): Promise<void> => {
      telemetry.handedOverAgain(documents.length);
      for (const document of documents) {
        await publish(document);
        await record(document);
        await journal.retryAt(document, clock.now());
      }
    },
    changesDone: async (done: readonly { event_id: string }[]): Promise<void> => {
      for (const { event_id } of done) await journal.changeDone(event_id);
    },
    /** Resolves when nothing is in flight. */
    idle: async (): Promise<void> => {
      await Promise.all(background);
    },
  };
}
