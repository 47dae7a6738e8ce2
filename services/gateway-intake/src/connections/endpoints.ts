import { isDuplicateKey, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import type { Refusal } from '../gateways/refusal';
import { newestRead } from './newest-read';
import type { StoredReading } from './reading';

/**
 * What is counted of a gateway's own address or of a connection, and whether it is paused. `_id` is `gateway_card` or `generic/erp`. Times are
 * ISO 8601 UTC.
 */
export type EndpointDocument = StoredReading & {
  readonly _id: string;
  readonly paused: boolean;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly last_event_at?: string;
  readonly last_refusal_at?: string;
  readonly last_refusal?: { readonly code: string; readonly text: string };
  readonly last_reference?: LastReference;
};

/** As the last event had it that named an order. */
export type LastReference = { readonly value: string; readonly from: string };

type Counts = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly lastEventAt?: string;
  readonly lastReference?: LastReference;
  readonly lastRefusal?: { readonly at: string; readonly refusal: Refusal };
};

const nothing: Counts = { accepted: 0, duplicates: 0, refused: 0 };

/** Both together; the last times and the last refusal are those of the later one, where it has them. */
function sum(earlier: Counts = nothing, later: Counts = nothing): Counts {
  return {
    ...earlier,
    ...later,
    accepted: earlier.accepted + later.accepted,
    duplicates: earlier.duplicates + later.duplicates,
    refused: earlier.refused + later.refused,
  };
}

export type Endpoints = {
  /** As it was a second ago at most. */
  paused(endpoint: string): boolean;
  /** As it is stored now. */
  isPausedNow(endpoint: string): Promise<boolean>;
  setPaused(endpoint: string, paused: boolean): Promise<void>;
  /** How references to orders of a gateway are read, as it was stored a second ago at most. */
  reading(endpoint: string): StoredReading;
  setReading(endpoint: string, reading: StoredReading): Promise<void>;
  /** Counts in memory; what was counted is stored every few seconds. */
  count(endpoint: string, what: 'accepted' | 'duplicates' | 'refused', at: string, refusal?: Refusal): void;
  /** Remembers what the newest event says of its order. */
  noteReference(endpoint: string, reference: LastReference): void;
  get(endpoint: string): Promise<EndpointDocument>;
  all(): Promise<ReadonlyMap<string, EndpointDocument>>;
  remove(endpoint: string): Promise<void>;
  /** Stores what was counted and reads what other processes have set. */
  refresh(): Promise<void>;
};

const fresh = (endpoint: string): EndpointDocument => ({
  _id: endpoint,
  paused: false,
  accepted: 0,
  duplicates: 0,
  refused: 0,
});

/** Endpoints are as few as gateways and connections are. */
const maxEndpoints = 2_000;

/** `isKnown` tells the names that are counted: what a sender made up is not. */
export async function openEndpoints(
  store: Store,
  log: Logger,
  isKnown: (endpoint: string) => boolean,
): Promise<Endpoints> {
  const documents = await store.collection<EndpointDocument>('endpoints');
  const counts = new Map<string, Counts>();
  let now: ReadonlyMap<string, EndpointDocument> = new Map();
  const all = async () =>
    new Map((await documents.find({}).limit(maxEndpoints).toArray()).map((document) => [document._id, document]));
  const ensure = async (endpoint: string): Promise<void> => {
    if (await documents.findOne({ _id: endpoint })) return;
    await documents.insertOne(fresh(endpoint)).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  };
  let stored: Promise<void> = Promise.resolve();
  /** One after the other: who asks for the counts also has those that another call is storing. What could not be stored is stored with the next. */
  const storeCounts = (): Promise<void> => {
    stored = stored.then(async () => {
      for (const [endpoint, counted] of [...counts]) {
        counts.delete(endpoint);
        try {
          await ensure(endpoint);
          await documents.updateOne({ _id: endpoint }, updateOf(counted));
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
  const readSettings = newestRead(all, (found) => {
    now = found;
  });
  const set = async (endpoint: string, $set: Partial<EndpointDocument>): Promise<void> => {
    await ensure(endpoint);
    await documents.updateOne({ _id: endpoint }, { $set });
    await refresh();
  };
  const refresh = async (): Promise<void> => {
    await storeCounts();
    await readSettings();
  };
  await refresh();
  return {
    paused: (endpoint) => now.get(endpoint)?.paused === true,
    reading: (endpoint) => now.get(endpoint) ?? {},
    isPausedNow: async (endpoint) => (await documents.findOne({ _id: endpoint }))?.paused === true,
    setPaused: (endpoint, paused) => set(endpoint, { paused }),
    setReading: (endpoint, { order_reference, order_prefix }) =>
      set(endpoint, {
        ...(order_reference !== undefined && { order_reference }),
        ...(order_prefix !== undefined && { order_prefix }),
      }),
    count: (endpoint, what, at, refusal) => {
      if (!isKnown(endpoint)) return;
      counts.set(
        endpoint,
        sum(counts.get(endpoint), {
          ...nothing,
          [what]: 1,
          ...(what === 'accepted' ? { lastEventAt: at } : {}),
          ...(refusal ? { lastRefusal: { at, refusal } } : {}),
        }),
      );
    },
    noteReference: (endpoint, lastReference) => {
      if (isKnown(endpoint)) counts.set(endpoint, sum(counts.get(endpoint), { ...nothing, lastReference }));
    },
    get: async (endpoint) => {
      await refresh();
      return (await documents.findOne({ _id: endpoint })) ?? fresh(endpoint);
    },
    all: async () => {
      await refresh();
      return all();
    },
    remove: async (endpoint) => void (await documents.deleteMany({ _id: endpoint })),
    refresh,
  };
}

function updateOf({ accepted, duplicates, refused, lastEventAt, lastRefusal, lastReference }: Counts) {
  return {
    $inc: { accepted, duplicates, refused },
    ...(lastEventAt === undefined && !lastRefusal && !lastReference
      ? {}
      : {
          $set: {
            ...(lastEventAt === undefined ? {} : { last_event_at: lastEventAt }),
            ...(lastReference ? { last_reference: lastReference } : {}),
            ...(lastRefusal
              ? {
                  last_refusal_at: lastRefusal.at,
                  last_refusal: { code: lastRefusal.refusal.code, text: lastRefusal.refusal.text },
                }
              : {}),
          },
        }),
  };
}
