import { delayAfter } from '@order-automation/bus';
import { type OrderReference, orderNames } from '@order-automation/contracts';
import { deleteInPages, type IndexDescription, insertNew, type Store } from '@order-automation/store';
import { doneSoFar, waitingEntry, waitOf } from '../entries/entries';
import { awaitedName } from '../entries/sentences';
import { type EvaluationDocument, type Outcome, taskOf } from '../evaluation-document';
import type { ReportWaiting } from '../ports/reports';
import { deletedOrderOf, namedOrderId, namesAnOrder, referenceOf, type Task } from '../task';
import type { Finish, FinishDeps } from './finish';

/** One id by which the order of a waiting event would be found. `until` in milliseconds since the epoch: nobody waits any more after it. */
export type AwaitedDocument = {
  readonly _id: string;
  readonly key: string;
  readonly event_id: string;
  readonly until: number;
  /** The shop has told of such an order since the event was last looked at. */
  readonly told?: true;
};

const awaitedIndexes: readonly IndexDescription[] = [
  { name: 'key', key: { key: 1 } },
  { name: 'event_id', key: { event_id: 1 } },
  { name: 'until', key: { until: 1 } },
];

const awaitedQueries = {
  ofKeys: (keys: readonly string[]) => ({ key: { $in: keys } }),
  ofEvents: (ids: readonly string[]) => ({ event_id: { $in: ids } }),
  told: (_id: string) => ({ event_id: _id, told: true as const }),
  over: (now: number) => ({ until: { $lt: now } }),
};

export type WaitingRoom = Awaited<ReturnType<typeof openWaitingRoom>>;

/**
 * Milliseconds after which a waiting event is looked at again, for the case that nobody tells of its order: twice as long each time, because a shop
 * behind a connector is asked once an event.
 */
const look = { first: 60_000, longest: 30 * 60_000 };
/** Milliseconds. */
const lookAgain = 5_000;

type WaitingDeps = Pick<FinishDeps, 'claims' | 'record' | 'clock'> & {
  readonly store: Store;
  readonly finish: Finish;
  readonly reportWaiting: ReportWaiting;
  /** Milliseconds that an event waits for its order, from when it is first looked for on. */
  readonly orderWait: number;
};

export async function openWaitingRoom(deps: WaitingDeps) {
  const { store, claims, record, finish, reportWaiting, clock, orderWait } = deps;
  const documents = await store.collection<AwaitedDocument>('awaited', awaitedIndexes);
  const startedAt = clock.now();
  let [nobody, lookedAt] = [false, Number.NEGATIVE_INFINITY];

  /** A limit that ran out while nothing ran is extended (decisions.md section 11, "Time"); one that lies too far ahead is that of a clock that ran ahead. */
  const limitOf = ({ wait_until = startedAt }: EvaluationDocument): number => {
    const whole = clock.now() + orderWait;
    return wait_until <= startedAt ? whole : Math.min(wait_until, whole);
  };

  const enter = async (document: EvaluationDocument, reference: OrderReference, until: number): Promise<boolean> => {
    const { _id, process_id, looks = 0 } = document;
    const isNew = document.wait_until !== until;
    document.state = 'waiting';
    document.looks = looks + 1;
    document.wait_until = until;
    document.due = Math.min(clock.now() + delayAfter(looks + 1, look), until);
    const entries = [...doneSoFar(document), waitingEntry(document, reference, until)];
    if (isNew) await record({ uid: _id, process_id, entries });
    if (!(await claims.save(document))) return false;
    // A later limit first: rows of one that is over may be purged at any moment, and are inserted again then.
    if (isNew && looks > 0) await documents.updateMany(awaitedQueries.ofEvents([_id]), { $set: { until } });
    const rows = awaitedKeys(reference).map((key) => ({ _id: `${_id}|${key}`, key, event_id: _id, until }));
    await insertNew(documents, rows);
    lookedAt = Number.NEGATIVE_INFINITY;
    if (isNew) await reportWaiting(waitOf(document, reference, until));
    if (looks === 0 || (await documents.findOne(awaitedQueries.told(_id))) === null) return true;
    document.due = clock.now();
    return claims.save(document);
  };

  return {
    /** The shop has no order for the event: it waits for one that it names, or ends without. */
    waitFor: async (document: EvaluationDocument, task: Task): Promise<Outcome | 'waiting' | 'taken'> => {
      const reference = referenceOf(task);
      const until = limitOf(document);
      const mayWait = reference !== null && namesAnOrder(reference) && !task.cause.is_test;
      if (mayWait && !document.deleted && clock.now() < until)
        return (await enter(document, reference, until)) ? 'waiting' : 'taken';
      document.order_id = document.deleted ? namedOrderId(document) : deletedOrderOf(task);
      document.outcome = 'no_order';
      return finish(document);
    },
    /** Says again that the event waits: it was handed over again, by somebody who has not heard that. */
    tellAgain: async (document: EvaluationDocument): Promise<void> => {
      const reference = document.state === 'waiting' && referenceOf(taskOf(document));
      if (reference) await reportWaiting(waitOf(document, reference, limitOf(document)));
    },
    /** The events that wait for an order with one of these ids, which the shop tells of. One that is just being looked at is looked at again. */
    eventsAwaiting: async (keys: readonly string[]): Promise<string[]> => {
      if (keys.length === 0) return [];
      const found = await documents.find(awaitedQueries.ofKeys(keys)).toArray();
      if (found.length > 0) await documents.updateMany(awaitedQueries.ofKeys(keys), { $set: { told: true } });
      return [...new Set(found.map(({ event_id }) => event_id))];
    },
    /** The event is about to be looked at: what the shop tells from now on is news. */
    look: (eventId: string) => documents.updateMany(awaitedQueries.told(eventId), { $unset: { told: '' } }),
    /** Whether no event waits, as of at most `lookAgain` ago where another process has put one here. */
    isEmpty: async (): Promise<boolean> => {
      if (Math.abs(clock.now() - lookedAt) >= lookAgain) {
        lookedAt = clock.now();
        nobody = (await documents.find({}).limit(1).toArray()).length === 0;
      }
      return nobody;
    },
    leave: (eventId: string) => documents.deleteMany(awaitedQueries.ofEvents([eventId])),
    /** Removes what the end of an event has left behind. `before` in milliseconds since the epoch. */
    purge: (before: number) => deleteInPages(documents, awaitedQueries.over(before)),
  };
}

/** Whether the event waits for the order with this id, and not for one with this number. */
export function awaitsId({ subject }: Pick<EvaluationDocument, 'subject'>, id: number): boolean {
  if (subject?.kind !== 'event') return false;
  const { orderReference } = subject.event;
  return orderReference.reading?.order_reference !== 'number' && awaitedName(orderReference) === `order ${id}`;
}

/** The ids of a reference in the form in which the shop names those of an order (`OrderChange.keys`). */
export function awaitedKeys(reference: OrderReference): string[] {
  const { gateway_ids, transaction_id, transactions = [] } = reference;
  const numbers = orderNames(reference).map(({ text }) => `number:${text}`);
  const ids = [...gateway_ids, ...transactions, transaction_id ?? ''].map((id) => id.trim()).filter((id) => id !== '');
  return [...new Set([...ids.map((id) => `gateway:${id}`), ...numbers])];
}
