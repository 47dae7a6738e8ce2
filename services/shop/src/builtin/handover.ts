import { recordEntries, type ServiceDeps } from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import { messageOf, type ShopEvent } from './order-change';
import { withDue } from './order-status';
import type { OrderDocument, Orders } from './orders';
import type { Stockroom } from './stock';

const entriesAtOnce = 200;

export type HandoverDeps = Pick<ServiceDeps, 'bus' | 'clock'> & {
  readonly orders: Orders;
  readonly stockroom: Stockroom;
  readonly telemetry: Telemetry;
};

export type Handover = ReturnType<typeof handover>;

/**
 * What an order document still owes the world: its changes to evaluation, its entries to audit, its items to the stock. All of it is
 * stored with the change that caused it and may be handed over twice, never lost.
 */
export function handover({ bus, clock, orders, stockroom, telemetry }: HandoverDeps) {
  const background = new Set<Promise<void>>();

  /** Resolves whatever happens: what was not taken is published again later, under the same id. */
  const publish = async (changes: readonly ShopEvent[], again = false): Promise<void> => {
    if (changes.length === 0) return;
    const messages = changes.map((change) => messageOf(change, clock.now()));
    if (!again) for (const change of changes) telemetry.orderChanged(change);
    await bus.publish(messages).catch((error: unknown) => telemetry.notHandedOver('order changes', error));
  };

  const record = async (documents: readonly OrderDocument[]): Promise<Set<string>> => {
    const entries = documents.flatMap((document) => document.entries);
    const confirmed = new Set<string>();
    try {
      for (let start = 0; start < entries.length; start += entriesAtOnce) {
        const part = entries.slice(start, start + entriesAtOnce);
        await recordEntries(bus, part);
        for (const { uid } of part) confirmed.add(uid);
      }
    } catch (error) {
      telemetry.notHandedOver('audit entries', error);
    }
    return confirmed;
  };

  const settleStock = async (documents: readonly OrderDocument[]): Promise<Set<number>> => {
    const settled = new Set<number>();
    for (const { _id, stock } of documents) {
      if (stock.state !== 'owed') continue;
      try {
        await stockroom.reduce(_id, stock.items);
        settled.add(_id);
      } catch (error) {
        telemetry.notHandedOver('stock', error);
      }
    }
    return settled;
  };

  /** Notes what was confirmed, and when the rest is due. */
  const confirm = async (
    documents: readonly OrderDocument[],
    confirmed: ReadonlySet<string>,
    settled: ReadonlySet<number>,
    again: boolean,
  ): Promise<void> => {
    const seen = new Set<number>();
    await orders.edit(
      documents.map(({ _id }) => _id),
      (document) => {
        const entries = document.entries.filter(({ uid }) => !confirmed.has(uid));
        const pays = settled.has(document._id) && document.stock.state === 'owed';
        const counts = again && !seen.has(document._id);
        if (entries.length === document.entries.length && !pays && !counts) return document;
        seen.add(document._id);
        const stock = pays ? { ...document.stock, state: 'done' as const } : document.stock;
        return withDue({ ...document, entries, stock, attempt: document.attempt + (again ? 1 : 0) }, clock.now());
      },
    );
  };

  return {
    publish,
    /** Right after a change: stock at once, because the answer says so. */
    stock: async (documents: readonly OrderDocument[]): Promise<void> => {
      const settled = await settleStock(documents);
      if (settled.size > 0) await confirm(documents, new Set(), settled, false);
    },
    /** Hands entries to audit without waiting for it: what it does not confirm is handed over again. */
    entries: (documents: readonly OrderDocument[]): void => {
      const task = (async () => {
        const confirmed = await record(documents);
        if (confirmed.size > 0) await confirm(documents, confirmed, new Set(), false);
      })();
      const settled: Promise<void> = task
        .catch((error: unknown) => telemetry.notHandedOver('audit entries', error))
        .finally(() => background.delete(settled));
      background.add(settled);
    },
    /** Resolves when nothing is in flight that nobody waits for. */
    idle: async (): Promise<void> => {
      await Promise.all(background);
    },
    due: (limit: number) => orders.due(clock.now(), limit),
    /** Everything these still owe, once more. */
    again: async (documents: readonly OrderDocument[]): Promise<void> => {
      telemetry.handedOverAgain(documents.length);
      for (const { outbox } of documents) await publish(outbox, true);
      await confirm(documents, await record(documents), await settleStock(documents), true);
    },
    /** Evaluation has seen these changes through. */
    changesDone: async (done: readonly { event_id: string; order_id: number | null }[]): Promise<void> => {
      const ids = new Set(done.map(({ event_id }) => event_id));
      const owners = done.flatMap(({ order_id }) => order_id ?? []);
      await orders.edit(owners, (document) => {
        const outbox = document.outbox.filter(({ change_id }) => !ids.has(change_id));
        return outbox.length === document.outbox.length ? document : withDue({ ...document, outbox }, clock.now());
      });
    },
  };
}
