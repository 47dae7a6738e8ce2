import type { CommandResult, Order } from '@order-automation/contracts';
import { recordsOf } from '@order-automation/service';
import type { ConnectorDeps } from '../connector';
import { dueAfter } from '../orders/handover-relay';
import { type ChangeSource, entriesOf, messageOf, type ShopEvent } from '../orders/order-change';
import type { Journal, JournalDocument } from './journal';

export type Done = {
  readonly _id: string;
  readonly order: Order;
  readonly result: CommandResult | null;
  readonly change: ShopEvent;
  readonly source: ChangeSource;
};

export type Handover = ReturnType<typeof handoverOf>;

type HandoverDeps = Pick<ConnectorDeps, 'bus' | 'clock' | 'outbox' | 'telemetry'> & { readonly journal: Journal };

/** Hands the change of an order over: its entry to the log, and the change to evaluation until that has seen it through. */
export function handoverOf({ bus, clock, journal, outbox, telemetry }: HandoverDeps) {
  /** The entry first: a change that is reported done is forgotten. Always resolves: what was not taken is handed over again under the same ids. */
  const handOver = async ({ change, entries }: JournalDocument): Promise<void> => {
    try {
      await outbox.add(recordsOf(entries));
      if (change) await bus.publish([messageOf(change, clock.now())]);
    } catch (error) {
      telemetry.notHandedOver('order changes', error);
    }
  };

  return {
    /** Stores it and hands it over; neither the log nor evaluation is waited for. */
    add: async ({ _id, order, result, change, source }: Done): Promise<void> => {
      const at = clock.now();
      const entries = entriesOf([change], order, source);
      const document = { _id, order_id: order.id, at, result, change, entries, attempt: 0, due: dueAfter(0, at) };
      if (!(await journal.add(document))) return;
      telemetry.orderChanged(change);
      await handOver(document);
    },
    due: journal.due,
    /** Everything these still owe, once more. */
    again: async (documents: readonly JournalDocument[]): Promise<void> => {
      telemetry.handedOverAgain(documents.length);
      for (const document of documents) {
        await handOver(document);
        await journal.retryAt(document, clock.now());
      }
    },
    changesDone: async (done: readonly { event_id: string }[]): Promise<void> => {
      for (const { event_id } of done) await journal.changeDone(event_id);
    },
  };
}
