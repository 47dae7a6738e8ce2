import { isDuplicateKey, type Store } from '@order-automation/store';
import { isStale, type ObjectState, withState } from './object-states';
import { type Payment, remembering, type Sighting, sight } from './payments';

/** What gateways have reported about one order: its completed payments, and the last state of each object. */
export type HistoryDocument = {
  readonly _id: number;
  readonly rev: number;
  readonly payments: readonly Payment[];
  readonly states: readonly ObjectState[];
};

/** What one event adds; null where it reports none. */
export type Report = { readonly payment: Payment | null; readonly state: ObjectState | null };

export type Reading = {
  readonly sighting: Sighting | null;
  readonly stale: boolean;
  /** The completed payments that were seen before. */
  readonly payments: readonly Payment[];
};

export interface OrderHistory {
  /** Reads what is known and adds the event, in one step; with `remember` false nothing is added, as for test events. */
  note(orderId: number, report: Report, remember: boolean): Promise<Reading>;
}

type Known = Pick<HistoryDocument, 'payments' | 'states'>;

/** What is read of an event, and what is known after it: the same object when nothing is new. */
export function read(known: Known, { payment, state }: Report): { reading: Reading; after: Known } {
  const stale = state !== null && isStale(known.states, state);
  const sighting = payment && !stale ? sight(known.payments, payment) : null;
  const reading = { sighting, stale, payments: known.payments };
  const payments = payment && sighting ? remembering(known.payments, payment, sighting) : known.payments;
  const states = state && !stale ? withState(known.states, state) : known.states;
  const same = payments === known.payments && states === known.states;
  return { reading, after: same ? known : { payments, states } };
}

const nothing: Known = { payments: [], states: [] };

export async function openOrderHistory(store: Store): Promise<OrderHistory> {
  const documents = await store.collection<HistoryDocument>('order_history');

  /** False when another instance was first. */
  const save = async (orderId: number, before: HistoryDocument | null, after: Known): Promise<boolean> => {
    if (before) {
      const { _id, rev } = before;
      return (await documents.updateOne({ _id, rev }, { $set: { ...after, rev: rev + 1 } })).matchedCount === 1;
    }
    try {
      await documents.insertOne({ _id: orderId, rev: 1, ...after });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    note: async (orderId, report, remember) => {
      for (;;) {
        const before = await documents.findOne({ _id: orderId });
        const known = before ?? nothing;
        const { reading, after } = read(known, report);
        if (!remember || after === known || (await save(orderId, before, after))) return reading;
      }
    },
  };
}
