import { delayAfter } from '@order-automation/bus';
import { type EventDone, idBound, isoTime } from '@order-automation/contracts';
import {
  type Filter,
  type IndexDescription,
  type Sort,
  type Store,
  type Update,
  updateInPages,
} from '@order-automation/store';
import { claim, withDocuments } from './claim';
import {
  finishedStates,
  firstDelay,
  type InboxDocument,
  type InboxEvent,
  type InboxState,
  keyLifetime,
  openStates,
} from './documents';
import type { Payloads } from './payloads';

const longestDelay = 5 * 60_000;
/** The same for an event that evaluation waits with: it knows of it, and of its end. */
export const waitingDelay = 60 * 60_000;

/** Milliseconds until an event is published for the (`attempts` + 1)th time. */
export const relayDelayAfter = (attempts: number): number =>
  delayAfter(attempts + 1, { first: firstDelay, longest: longestDelay });

export const inboxIndexes: readonly IndexDescription[] = [
  { key: { state: 1, due_at: 1 }, name: 'turn', partialFilterExpression: { due_at: { $exists: true } } },
  { key: { state: 1, _id: 1 }, name: 'state' },
  { key: { gateway: 1, _id: 1 }, name: 'gateway' },
  { key: { endpoint: 1, _id: 1 }, name: 'endpoint' },
  { key: { event_type: 1, _id: 1 }, name: 'event_type' },
  { key: { process_id: 1 }, name: 'process' },
  { key: { order_id: 1 }, name: 'order', sparse: true },
  { key: { state: 1, _id: 1 }, name: 'quota', partialFilterExpression: { quota_bytes: { $exists: true } } },
  { key: { state: 1, endpoint: 1, _id: 1 }, name: 'held', partialFilterExpression: { state: 'held' } },
  { key: { endpoint: 1, state: 1, _id: 1 }, name: 'recovered', partialFilterExpression: { recovered: true } },
];

type Query = { readonly filter: Filter<InboxDocument>; readonly sort?: Sort<InboxDocument> };
/** Whose turn is asked for. */
type DueOf = { readonly state: InboxState; readonly endpoint?: string };

/** Every query of the receiving path and the relay. `now` in milliseconds since the epoch. */
export const inboxQueries = {
  due: (of: DueOf, now: number): Query => ({ filter: { ...of, due_at: { $lte: isoTime(now) } }, sort: { due_at: 1 } }),
  /** Due later than anything is put off: the clock ran ahead when that was written, and was put right. */
  dueTooLate: (of: DueOf, now: number): Query => ({
    filter: { ...of, due_at: { $gt: isoTime(now + (of.state === 'waiting' ? waitingDelay : longestDelay)) } },
    sort: { due_at: 1 },
  }),
  notYetDue: (state: InboxState, now: number): Query => ({ filter: { state, due_at: { $gt: isoTime(now) } } }),
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids } } }),
  inState: (ids: readonly string[], state: InboxState): Query => ({ filter: { _id: { $in: ids }, state } }),
  held: (endpoint: string): Query => ({ filter: { state: 'held', endpoint }, sort: { _id: 1 } }),
  /** The next endpoint, by name, that has held events. */
  heldAfter: (endpoint: string): Query => ({
    filter: { state: 'held', endpoint: { $gt: endpoint } },
    sort: { endpoint: 1 },
  }),
  /** The next type of event, by name, that begins with this and that something was received of. */
  typeAfter: (prefix: string, type: string): Query => ({
    filter: { event_type: { $gt: type, $lt: `${prefix}\uffff` } },
    sort: { event_type: 1 },
  }),
  /** Since then, in milliseconds since the epoch. */
  recovered: (endpoint: string, since: number): Query => ({
    filter: { recovered: true, endpoint, _id: { $gte: idBound('evt', since) } },
  }),
  oldest: (state: InboxState): Query => ({ filter: { state }, sort: { _id: 1 } }),
  finishedWithQuota: (before: number): Query => ({
    filter: { state: { $in: finishedStates }, _id: { $lt: idBound('evt', before) }, quota_bytes: { $exists: true } },
  }),
  /** Documents in a state that is final and whose key may be accepted again. */
  expired: (state: InboxState, now: number): Query => ({
    filter: { state, _id: { $lt: idBound('evt', now - keyLifetime) } },
    sort: { _id: 1 },
  }),
} as const;

export type FinishedEvent = Pick<EventDone, 'event_id' | 'outcome' | 'order_id' | 'reason'>;

export type Inbox = Awaited<ReturnType<typeof openInbox>>;

export type WaitingEvent = { readonly event_id: string; readonly waiting_for: string; readonly until: string };

