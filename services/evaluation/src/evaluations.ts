import type {
  ConditionResult,
  Effect,
  EventDone,
  FieldChange,
  NewAuditEntry,
  Occurrence,
  OrderChange,
  OrderRefunded,
  OrderRejection,
} from '@order-automation/contracts';
import { dueQueries, heldBy, leasesOf } from '@order-automation/service';
import {
  type Documents,
  deleteInPages,
  duplicateKeyIndexes,
  type Filter,
  type IndexDescription,
  type Store,
  updateInPages,
} from '@order-automation/store';
import type { Found, RecordedFacts } from './backtest/facts';
import type { AmountMismatch, PartialPayment } from './classify';
import type { Payment } from './payments';
import type { Disabled } from './ports/disabled-rules';
import type { Task } from './task';

/** One action of a rule that matched. `result` is null until it was carried out. */
export type ActionRecord = {
  readonly index: number;
  readonly kind: 'primary' | 'secondary';
  readonly id: string;
  readonly label: string;
  readonly key: string;
  readonly effect: Effect;
  /** What it would change, in words. */
  readonly message: string;
  result: ActionOutcome | null;
};

export type ActionOutcome = {
  /** `skipped`: not carried out on purpose; `queued`: its own log entry follows when it is delivered. */
  readonly status: 'applied' | 'already_applied' | 'unchanged' | 'failed' | 'skipped' | 'queued';
  /** The process for which it was done; null when it was not. */
  readonly by: string | null;
  readonly message: string;
  readonly changes: FieldChange[];
  /** Milliseconds that carrying it out took, with the other commands of its step. */
  readonly took_ms?: number;
};

/** One rule that was evaluated, in order of running. */
export type RuleStep = {
  /** By which its order commands are carried out once (docs/decisions/0001, "Ids"). */
  readonly key: string;
  /** The revision of the order that it was decided on. */
  readonly revision: string | null;
  readonly rule_id: number;
  readonly rule_name: string;
  readonly rule_version: number;
  readonly matched: boolean;
  readonly failed: boolean;
  readonly reason: string;
  readonly conditions: ConditionResult[];
  readonly actions: ActionRecord[];
  /** What was not as the event had found it. */
  readonly found?: Found;
  /** The rule matched and ends the occurrence. */
  readonly stop: boolean;
  readonly at: string;
};

export type RuleVersion = { readonly id: number; readonly version: number };

export type Outcome = EventDone['outcome'];

/**
 * One document per event. Inserting it is the claim: it holds verdicts and pending actions before anything is done, so that another process
 * continues from what was decided. The task, the occurrence and the steps are removed when the event is done: the log has them.
 */
export type EvaluationDocument = {
  readonly _id: string;
  readonly origin: Task['origin'];
  readonly process_id: string;
  /** Of an event that reports a change of ours, with the chain of rules that led there. */
  cause: Task['cause'];
  state: 'open' | 'waiting' | 'done' | 'dead';
  subject?: Task['subject'] | undefined;
  order_id: number | null;
  found_by: string | null;
  /** The billing address of the order, for the log; absent once the event is done. */
  email?: string | undefined;
  occurrence: Occurrence | null;
  /** The amounts that disagree: no rule that changes the order runs. */
  mismatch: AmountMismatch | null;
  /** Of a payment that leaves some of the order to be paid. */
  partial?: PartialPayment | null;
  /** Of a later payment of a subscription: how that is known. */
  renewal?: string;
  /** Why the shop's order must not be moved by the event that names it. */
  rejection?: OrderRejection;
  /** The payment that was seen before, which this event only repeats. */
  repeats: Payment | null;
  /** The status of an order that no longer waits for the payment which completed. */
  late: string | null;
  /** The order carries the transaction of the event. */
  own: boolean;
  /** Why the event may not move the order. */
  held: 'other_payment' | 'payment_repeated' | 'stale' | null;
  /** What was processed before the payment that it belongs to, and has set the status of the order since. */
  overtaken_by: string | null;
  /** Of a replay with the original rules: those. */
  original: readonly RuleVersion[] | null;
  /** What a rule can be tried on later; null where it is not kept. */
  facts?: RecordedFacts | null;
  /** Where no rule fired: disabled ones that listen. */
  disabled?: Disabled;
  /** The rules whose trigger fired when the event came, each in one version from beginning to end. */
  rules: readonly RuleVersion[];
  steps: RuleStep[];
  /** What the steps changed: rules may listen to it, and it goes to the log. */
  changes: (OrderChange | OrderRefunded)[];
  shop_entries: NewAuditEntry[];
  matched: readonly number[];
  outcome: Outcome | null;
  /** 0 until it is stored; grows with every process that takes it over. */
  fence: number;
  /** Failures that trying again does not help, and all of them. */
  attempts: number;
  tries: number;
  error: string | null;
  /** The failure that the log has last. */
  reported?: string | undefined;
  /** It has waited for its order, so many times looked for. */
  looks?: number;
  /** Milliseconds since the epoch: when it waits for its order no longer. */
  wait_until?: number | undefined;
  /** Milliseconds since the epoch: the first failure of the shop on its order since something else has failed or a step was carried out. */
  delayed_since?: number;
  /** Milliseconds since the epoch: when it may be taken over, or a waiting one is looked at again. Absent when nothing is left to do. */
  due?: number | undefined;
  done_at: number | null;
};

