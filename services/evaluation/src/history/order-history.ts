import { derivedId, type Order } from '@order-automation/contracts';
import { keepNewest } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';
import { findInBatches, inBatches } from '../attempts/in-batches';
import { isStale, type ObjectState } from './object-states';
import type { PaidMove } from './paid-moves';
import type { Payment } from './payments';
import type { Refund } from './refunds';

/** What gateways have reported about one order: its completed payments, its refunds, and the last state of each object. */
export type HistoryDocument = {
  readonly _id: number;
  readonly rev: number;
  /** A digest of the order's key; absent where it is not known. */
  readonly secret?: string;
  readonly payments: readonly Payment[];
  readonly states: readonly ObjectState[];
  /** Absent while there is none. */
  readonly refunds?: readonly Refund[];
  /** Absent while there is none. */
  readonly moves?: readonly PaidMove[];
  /** Completed payments whose amount or currency does not fit the order; absent while there is none. */
  readonly unfit?: readonly Payment[];
  /** The last change of the order that was our own, where rules listen to what the shop says of it. */
  readonly changed?: OwnChange;
};

/** What our own change left behind: the shop may report it as an event, which is then no news. */
export type OwnChange = { readonly revision: string; readonly depth: number; readonly rules: readonly number[] };

export type Known = Pick<HistoryDocument, 'secret' | 'payments' | 'states' | 'refunds' | 'moves' | 'unfit' | 'changed'>;

/** What is made of what is known, and what is known after it: the same object when nothing is new. */
export type Read<Result> = (known: Known) => { readonly result: Result; readonly after: Known };

export interface OrderHistory {
  /**
   * Reads what is known and adds what is new, in one step; with `remember` false nothing is added, as for test events. `isNew`: something was added, so that
   * nobody has evaluated the event before.
   */
  note<Result>(
    orderId: number,
    read: Read<Result>,
    remember: boolean,
  ): Promise<{ readonly result: Result; readonly isNew: boolean }>;
  /** Whether a later state of the object has been noted meanwhile. */
  isPassed(orderId: number, state: ObjectState): Promise<boolean>;
}

export interface KnownOrders {
  /** What is known now; nothing of an order that no gateway has reported anything of. */
  known(orderId: number): Promise<Known>;
  /** Orders behind this one that something is known of, in ascending order. */
  idsAfter(orderId: number, limit: number): Promise<number[]>;
}

const nothing: Known = { payments: [], states: [] };

/** Nothing is known of an order that has the id of a lost one now: a shop whose database was put back gives such ids away once more. */
export const ofOrder =
  <Result>({ order_key }: Order, read: Read<Result>): Read<Result> =>
  (known) => {
    if (typeof order_key !== 'string' || order_key === '') return read(known);
    const secret = derivedId(order_key);
    const own = (known.secret ?? secret) === secret ? known : nothing;
    const { result, after } = read(own);
    return { result, after: after === known ? known : { ...after, secret } };
  };

/** Histories that are kept in memory as a first guess, each for the next event of its order. */
const maxRecent = 2_000;

export async function openOrderHistory(store: Store): Promise<OrderHistory & KnownOrders> {
  const documents = await store.collection<HistoryDocument>('order_history');
  const recent = new Map<number, HistoryDocument>();
  const find = findInBatches(documents);
  const insert = inBatches<HistoryDocument, boolean>(async (added) => {
    const taken = new Set(await insertNew(documents, added));
    return added.map((_, index) => !taken.has(index));
  });
  /** Each only while it is the revision before; false when another instance was first. */
  const replace = inBatches<HistoryDocument, boolean>(async (changed) => {
    const replacements = changed.map((replacement) => ({
      replaceOne: { filter: { _id: replacement._id, rev: replacement.rev - 1 }, replacement },
    }));
    const { matchedCount } = await documents.bulkWrite(replacements, { ordered: false });
    if (matchedCount === changed.length) return changed.map(() => true);
    if (changed.length === 1) return [false];
    throw new Error('some of these histories have changed meanwhile');
  });
  const write = async (orderId: number, before: HistoryDocument | null, after: Known): Promise<boolean> => {
    const document = { ...after, _id: orderId, rev: (before?.rev ?? 0) + 1 };
    recent.delete(orderId);
    if (!(await (before ? replace : insert)(document))) return false;
    recent.set(orderId, document);
    keepNewest(recent, maxRecent);
    return true;
  };
  return {
    known: async (orderId) => (await find(orderId)) ?? nothing,
    idsAfter: async (orderId, limit) => {
      const found = documents.find({ _id: { $gt: orderId } }).sort({ _id: 1 });
      return (await found.limit(limit).toArray()).map(({ _id }) => _id);
    },
    isPassed: async (orderId, state) => isStale((await find(orderId))?.states ?? [], state),
    note: async (orderId, read, remember) => {
      // Without a read where the write proves what was known: a first history, or the one that was written last.
      let before: HistoryDocument | null = recent.get(orderId) ?? null;
      for (let isGuess = true; ; isGuess = false, before = await find(orderId)) {
        const known = before ?? nothing;
        const { result, after } = read(known);
        const isWritten = remember && after !== known;
        if (isWritten ? await write(orderId, before, after) : !isGuess) return { result, isNew: isWritten };
      }
    },
  };
}