/** Opens the collection. Everything resolves when it is flushed, and rejects when the database is away. */
export async function openInbox(store: Store, payloads: Payloads) {
  const documents = await store.collection<InboxDocument>('inbox', inboxIndexes);
  const find = ({ filter, sort }: Query, limit: number): Promise<InboxDocument[]> => {
    const cursor = documents.find(filter);
    return (sort ? cursor.sort(sort) : cursor).limit(limit).toArray();
  };
  type Fields = Partial<InboxDocument>;
  const move = async (ids: readonly string[], from: InboxState, to: InboxState, set: Fields, unset = {}) => {
    const $unset = { ...unset, ...(set.due_at === undefined && { due_at: '' as const }) };
    const update = { $set: { ...set, state: to }, ...(Object.keys($unset).length > 0 && { $unset }) };
    return (await documents.updateMany(inboxQueries.inState(ids, from).filter, update)).matchedCount;
  };
  const updateOpen = async <E extends { readonly event_id: string }>(
    events: readonly E[],
    updateOf: (event: E) => Update<InboxDocument>,
  ): Promise<number> => {
    const operations = events.map((event) => ({
      updateOne: { filter: { _id: event.event_id, state: { $in: openStates } }, update: updateOf(event) },
    }));
    return (await documents.bulkWrite(operations, { ordered: false })).matchedCount;
  };
  return {
    documents,
    claim: (candidates: readonly InboxEvent[], now: number) => claim({ documents, payloads }, candidates, now),
    /** Gives events that have none the inbox documents that follow from their payloads. */
    adopt: (ids: readonly string[]) => withDocuments({ documents, payloads }, ids),
    /** What is to be done again now, also where a clock that ran ahead has put it off. */
    due: async (of: DueOf, now: number, limit: number) => {
      const due = await find(inboxQueries.due(of, now), limit);
      return due.length > 0 ? due : find(inboxQueries.dueTooLate(of, now), limit);
    },
    /** Puts off nothing any longer. */
    makeDue: async (now: number): Promise<void> => {
      for (const state of [...openStates, 'verifying'] as const)
        await updateInPages(documents, inboxQueries.notYetDue(state, now).filter, { $set: { due_at: isoTime(now) } });
    },
    byIds: (ids: readonly string[]) => find(inboxQueries.byIds(ids), ids.length),
    inState: (ids: readonly string[], state: InboxState) => find(inboxQueries.inState(ids, state), ids.length),
    /** What waits for the end of a pause, oldest first. */
    held: (endpoint: string, limit: number) => find(inboxQueries.held(endpoint), limit),
    countHeld: (endpoint: string) => documents.countDocuments(inboxQueries.held(endpoint).filter),
    /** The first endpoint behind this one, by name, that has held events. */
    endpointWithHeldAfter: async (endpoint: string) => (await find(inboxQueries.heldAfter(endpoint), 1))[0]?.endpoint,
    /** The first type behind this one, by name, that begins with the prefix. */
    typeAfter: async (prefix: string, type: string) =>
      (await find(inboxQueries.typeAfter(prefix, type), 1))[0]?.event_type,
    newest: (filter: Filter<InboxDocument>, skip: number, limit: number) =>
      documents.find(filter).sort({ _id: -1 }).skip(skip).limit(limit).toArray(),
    oldestOf: (filter: Filter<InboxDocument>, limit: number) => find({ filter, sort: { _id: 1 } }, limit),
    count: (filter: Filter<InboxDocument>) => documents.countDocuments(filter),
    oldestAccepted: async () => (await find(inboxQueries.oldest('accepted'), 1))[0],
    expired: async (now: number, limit: number) => {
      for (const state of finishedStates) {
        const found = await find(inboxQueries.expired(state, now), limit);
        if (found.length > 0) return found;
      }
      return [];
    },
    /** Leaves documents in this state alone until `dueAt`: they were just tried for the `attempts` + 1st time. */
    postpone: (ids: readonly string[], state: InboxState, attempts: number, dueAt: number) =>
      documents.updateMany(
        { ...inboxQueries.inState(ids, state).filter, attempts },
        { $set: { due_at: isoTime(dueAt), attempts: attempts + 1 } },
      ),
    /** From one state to another. Resolves with how many were in the first. */
    move,
    /** The gateway has said what it thinks of this event, or never will: its bytes count for no quota any more. */
    endVerification: async (_id: string, to: InboxState, set: Partial<InboxDocument>): Promise<boolean> =>
      (await move([_id], 'verifying', to, set, noQuota)) === 1,
    /** Closes events that evaluation has finished, in one write. Resolves with how many were open. */
    finish: (events: readonly FinishedEvent[], now: number) =>
      updateOpen(events, (event) => ({ $set: endOf(event, now), $unset: nothing })),
    /** Evaluation waits with these: it says for what, and until when. */
    wait: (events: readonly WaitingEvent[], now: number) =>
      updateOpen(events, ({ waiting_for, until: waiting_until }) => ({
        $set: { state: 'waiting', waiting_for, waiting_until, due_at: isoTime(now + waitingDelay) },
      })),
    /** They are evaluated again as events of their own; a dead letter is none any more. */
    markReplayed: (ids: readonly string[]) =>
      documents.updateMany(inboxQueries.byIds(ids).filter, { $set: { state: 'done' }, $inc: { replays: 1 } }),
    /** Its payload was erased: its bytes count for no quota any more, and its type is that of what is left. */
    erase: (_id: string, event_type: string) => documents.updateOne({ _id }, { $set: { event_type }, $unset: noQuota }),
    /** Finished events that came before this time and whose bodies count for the quota. */
    finishedWithQuota: (before: number, limit: number) => find(inboxQueries.finishedWithQuota(before), limit),
    /** Its body is gone. False when another process has seen to it. */
    endQuota: async (_id: string): Promise<boolean> =>
      (await documents.updateOne({ _id, quota_bytes: { $exists: true } }, { $unset: noQuota })).matchedCount === 1,
    remove: (ids: readonly string[]) => documents.deleteMany(inboxQueries.byIds(ids).filter),
  };
}

const noQuota = { quota_bytes: '', quota_total: '' } as const;

const nothing = { due_at: '', waiting_for: '', waiting_until: '' } as const;

function endOf({ outcome, order_id, reason }: FinishedEvent, now: number) {
  return {
    state: outcome === 'dead' ? ('dead' as const) : ('done' as const),
    outcome,
    done_at: isoTime(now),
    ...(order_id === null ? {} : { order_id }),
    ...(reason === undefined ? {} : { reason }),
  };
}
