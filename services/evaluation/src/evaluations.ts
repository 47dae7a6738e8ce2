import type { ConditionResult, EventDone, FieldChange, Occurrence, OrderCommand } from '@order-automation/contracts';
import type { AmountMismatch } from '@order-automation/engine';
import type { Documents, IndexDescription, Store } from '@order-automation/store';
import type { Payment } from './payments';
import { restored, type StoredEvaluation, storedClaim, storedDone, storedStep } from './stored-evaluation';

/** One action of a rule that matched. `result` is null until the shop has answered. */
export type ActionRecord = {
  index: number;
  kind: 'primary' | 'secondary';
  id: string;
  label: string;
  key: string;
  /** Null where the effect is no change to the order. */
  command: OrderCommand | null;
  result: ActionOutcome | null;
};

export type ActionOutcome = {
  /** `skipped`: not run on purpose (a test event). */
  status: 'applied' | 'already_applied' | 'unchanged' | 'failed' | 'skipped';
  /** The process for which it was done; null when it was not run. */
  by: string | null;
  message: string;
  changes: FieldChange[];
};

/** One rule that was evaluated, in order of running. */
export type RuleStep = {
  rule_id: number;
  rule_name: string;
  rule_version: number;
  matched: boolean;
  failed: boolean;
  reason: string;
  conditions: ConditionResult[];
  actions: ActionRecord[];
  /** The rule matched and ends the occurrence. */
  stop: boolean;
  at: string;
};

/** What is known of the cause, as far as the log and a takeover need it. */
export type CauseRecord = {
  event_type: string;
  gateway: string | null;
  authenticated: boolean;
  is_test: boolean;
  depth: number;
  received_at: string;
};

/**
 * One document per event (architecture, "The one promise", step 3). Where something is to be done, inserting it is the claim: it holds the
 * verdicts and the pending actions before anything is done, so that whoever takes over goes on from what was decided (`StoredEvaluation` is how
 * they are written). Rules that asked for nothing after the last of them are not in it: nothing follows from them, and whoever takes over
 * evaluates them again. Where nothing is to be done it is inserted as done. The log has all verdicts.
 */
export type EvaluationDocument = {
  _id: string;
  origin: EventDone['origin'];
  process_id: string;
  state: 'open' | 'done';
  order_id: number | null;
  found_by: string | null;
  occurrence: Occurrence | null;
  cause: CauseRecord;
  /** Why no rule that changes the order may run: the amounts that disagree. */
  mismatch: AmountMismatch | null;
  /** The payment that was seen before, which this event only repeats. */
  repeats?: Payment;
  /** A completed payment for an order that no longer waits for one: the status it has instead. */
  late?: { status: string };
  /** The rules whose trigger fired when the event came. */
  firing?: readonly number[];
  steps: RuleStep[];
  /** Of a done event: the rules that were evaluated, and those of them that matched. */
  rules: readonly number[];
  matched: readonly number[];
  outcome: EventDone['outcome'] | null;
  fence: number;
  /** Names the sweep that took it over last. */
  taken_by?: string;
  /** Times it broke for another reason than a part being away. */
  attempts: number;
  /** Milliseconds since the epoch; after it anybody may take over. */
  lease_until: number;
  done_at: number | null;
};

export const evaluationIndexes: IndexDescription[] = [
  { key: { lease_until: 1 }, name: 'open_by_lease', partialFilterExpression: { state: 'open' } },
  { key: { done_at: 1 }, name: 'done_at', partialFilterExpression: { state: 'done' } },
];

type Finished = Pick<EvaluationDocument, '_id' | 'fence' | 'outcome' | 'rules' | 'matched'>;

type End = Required<Pick<StoredEvaluation, 'outcome' | 'rules' | 'matched'>>;

function endOf({ outcome, rules, matched }: Finished): End {
  return { outcome: outcome ?? 'error', rules, matched };
}

function isSameEnd(one: End, other: End): boolean {
  return one.outcome === other.outcome && isSame(one.rules, other.rules) && isSame(one.matched, other.matched);
}

