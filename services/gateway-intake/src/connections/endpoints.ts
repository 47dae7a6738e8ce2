import { insertNew } from '@order-automation/store';
import type { StoredReading } from '../gateways/connection';
import type { Refusal } from '../gateways/refusal';
import { newestRead, type SenderDeps } from './sender-documents';

/** What is counted of a gateway's address or a connection, and whether it is paused. `_id` is `gateway_card` or `generic/erp`. Times are ISO 8601 UTC. */
export type EndpointDocument = GatewaySettings & Counts & Latest & { readonly _id: string; readonly paused: boolean };

/** What administrators set of a gateway; `webhook_id`, `receiver` and `verify_url` of the wallet alone. */
export type GatewaySettings = StoredReading & Partial<Record<'webhook_id' | 'receiver' | 'verify_url', string>>;

type Counts = { readonly accepted: number; readonly duplicates: number; readonly refused: number };

type Latest = {
  readonly last_event_at?: string;
  readonly last_refusal_at?: string;
  readonly last_refusal?: { readonly code: string; readonly text: string };
  /** As the last event had it that named an order. */
  readonly last_reference?: { readonly value: string; readonly from: string };
};

/** What was counted since it was stored, and what is newer than what is stored. */
type Counted = { readonly $inc: Counts; readonly $set: Latest };

const nothing: Counts = { accepted: 0, duplicates: 0, refused: 0 };
const none: Counted = { $inc: nothing, $set: {} };

/** Both together; the last times and the last refusal are those of the later one, where it has them. */
function sum(earlier: Counted = none, later: Counted = none): Counted {
  const total = (what: keyof Counts): number => earlier.$inc[what] + later.$inc[what];
  return {
    $inc: { accepted: total('accepted'), duplicates: total('duplicates'), refused: total('refused') },
    $set: { ...earlier.$set, ...later.$set },
  };
}

export type Endpoints = Awaited<ReturnType<typeof openEndpoints>>;

const fresh = (endpoint: string): EndpointDocument => ({ _id: endpoint, paused: false, ...nothing });

/** Endpoints are as few as gateways and connections are. */
const maxEndpoints = 2_000;

/** `isKnown` tells the names that are counted: what a sender made up is not. */
export async function openEndpoints(
  { store, log, settingsChanged }: Pick<SenderDeps, 'store' | 'log' | 'settingsChanged'>,
  isKnown: (endpoint: string) => boolean,
) {
  const documents = await store.collection<EndpointDocument>('endpoints');
  const counts = new Map<string, Counted>();
  let now: ReadonlyMap<string, EndpointDocument> = new Map();
  const read = async () =>
    new Map((await documents.find({}).limit(maxEndpoints).toArray()).map((document) => [document._id, document]));
  const update = async (endpoint: string, { $inc, $set }: Partial<Counted> & { $set: Partial<EndpointDocument> }) => {
    if (!(await documents.findOne({ _id: endpoint }))) await insertNew(documents, [fresh(endpoint)]);
    const isSet = Object.keys($set).length > 0;
    await documents.updateOne({ _id: endpoint }, { ...($inc && { $inc }), ...(isSet && { $set }) });
  };
  const note = (endpoint: string, counted: Partial<Counts>, $set: Latest): void => {
    if (isKnown(endpoint)) counts.set(endpoint, sum(counts.get(endpoint), { $inc: { ...nothing, ...counted }, $set }));
  };
  let stored: Promise<void> = Promise.resolve();
  /** One after the other: a caller that asks for the counts also gets those that another call is storing. What could not be stored is stored with the next. */
  const storeCounts = (): Promise<void> => {
    stored = stored.then(async () => {
      for (const [endpoint, counted] of [...counts]) {
        counts.delete(endpoint);
        try {
          await update(endpoint, counted);
        } catch (error) {
          counts.set(endpoint, sum(counted, counts.get(endpoint)));
          log.warn(
            { err: error, endpoint },
            'counts of an endpoint could not be stored; they are kept for the next time',
          );
        }
      }
    });
    return stored;
  };
  const readSettings = newestRead(read, (found) => {
    now = found;
  });
  /** Stores what was counted and reads what other processes have set. */
  const refresh = async (): Promise<void> => {
    await storeCounts();
    await readSettings();
  };
  await refresh();
  return {
    /** As it was a second ago at most. */
    paused: (endpoint: string) => now.get(endpoint)?.paused === true,
    isPausedNow: async (endpoint: string) => (await documents.findOne({ _id: endpoint }))?.paused === true,
    setPaused: async (endpoint: string, paused: boolean): Promise<void> => {
      await update(endpoint, { $set: { paused } });
      await refresh();
    },
    /** As they were stored a second ago at most. */
    settings: (endpoint: string): GatewaySettings => now.get(endpoint) ?? {},
    setSettings: async (endpoint: string, settings: GatewaySettings): Promise<void> => {
      await update(endpoint, { $set: settings });
      await refresh();
      await settingsChanged();
    },
    /** Counts in memory; what was counted is stored every few seconds. */
    count: (endpoint: string, what: keyof Counts, at: string, refusal?: Refusal): void =>
      note(
        endpoint,
        { [what]: 1 },
        {
          ...(what === 'accepted' && { last_event_at: at }),
          ...(refusal && { last_refusal_at: at, last_refusal: { code: refusal.code, text: refusal.text } }),
        },
      ),
    /** Remembers what the newest event says of its order. */
    noteReference: (endpoint: string, last_reference: NonNullable<Latest['last_reference']>): void =>
      note(endpoint, {}, { last_reference }),
    get: async (endpoint: string) => {
      await refresh();
      return (await documents.findOne({ _id: endpoint })) ?? fresh(endpoint);
    },
    all: async () => {
      await refresh();
      return read();
    },
    remove: (endpoint: string) => documents.deleteMany({ _id: endpoint }),
    refresh,
  };
}
