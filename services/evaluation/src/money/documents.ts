import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import type { Finding } from './laws';

/** What is wrong with an order, and since when that is known (ISO 8601). */
export type Known = Finding & { readonly since: string };

/** An order that is to be looked at `at` (milliseconds since the epoch), or that breaks a law now. Under 0 stands the round through all orders. */
export type MoneyCheckDocument = {
  readonly _id: number;
  readonly at: number;
  readonly found: readonly Known[];
  /** It breaks a law now. */
  readonly open?: true;
  /** What moved the order as if it were paid. */
  readonly unproven?: string;
  /** Of the round: the last order that it has looked at; null while none is under way. */
  readonly cursor?: number | null;
  readonly began_at?: string;
  readonly ended_at?: string;
};

export const moneyIndexes: readonly IndexDescription[] = [
  { name: 'at', key: { at: 1 } },
  { name: 'open', key: { open: 1 }, sparse: true },
];

const round = 0;
export const isRound = ({ _id }: MoneyCheckDocument): boolean => _id === round;

export type MoneyDocuments = Awaited<ReturnType<typeof openMoneyDocuments>>;

/** Every query of the checks, by name. */
export async function openMoneyDocuments(store: Store) {
  const documents = await store.collection<MoneyCheckDocument>('money_checks', moneyIndexes);
  /** Has an order looked at by that time. */
  const look = async (_id: number, at: number, unproven?: string): Promise<void> => {
    const marked = unproven === undefined ? {} : { unproven };
    const known = await insertNew(documents, [{ _id, at, found: [], ...marked }]);
    if (known.length > 0) await documents.updateOne({ _id, at: { $gt: at } }, { $set: { at, ...marked } });
  };
  return {
    look,
    due: (now: number, limit: number): Promise<MoneyCheckDocument[]> =>
      documents
        .find({ at: { $lte: now } })
        .sort({ at: 1 })
        .limit(limit)
        .toArray(),
    /** Whoever has asked for another look meanwhile is not forgotten: then nothing is changed. */
    keep: ({ _id, at }: MoneyCheckDocument, found: readonly Known[], next: number) =>
      found.length > 0
        ? documents.updateOne({ _id, at }, { $set: { found, open: true as const, at: next } })
        : documents.updateOne({ _id, at }, { $set: { found, at: next }, $unset: { open: '' } }),
    remove: ({ _id, at }: MoneyCheckDocument) => documents.deleteMany({ _id, at }),
    postpone: ({ _id }: MoneyCheckDocument, at: number) => documents.updateOne({ _id }, { $set: { at } }),
    broken: (limit: number) => documents.find({ open: true }).limit(limit).toArray(),
    countBroken: () => documents.countDocuments({ open: true }),
    round: () => documents.findOne({ _id: round }),
    /** Has a round by that time. */
    planRound: (at: number) => look(round, at),
    /** Begins one now; false while one is under way or about to begin, before that time. */
    beginRound: async (now: number, before: number): Promise<boolean> => {
      const begun = { at: now, cursor: null };
      return (await documents.updateOne({ _id: round, at: { $gt: before } }, { $set: begun })).matchedCount > 0;
    },
    saveRound: async (progress: Partial<Omit<MoneyCheckDocument, '_id'>>): Promise<void> => {
      await documents.updateOne({ _id: round }, { $set: progress });
    },
  };
}
