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

/** Whose turn is asked for. */
type DueOf = { readonly state: InboxState; readonly endpoint?: string };

export type FinishedEvent = Pick<EventDone, 'event_id' | 'outcome' | 'order_id' | 'reason'>;

export type Inbox = Awaited<ReturnType<typeof openInbox>>;

export type WaitingEvent = { readonly event_id: string; readonly waiting_for: string; readonly until: string };

/** Opens the collection. Everything resolves when it is flushed, and rejects when the database is away. */
export async function openInbox(store: Store, payloads: Payloads) {
  const documents = await store.collection<InboxDocument>('inbox', inboxIndexes);
  const find = (filter: Filter<InboxDocument>, sort: Sort<InboxDocument>, limit: number): Promise<InboxDocument[]> =>
    documents.find(filter).sort(sort).limit(limit).toArray();
  const first = (filter: Filter<InboxDocument>, sort: Sort<InboxDocument>) => documents.findOne(filter, { sort });
  const inState = (ids: readonly string[], state: InboxState) => ({ _id: { $in: ids }, state });
  type Fields = Partial<InboxDocument>;
  const move = async (ids: readonly string[], from: InboxState, to: InboxState, set: Fields, unset = {}) => {
    const $unset = { ...unset, ...(set.due_at === undefined && { due_at: '' as const }) };
    const update = { $set: { ...set, state: to }, ...(Object.keys($unset).length > 0 && { $unset }) };
    return (await documents.updateMany(inState(ids, from), update)).matchedCount;
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
      const due = await find({ ...of, due_at: { $lte: isoTime(now) } }, { due_at: 1 }, limit);
      if (due.length > 0) return due;
      const furthest = isoTime(now + (of.state === 'waiting' ? waitingDelay : longestDelay));
      return find({ ...of, due_at: { $gt: furthest } }, { due_at: 1 }, limit);
    },
    /** Puts off nothing any longer. */
    makeDue: async (now: number): Promise<void> => {
      for (const state of [...openStates, 'verifying'] as const)
        await updateInPages(documents, { state, due_at: { $gt: isoTime(now) } }, { $set: { due_at: isoTime(now) } });
    },
    byIds: (ids: readonly string[]) => find({ _id: { $in: ids } }, {}, ids.length),
    inState: (ids: readonly string[], state: InboxState) => find(inState(ids, state), {}, ids.length),
    /** What waits for the end of a pause, oldest first. */
    held: (endpoint: string, limit: number) => find({ state: 'held', endpoint }, { _id: 1 }, limit),
    countHeld: (endpoint: string) => documents.countDocuments({ state: 'held', endpoint }),
    /** The first endpoint behind this one, by name, that has held events. */
    endpointWithHeldAfter: async (last: string) =>
      (await first({ state: 'held', endpoint: { $gt: last } }, { endpoint: 1 }))?.endpoint,
    /** The first type behind this one, by name, that begins with the prefix. */
    typeAfter: async (prefix: string, type: string) =>
      (await first({ event_type: { $gt: type, $lt: `${prefix}\uffff` } }, { event_type: 1 }))?.event_type,
    newest: (filter: Filter<InboxDocument>, skip: number, limit: number) =>
      documents.find(filter).sort({ _id: -1 }).skip(skip).limit(limit).toArray(),
    oldestOf: (filter: Filter<InboxDocument>, limit: number) => find(filter, { _id: 1 }, limit),
    count: (filter: Filter<InboxDocument>) => documents.countDocuments(filter),
    /** Of what never arrived and was taken up after `since` (milliseconds since the epoch). */
    countRecovered: (endpoint: string, since: number, of: { readonly state?: InboxState }) =>
      documents.countDocuments({ recovered: true, endpoint, _id: { $gte: idBound('evt', since) }, ...of }),
    oldestAccepted: () => first({ state: 'accepted' }, { _id: 1 }),
    /** In a state that is final, and whose keys may be accepted again. */
    expired: async (now: number, limit: number) => {
      for (const state of finishedStates) {
        const found = await find({ state, _id: { $lt: idBound('evt', now - keyLifetime) } }, { _id: 1 }, limit);
        if (found.length > 0) return found;
      }
      return [];
    },
    /** Leaves documents in this state alone until `dueAt`: they were just tried for the `attempts` + 1st time. */
    postpone: (ids: readonly string[], state: InboxState, attempts: number, dueAt: number) =>
      documents.updateMany(
        { ...inState(ids, state), attempts },
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
      documents.updateMany({ _id: { $in: ids } }, { $set: { state: 'done' }, $inc: { replays: 1 } }),
    /** Its payload was erased: its bytes count for no quota any more, and its type is that of what is left. */
    erase: (_id: string, event_type: string) => documents.updateOne({ _id }, { $set: { event_type }, $unset: noQuota }),
    /** Finished events that came before this time and whose bodies count for the quota. */
    finishedWithQuota: (before: number, limit: number) => {
      const _id = { $lt: idBound('evt', before) };
      return find({ state: { $in: finishedStates }, _id, quota_bytes: { $exists: true } }, {}, limit);
    },
    /** Its body is gone. False when another process has seen to it. */
    endQuota: async (_id: string): Promise<boolean> =>
      (await documents.updateOne({ _id, quota_bytes: { $exists: true } }, { $unset: noQuota })).matchedCount === 1,
    remove: (ids: readonly string[]) => documents.deleteMany({ _id: { $in: ids } }),
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
