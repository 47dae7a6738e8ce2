import { keepNewest, recordsOf } from '@order-automation/service';
import type { ConnectorDeps } from '../connector';
import { entriesOf, messageOf } from '../orders/order-change';
import type { OrderDocument, Stock } from './order-document';
import { isStockPending, itemsOf, withDue, withStockSettled } from './order-status';
import type { Orders } from './orders';
import type { StockReducer } from './stock-reducer';

type HandoverDeps = Pick<ConnectorDeps, 'bus' | 'clock' | 'outbox' | 'telemetry'> & {
  readonly orders: Orders;
  readonly stockReducer: StockReducer;
};

type Outgoing = Pick<OrderDocument, 'order' | 'outbox'>;

const outgoingEntries = ({ order, outbox }: Outgoing) =>
  outbox.flatMap((change) => entriesOf([change], order, change.source));

/** Ids of entries in the cache: an import has that many orders in flight at evaluation. */
const maxStored = 20_000;

/**
 * What an order document still owes the world: its changes to the log and to evaluation, its items to the stock. All of it is stored with the change
 * that caused it and may be handed over twice, never lost.
 */
export function handover({ bus, clock, orders, outbox, stockReducer, telemetry }: HandoverDeps) {
  /** A cache of the entries that the outbox has stored: it delivers them itself, however long evaluation takes. */
  const stored = new Set<string>();
  const addEntries = async (outgoing: readonly Outgoing[]): Promise<void> => {
    const entries = outgoing.flatMap(outgoingEntries).filter(({ uid }) => !stored.has(uid));
    if (entries.length === 0) return;
    await outbox.add(recordsOf(entries));
    for (const { uid } of entries) stored.add(uid);
    keepNewest(stored, maxStored);
  };

  /** Entries first: what evaluation reports done is forgotten. Resolves whatever happens: what was not taken is handed over later, under the same ids. */
  const handOver = async (outgoing: readonly Outgoing[]): Promise<void> => {
    const messages = outgoing.flatMap(({ outbox: changes }) =>
      changes.map(({ source: _, ...change }) => messageOf(change, clock.now())),
    );
    try {
      await addEntries(outgoing);
      if (messages.length > 0) await bus.publish(messages);
    } catch (error) {
      telemetry.notHandedOver('order changes', error);
    }
  };

  const moveStock = async (documents: readonly OrderDocument[]): Promise<Map<number, Stock>> => {
    const settled = new Map<number, Stock>();
    for (const { _id, order, stock } of documents) {
      if (!isStockPending(stock)) continue;
      try {
        if (stock.state === 'owed') await stockReducer.reduce(_id, stock.items, stock.moves);
        else if (stock.items.length > 0) await stockReducer.restore(_id, stock.items, stock.moves);
        else await stockReducer.add(_id, itemsOf(order), stock.moves);
        settled.set(_id, stock);
      } catch (error) {
        telemetry.notHandedOver('stock', error);
      }
    }
    return settled;
  };

  /** Notes whose stock is moved, and when the rest is due. */
  const confirm = async (
    documents: readonly OrderDocument[],
    settled: ReadonlyMap<number, Stock>,
    again: boolean,
  ): Promise<void> => {
    const attempts = new Map(documents.map(({ _id, attempt }) => [_id, attempt]));
    await orders.edit(
      documents.map(({ _id }) => _id),
      (document) => {
        const paid = settled.get(document._id);
        const pays = paid?.state === document.stock.state && paid.moves === document.stock.moves;
        const counts = again && document.attempt === attempts.get(document._id);
        if (!pays && !counts) return document;
        const attempt = document.attempt + (counts ? 1 : 0);
        return withDue({ ...(pays ? withStockSettled(document) : document), attempt }, clock.now());
      },
    );
  };

  return {
    /** Right after changes were stored: those that have these ids. */
    changes: async (documents: readonly OrderDocument[], ids: ReadonlySet<string>): Promise<void> => {
      const made = documents.map((one) => ({
        ...one,
        outbox: one.outbox.filter(({ change_id }) => ids.has(change_id)),
      }));
      for (const { outbox: changes } of made) for (const change of changes) telemetry.orderChanged(change);
      await handOver(made);
    },
    /** Right after a change: stock at once, because the answer says so. */
    stock: async (documents: readonly OrderDocument[]): Promise<void> => {
      const settled = await moveStock(documents);
      if (settled.size > 0) await confirm(documents, settled, false);
    },
    due: orders.due,
    /** Everything these still owe, once more. */
    again: async (documents: readonly OrderDocument[]): Promise<void> => {
      telemetry.handedOverAgain(documents.length);
      await handOver(documents);
      await confirm(documents, await moveStock(documents), true);
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
