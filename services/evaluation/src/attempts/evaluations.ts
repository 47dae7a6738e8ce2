import { heldBy, leasesOf } from '@order-automation/service';
import {
  deleteInPages,
  type Filter,
  type IndexDescription,
  insertNew,
  type Store,
  updateInPages,
} from '@order-automation/store';
import type { EvaluationDocument } from '../evaluation-document';
import type { Task } from '../task';

export const evaluationIndexes: IndexDescription[] = [
  { key: { due: 1 }, name: 'due', sparse: true },
  { key: { 'cause.received_at': 1 }, name: 'open', partialFilterExpression: { state: 'open' } },
  { key: { due: 1 }, name: 'waiting', partialFilterExpression: { state: 'waiting' } },
  { key: { done_at: 1 }, name: 'dead', partialFilterExpression: { state: 'dead' } },
  { key: { done_at: 1 }, name: 'done_at', partialFilterExpression: { state: 'done' } },
  { key: { 'facts.customer_id': 1 }, name: 'customer', sparse: true },
];

/** Milliseconds that a claimed event is left to the process that claimed it. */
export const leaseTime = 10_000;
/** Milliseconds: more than a lease, the pause of a shop, or the time between two looks for an order. */
const longestPutOff = 60 * 60_000;

/** Milliseconds since the epoch, both ends included. */
type Range = { readonly from: number; readonly to: number };

const recorded = ({ from, to }: Range) => ({ state: 'done' as const, done_at: { $gte: from, $lte: to } });

export type FactsOf = { readonly ids: readonly string[] } | { readonly before: number };

const factsOf = (of: FactsOf): Filter<EvaluationDocument> =>
  'ids' in of ? { _id: { $in: of.ids } } : { facts: { $exists: true }, state: 'done', done_at: { $lt: of.before } };

export type Evaluations = Awaited<ReturnType<typeof openEvaluations>>;

const idAlone = { projection: { _id: 1 } } as const;

export async function openEvaluations(store: Store) {
  const documents = await store.collection<EvaluationDocument>('evaluations', evaluationIndexes);
  const { due, take, renew } = leasesOf(documents, leaseTime, longestPutOff);
  return {
    documents,
    due,
    take,
    renew,
    byIds: (ids: readonly string[]) => documents.find({ _id: { $in: ids } }).toArray(),
    insert: async (added: readonly EvaluationDocument[]): Promise<boolean[]> => {
      const taken = await insertNew(documents, added);
      return added.map((_, index) => !taken.includes(index));
    },
    oldestOpen: () => documents.findOne({ state: 'open' }, { sort: { 'cause.received_at': 1 } }),
    /** What is done, newest first. */
    recorded: (range: Range, limit: number) =>
      documents.find(recorded(range)).sort({ done_at: -1 }).limit(limit).toArray(),
    countRecorded: (range: Range) => documents.countDocuments(recorded(range)),
    /** Events done in this time (milliseconds since the epoch, both ends included) that were about another shop's orders. */
    countForeign: (range: Range) => documents.countDocuments({ ...recorded(range), outcome: 'order_foreign' }),
    /** Each only while its fence is ours. Resolves with whether all were. */
    replace: async (changed: readonly EvaluationDocument[]): Promise<boolean> => {
      const { matchedCount } = await documents.bulkWrite(
        changed.map((replacement) => ({ replaceOne: { filter: heldBy(replacement), replacement } })),
        { ordered: false },
      );
      return matchedCount === changed.length;
    },
    /** What a process that died has left is nobody's: for where there is only one process. */
    abandonLeases: (now: number) =>
      updateInPages(documents, { state: 'open', due: { $gte: now } }, { $set: { due: now - 1 } }),
    /** Ids of what is not done yet, in their order. */
    idsOfUnfinished: async (): Promise<string[]> =>
      (await Promise.all((['open', 'waiting'] as const).map((state) => documents.find({ state }, idAlone).toArray())))
        .flat()
        .map(({ _id }) => _id)
        .sort(),
    idsOfCustomer: async (id: number): Promise<string[]> =>
      (await documents.find({ 'facts.customer_id': id }, idAlone).toArray()).map(({ _id }) => _id).sort(),
    /** Of an event that waits. False when somebody has taken it meanwhile. */
    replaceSubject: async (document: EvaluationDocument, subject: Task['subject']): Promise<boolean> => {
      const update = { $set: { subject, fence: document.fence + 1 } };
      return (await documents.updateOne({ ...heldBy(document), state: 'waiting' }, update)).matchedCount === 1;
    },
    /** Facts of events, or of those done before a time. Resolves with how many. */
    forgetFacts: async (of: FactsOf): Promise<number> => {
      const update = { $unset: { facts: '' as const } };
      if ('before' in of) return updateInPages(documents, factsOf(of), update);
      return (await documents.updateMany(factsOf(of), update)).matchedCount;
    },
    purge: async (doneBefore: number): Promise<void> => {
      for (const state of ['done', 'dead'] as const)
        await deleteInPages(documents, { state, done_at: { $lt: doneBefore } });
    },
  };
}
