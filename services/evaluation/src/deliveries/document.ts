import {
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryRecord,
  idBound,
  type NewAuditEntry,
} from '@order-automation/contracts';
import { heldBy, idsBetween, leasesOf } from '@order-automation/service';
import {
  deleteInPages,
  type Filter,
  type IndexDescription,
  insertNew,
  type Store,
  updateInPages,
} from '@order-automation/store';

export type DeliveryKind = DeliveryRecord['kind'];

/**
 * Why a try failed. `unreachable`: there was no answer. `unavailable`: the other side cannot serve it now (5xx, 429; SMTP 4xx). `refused`: it
 * does not take it, or we may not send it, and waiting does not help.
 */
export type FailureCause = 'unreachable' | 'unavailable' | 'refused';

/** An outbound call or an e-mail, from the moment a rule wants it until the log forgets it (decisions.md section 11). */
export type DeliveryDocument = {
  readonly _id: string;
  /** Of the occurrence, the rule and the action; the `Idempotency-Key` of every try. */
  readonly key: string;
  readonly kind: DeliveryKind;
  readonly target: string;
  /** What fails and recovers as one: the host of the address, or the mail server. */
  readonly channel: string;
  /** JSON; empty when it was erased. */
  readonly payload: string;
  readonly event_id: string;
  readonly process_id: string;
  readonly order_id: number | null;
  /** The billing address of the order, for the log; empty when it was erased. */
  readonly email?: string | undefined;
  readonly rule_id: number;
  readonly rule_name: string;
  readonly action: { readonly index: number; readonly id: string; readonly label: string };
  /** Milliseconds since the epoch, as of all numbers below. */
  readonly created_at: number;
  /** When it came into the queue, or was put back into it; absent from those of earlier versions. */
  readonly queued_at?: number;
  readonly state: DeliveryRecord['state'];
  readonly attempts: readonly DeliveryAttempt[];
  /** Requests and e-mails that were sent, or tried to be. */
  readonly attempts_made: number;
  /** The first failure of each cause since it was last armed: `giveUpAfter` counts from it. */
  readonly failing_since: Readonly<Partial<Record<FailureCause, number>>>;
  /** Tries since it was last armed, also those that sent nothing. */
  readonly tries: number;
  /** Those of them that were refused. */
  readonly refusals: number;
  readonly reason: string | null;
  readonly next_attempt_at: number | null;
  readonly ended_at: number | null;
  readonly resends: number;
  readonly resent_by: string | null;
  /** The entry that the log does not have yet. It is stored before the log is asked, so that a log that is unavailable causes no second try. */
  readonly entry: NewAuditEntry | null;
  /** Grows with every process that takes it. */
  readonly fence: number;
  /** When the queue looks at it; absent when nothing is left to do. */
  readonly due?: number | undefined;
};

/** A delivery that nobody has tried yet. */
export const untried = {
  attempts: [],
  attempts_made: 0,
  failing_since: {},
  tries: 0,
  refusals: 0,
  reason: null,
  ended_at: null,
  resends: 0,
  resent_by: null,
  entry: null,
  fence: 0,
} as const;

/** Milliseconds for which a delivery is left to the process that has taken it. */
export const leaseTime = 60_000;
/** Milliseconds: more than a lease, the time between two tries, or that of a channel that is left alone. */
const longestPutOff = 60 * 60_000;

const deliveryIndexes: readonly IndexDescription[] = [
  { name: 'due', key: { due: 1 }, sparse: true },
  { name: 'key', key: { key: 1 }, unique: true },
  { name: 'state', key: { state: 1, _id: 1 } },
  { name: 'order', key: { order_id: 1, _id: 1 } },
  { name: 'process', key: { process_id: 1, _id: 1 } },
  { name: 'rule', key: { rule_id: 1, _id: 1 } },
  { name: 'channel', key: { channel: 1, state: 1, next_attempt_at: 1 } },
  { name: 'queued', key: { state: 1, channel: 1, queued_at: 1 } },
];

/** The filter of the store for one of the interface. Times are those of ids. */
export function filterOf({ from, to, ...filter }: DeliveryFilter): Filter<DeliveryDocument> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  return { ...idsBetween('dlv', from, to), ...Object.fromEntries(given) };
}

/** What the queue reads of a delivery to decide whether there is room for it. */
export type DueDelivery = Pick<DeliveryDocument, '_id' | 'channel' | 'fence'>;