const isSame = (some: readonly number[], others: readonly number[]): boolean =>
  some.length === others.length && some.every((id, index) => id === others[index]);

export type Evaluations = ReturnType<typeof evaluationQueries>;

/** The named queries on the collection. */
export function evaluationQueries(documents: Documents<StoredEvaluation>) {
  return {
    documents,
    /** Rejects with code 11000 where an event is claimed already; the others are claimed. */
    claim: (claims: readonly EvaluationDocument[]) => documents.insertMany(claims.map(storedClaim), { ordered: false }),
    /** As `claim`, for documents that are done. */
    insertDone: (done: readonly EvaluationDocument[]) => documents.insertMany(done.map(storedDone), { ordered: false }),
    byIds: async (ids: readonly string[]): Promise<EvaluationDocument[]> =>
      (await documents.find({ _id: { $in: ids } }).toArray()).map(restored),
    expired: async (now: number, limit: number): Promise<EvaluationDocument[]> => {
      const open = documents.find({ state: 'open', lease_until: { $lt: now } }).sort({ lease_until: 1 });
      return (await open.limit(limit).toArray()).map(restored);
    },
    /** Compare and set on each fence, all in one write. Resolves with the ids that are ours now; of the others somebody else was first. */
    takeOver: async (
      expired: readonly Pick<EvaluationDocument, '_id' | 'fence'>[],
      takenBy: string,
      leaseUntil: number,
    ): Promise<Set<string>> => {
      const ids = expired.map(({ _id }) => _id);
      if (ids.length === 0) return new Set();
      const { matchedCount } = await documents.bulkWrite(
        expired.map(({ _id, fence }) => ({
          updateOne: {
            filter: { _id, fence, state: 'open' },
            update: { $set: { lease_until: leaseUntil, fence: fence + 1, taken_by: takenBy } },
          },
        })),
        { ordered: false },
      );
      if (matchedCount === ids.length) return new Set(ids);
      const ours = await documents.find({ _id: { $in: ids }, taken_by: takenBy }, { projection: { _id: 1 } }).toArray();
      return new Set(ours.map(({ _id }) => _id));
    },
    /** Gives open documents up, so that the sweep takes them at once. */
    release: (ids: readonly string[], now: number, attempts: number) =>
      documents.updateMany(
        { _id: { $in: ids }, state: 'open' },
        { $set: { lease_until: now - 1 }, $inc: { attempts } },
      ),
    saveSteps: (changed: readonly Pick<EvaluationDocument, '_id' | 'fence' | 'steps'>[], leaseUntil: number) =>
      documents.bulkWrite(
        changed.map(({ _id, fence, steps }) => ({
          updateOne: {
            filter: { _id, fence },
            update: { $set: { steps: steps.map(storedStep), lease_until: leaseUntil } },
          },
        })),
        { ordered: false },
      ),
    /**
     * One write for all that ended alike. Only where the fence is still ours. The occurrence and the steps, of which nothing follows any
     * more and which the log tells, make room for the outcome: a document that grows is moved to another page, and its neighbours with it.
     */
    finish: async (finished: readonly Finished[], now: number) => {
      const alike: { ids: string[]; fence: number; end: End }[] = [];
      for (const one of finished) {
        const end = endOf(one);
        const group = alike.find(({ fence, end: other }) => fence === one.fence && isSameEnd(end, other));
        if (group) group.ids.push(one._id);
        else alike.push({ ids: [one._id], fence: one.fence, end });
      }
      await Promise.all(
        alike.map(({ ids, fence, end }) =>
          documents.updateMany(
            { _id: { $in: ids }, fence },
            { $set: { state: 'done', ...end, done_at: now }, $unset: { occurrence: '', steps: '' } },
          ),
        ),
      );
    },
    purge: (doneBefore: number) => documents.deleteMany({ state: 'done', done_at: { $lt: doneBefore } }),
  };
}

export async function openEvaluations(store: Store): Promise<Evaluations> {
  return evaluationQueries(await store.collection<StoredEvaluation>('evaluations', evaluationIndexes));
}
