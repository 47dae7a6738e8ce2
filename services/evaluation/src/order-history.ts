import { insertNew, type Store } from '@order-automation/store';
import { isTransient } from './failures';
import { isStale, type ObjectState, withState } from './object-states';
import { classifyPayment, type Payment, type PaymentMatch, remembering } from './payments';
import { coalesced } from './ports/coalesce';
import { countedRefund, type Refund, withRefund } from './refunds';

/** What gateways have reported about one order: its completed payments, its refunds, and the last state of each object. */
export type HistoryDocument = {
  readonly _id: number;
  readonly rev: number;
  readonly payments: readonly Payment[];
  readonly states: readonly ObjectState[];
  /** Absent while there is none. */
  readonly refunds?: readonly Refund[];
};

/** What one event adds; null where it reports none. */
export type Report = {
  readonly payment: Payment | null;
  readonly refund: Refund | null;
  readonly state: ObjectState | null;
};

export type Reading = {
  /** The event was added: nobody has noted it before, and so nobody has evaluated it. */
  readonly isNew: boolean;
  readonly match: PaymentMatch | null;
  readonly stale: boolean;
  /** The refund of the report with the occurrence it counts as. */
  readonly refund: Refund | null;
  /** The completed payments, and the states of objects, that were seen before. */
  readonly payments: readonly Payment[];
  readonly states: readonly ObjectState[];
};

export interface OrderHistory {
  /** Reads what is known and adds the event, in one step; with `remember` false nothing is added, as for test events. */
  note(orderId: number, report: Report, remember: boolean): Promise<Reading>;
  /** Whether a later state of the object has been noted meanwhile. */
  isPassed(orderId: number, state: ObjectState): Promise<boolean>;
}

type Known = Pick<HistoryDocument, 'payments' | 'states' | 'refunds'>;

/** What is read of an event, and what is known after it: the same object when nothing is new. */
export function read(
  known: Known,
  { payment, refund: reported, state }: Report,
): { reading: Omit<Reading, 'isNew'>; after: Known } {
  const stale = state !== null && isStale(known.states, state);
  const match = payment && !stale ? classifyPayment(known.payments, payment) : null;
  const before = known.refunds ?? [];
  const refund = reported && !stale ? countedRefund(before, reported) : null;
  const reading = { match, stale, refund, payments: known.payments, states: known.states };
  const payments = payment && match ? remembering(known.payments, payment, match) : known.payments;
  const states = state && !stale ? withState(known.states, state) : known.states;
  const refunds = refund ? withRefund(before, refund) : before;
  const same = payments === known.payments && states === known.states && refunds === before;
  if (same) return { reading, after: known };
  return { reading, after: { payments, states, ...(refunds.length > 0 ? { refunds } : {}) } };
}

const nothing: Known = { payments: [], states: [] };

const maxItems = 64;
const concurrency = 8;
/** Histories that are kept in memory as a first guess, each for the next event of its order. */
const maxRecent = 2_000;

export async function openOrderHistory(store: Store): Promise<OrderHistory> {
  const documents = await store.collection<HistoryDocument>('order_history');
  const recent = new Map<number, HistoryDocument>();
  const group = { maxItems, concurrency, isTransient };
  const find = coalesced<number, HistoryDocument | null>({
    ...group,
    send: async (ids) => {
      const found = await documents.find({ _id: { $in: [...new Set(ids)] } }).toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return ids.map((id) => byId.get(id) ?? null);
    },
  });
  const insert = coalesced<HistoryDocument, boolean>({
    ...group,
    send: async (added) => {
      const taken = new Set(await insertNew(documents, added));
      return added.map((_, index) => !taken.has(index));
    },
  });
  /** Each only while it is the revision before; false when another instance was first. */
  const replace = coalesced<HistoryDocument, boolean>({
    ...group,
    send: async (changed) => {
      const replacements = changed.map((replacement) => ({
        replaceOne: { filter: { _id: replacement._id, rev: replacement.rev - 1 }, replacement },
      }));
      const { matchedCount } = await documents.bulkWrite(replacements, { ordered: false });
      if (matchedCount === changed.length) return changed.map(() => true);
      if (changed.length === 1) return [false];
      throw new Error('some of these histories have changed meanwhile');
    },
  });
  const write = async (orderId: number, before: HistoryDocument | null, after: Known): Promise<boolean> => {
    const document = { _id: orderId, rev: (before?.rev ?? 0) + 1, ...after };
    recent.delete(orderId);
    if (!(await (before ? replace : insert)(document))) return false;
    recent.set(orderId, document);
    for (const oldest of recent.keys()) {
      if (recent.size <= maxRecent) break;
      recent.delete(oldest);
    }
    return true;
  };
  return {
    isPassed: async (orderId, state) => isStale((await find(orderId))?.states ?? [], state),
    note: async (orderId, report, remember) => {
      // Without a read where the write proves what was known: a first history, or the one that was written last.
      let before: HistoryDocument | null = recent.get(orderId) ?? null;
      for (let isGuess = true; ; isGuess = false, before = await find(orderId)) {
        const known = before ?? nothing;
        const { reading, after } = read(known, report);
        const isWritten = remember && after !== known;
        if (isWritten ? await write(orderId, before, after) : !isGuess) return { ...reading, isNew: isWritten };
      }
    },
  };
}