export type Deliveries = Awaited<ReturnType<typeof openDeliveries>>;

const withoutPayload = { projection: { payload: 0, attempts: 0 } } as const;

export async function openDeliveries(store: Store) {
  const documents = await store.collection<DeliveryDocument>('deliveries', deliveryIndexes);
  const leases = leasesOf(documents, leaseTime, longestPutOff);
  return {
    documents,
    /** False when its key is known. */
    insert: async (one: DeliveryDocument): Promise<boolean> => (await insertNew(documents, [one])).length === 0,
    /** Those whose keys are not known. */
    insertNew: (found: readonly DeliveryDocument[]) => insertNew(documents, found),
    byId: (_id: string) => documents.findOne({ _id }),
    byKey: (key: string) => documents.findOne({ key }),
    due: (now: number, limit: number, skip: number): Promise<DueDelivery[]> =>
      leases.due(now, limit, { skip, projection: { channel: 1, fence: 1 } }),
    /** The delivery, when no other process has it. */
    take: async (found: DueDelivery, now: number): Promise<DeliveryDocument | null> => {
      const taken = await leases.take(found, now);
      return taken && documents.findOne(heldBy(taken));
    },
    renew: leases.renew,
    /** What a process that died was sending is nobody's: for where there is only one process. */
    abandonLeases: (now: number) =>
      updateInPages(
        documents,
        { state: 'pending', next_attempt_at: { $lte: now }, due: { $gt: now } },
        { $set: { due: now } },
      ),
    /** Null when another process has taken it, or it was armed again meanwhile. */
    change: leases.change<DeliveryDocument>,
    /** What waits for a channel that works again is due at once. */
    hurry: (channel: string, now: number) =>
      updateInPages(
        documents,
        { channel, state: 'pending', next_attempt_at: { $gt: now } },
        { $set: { next_attempt_at: now, due: now } },
      ),
    newest: (filter: Filter<DeliveryDocument>, skip: number, limit: number) =>
      documents.find(filter, withoutPayload).sort({ _id: -1 }).skip(skip).limit(limit).toArray(),
    /** Why the newest of them are not delivered. */
    reasons: async (filter: Filter<DeliveryDocument>, limit: number): Promise<string[]> => {
      const found = documents.find(filter, { sort: { _id: -1 }, limit, projection: { reason: 1 } });
      return (await found.toArray()).flatMap(({ reason }) => reason ?? []);
    },
    oldest: (filter: Filter<DeliveryDocument>, limit: number) =>
      documents.find(filter, { sort: { _id: 1 }, limit }).toArray(),
    count: (filter: Filter<DeliveryDocument>) => documents.countDocuments(filter),
    pendingChannelAfter: async (name: string): Promise<string | undefined> => {
      const behind = { state: 'pending' as const, channel: { $gt: name } };
      return (await documents.findOne(behind, { sort: { channel: 1 }, projection: { channel: 1 } }))?.channel;
    },
    /** Of those of a channel that are in the queue since before `time`: how many, and since when the oldest is. */
    queuedBefore: async (time: number, channel: string) => {
      const stuck = { state: 'pending' as const, channel, queued_at: { $lt: time } };
      const oldest = documents.findOne(stuck, { sort: { queued_at: 1 }, projection: { queued_at: 1 } });
      const [total, first] = await Promise.all([documents.countDocuments(stuck), oldest]);
      return { total, since: first?.queued_at ?? time };
    },
    after: (id: string, limit: number) => documents.find({ _id: { $gt: id } }, { sort: { _id: 1 }, limit }).toArray(),
    /** What was sent goes with the log, `contentBefore`; that it was sent, and under which key, `keysBefore`. */
    purge: async (contentBefore: number, keysBefore: number): Promise<void> => {
      for (const state of ['delivered', 'failed'] as const) {
        // Ids sort by time.
        const madeBefore = (time: number) => ({ state, _id: { $lt: idBound('dlv', time) } });
        await deleteInPages(documents, madeBefore(Math.min(contentBefore, keysBefore)));
        const content = { ...madeBefore(contentBefore), payload: { $gt: '' } };
        await updateInPages(documents, content, {
          $set: { payload: '', target: '[removed]', attempts: [], email: '' },
        });
      }
    },
  };
}