export function newDocument({ id, origin, process_id, cause, subject, original }: Task): EvaluationDocument {
  return {
    _id: id,
    origin,
    process_id,
    cause,
    state: 'open',
    subject,
    order_id: null,
    found_by: null,
    occurrence: null,
    mismatch: null,
    repeats: null,
    late: null,
    own: false,
    held: null,
    overtaken_by: null,
    original: original ?? null,
    rules: [],
    steps: [],
    changes: [],
    shop_entries: [],
    matched: [],
    outcome: null,
    fence: 0,
    attempts: 0,
    tries: 0,
    error: null,
    done_at: null,
  };
}

export function taskOf({ _id, origin, process_id, cause, subject }: EvaluationDocument): Task {
  if (!subject) throw new Error(`evaluation ${_id} has no task any more`);
  return { id: _id, origin, process_id, cause, subject };
}

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

export const evaluationQueries = {
  ...dueQueries(longestPutOff),
  open: { state: 'open' as const },
  waiting: { state: 'waiting' as const },
  /** Milliseconds since the epoch, both ends included. */
  recorded: ({ from, to }: { readonly from: number; readonly to: number }) => ({
    state: 'done' as const,
    done_at: { $gte: from, $lte: to },
  }),
  ofCustomer: (id: number) => ({ 'facts.customer_id': id }),
};

export type FactsOf = { readonly ids: readonly string[] } | { readonly before: number };

const factsOf = (of: FactsOf): Filter<EvaluationDocument> =>
  'ids' in of ? { _id: { $in: of.ids } } : { facts: { $exists: true }, state: 'done', done_at: { $lt: of.before } };

export type Evaluations = Awaited<ReturnType<typeof openEvaluations>>;

const idAlone = { projection: { _id: 1 } } as const;

export async function openEvaluations(store: Store) {
  const documents: Documents<EvaluationDocument> = await store.collection<EvaluationDocument>(
    'evaluations',
    evaluationIndexes,
  );
  const { open, waiting, recorded, ofCustomer } = evaluationQueries;
  const { due, take, renew } = leasesOf(documents, leaseTime, longestPutOff);
  return {
    documents,
    due,
    take,
    renew,
    byIds: (ids: readonly string[]) => documents.find({ _id: { $in: ids } }).toArray(),
    /** Which of them are new, in order. */
    insert: async (added: readonly EvaluationDocument[]): Promise<boolean[]> => {
      try {
        await documents.insertMany(added, { ordered: false });
        return added.map(() => true);
      } catch (error) {
        const duplicates = duplicateKeyIndexes(error);
        if (!duplicates) throw error;
        return added.map((_, index) => !duplicates.includes(index));
      }
    },
    oldestOpen: async (): Promise<EvaluationDocument | undefined> =>
      (await documents.find(open).sort({ 'cause.received_at': 1 }).limit(1).toArray())[0],
    /** What is done, newest first. */
    recorded: (range: Parameters<typeof recorded>[0], limit: number) =>
      documents.find(recorded(range)).sort({ done_at: -1 }).limit(limit).toArray(),
    countRecorded: (range: Parameters<typeof recorded>[0]) => documents.countDocuments(recorded(range)),
    /** Events done in this time (milliseconds since the epoch, both ends included) that were about another shop's orders. */
    countForeign: (range: Parameters<typeof recorded>[0]) =>
      documents.countDocuments({ ...recorded(range), outcome: 'order_foreign' }),
    countOpen: () => documents.countDocuments(open),
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
      (await Promise.all([open, waiting].map((filter) => documents.find(filter, idAlone).toArray())))
        .flat()
        .map(({ _id }) => _id)
        .sort(),
    /** Ids of events about orders of a customer, in their order. */
    idsOfCustomer: async (id: number): Promise<string[]> =>
      (await documents.find(ofCustomer(id), idAlone).toArray()).map(({ _id }) => _id).sort(),
    /** Of an event that waits. False when somebody has taken it meanwhile. */
    replaceSubject: async (document: EvaluationDocument, subject: Task['subject']): Promise<boolean> => {
      const update = { $set: { subject, fence: document.fence + 1 } };
      return (await documents.updateOne({ ...heldBy(document), ...waiting }, update)).matchedCount === 1;
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
