import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import type { Finding } from './laws';

/** What is wrong with an order, and since when that is known (ISO 8601). */
export type KnownFinding = Finding & { readonly since: string };

/** An order that is checked at `at` (milliseconds since the epoch), or that breaks a law now. The document 0 is the round through all orders. */
export type MoneyCheckDocument = {
  readonly _id: number;
  readonly at: number;
  readonly found: readonly KnownFinding[];
  /** It breaks a law now. */
  readonly open?: true;
  /** What moved the order as if it were paid. */
  readonly unproven?: string;
  /** Of the round: the last order that it has checked; null while no round runs. */
  readonly cursor?: number | null;
  readonly began_at?: string;
  readonly ended_at?: string;
};

const moneyIndexes: readonly IndexDescription[] = [
  { name: 'at', key: { at: 1 } },
  { name: 'open', key: { open: 1 }, sparse: true },
];

const round = 0;
export const isRound = ({ _id }: MoneyCheckDocument): boolean => _id === round;

export type MoneyDocuments = Awaited<ReturnType<typeof openMoneyDocuments>>;

export async function openMoneyDocuments(store: Store) {
  const documents = await store.collection<MoneyCheckDocument>('money_checks', moneyIndexes);
  const look = async (_id: number, at: number, unproven?: string): Promise<void> => {
    const marked = unproven === undefined ? {} : { unproven };
    const known = await insertNew(documents, [{ _id, at, found: [], ...marked }]);
    if (known.length > 0) await documents.updateOne({ _id, at: { $gt: at } }, { $set: { at, ...marked } });
  };
  return {
    look,
    /** Those that break a law now, and it may be over. */
    lookAgain: (at: number, of: { readonly _id?: number } = {}) =>
      documents.updateMany({ ...of, open: true, at: { $gt: at } }, { $set: { at } }),
    due: (now: number, limit: number): Promise<MoneyCheckDocument[]> =>
      documents.find({ at: { $lte: now } }, { sort: { at: 1 }, limit }).toArray(),
    /** Changes nothing when somebody has scheduled another check since the document was read. */
    keep: ({ _id, at }: MoneyCheckDocument, found: readonly KnownFinding[], next: number) =>
      found.length > 0
        ? documents.updateOne({ _id, at }, { $set: { found, open: true as const, at: next } })
        : documents.updateOne({ _id, at }, { $set: { found, at: next }, $unset: { open: '' } }),
    remove: ({ _id, at }: MoneyCheckDocument) => documents.deleteMany({ _id, at }),
    postpone: ({ _id }: MoneyCheckDocument, at: number) => documents.updateOne({ _id }, { $set: { at } }),
    broken: (limit: number) => documents.find({ open: true }).sort({ _id: -1 }).limit(limit).toArray(),
    countBroken: () => documents.countDocuments({ open: true }),
    round: () => documents.findOne({ _id: round }),
    planRound: (at: number) => look(round, at),
    /** Starts a round now; false while one runs, or starts before that time anyway. */
    beginRound: async (now: number, before: number): Promise<boolean> => {
      const begun = { at: now, cursor: null };
      return (await documents.updateOne({ _id: round, at: { $gt: before } }, { $set: begun })).matchedCount > 0;
    },
    saveRound: (progress: Partial<Omit<MoneyCheckDocument, '_id'>>) =>
      documents.updateOne({ _id: round }, { $set: progress }),
  };
}
