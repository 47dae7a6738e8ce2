import { idBound, type UniversalEvent } from '@order-automation/contracts';
import type { Filter, Sort, Store } from '@order-automation/store';
import { keyLifetime } from './inbox';
import type { Metadata } from './inspect';

/** A webhook whose events were accepted: what came, and what was made of it. Times are ISO 8601 UTC. */
export type KeptWebhook = {
  readonly process_id: string;
  readonly gateway: string;
  readonly connection: string | null;
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body_bytes: number;
  readonly metadata: Metadata;
  readonly events: readonly UniversalEvent[];
};

/** An event with the webhook that brought it. */
export type KeptEvent = { readonly event: UniversalEvent; readonly webhook: KeptWebhook };

/** With the place of its body in `bodies`: of the first character, and of the first behind it (UTF-16 code units). */
export type PlacedWebhook = KeptWebhook & { readonly body_from: number; readonly body_to: number };

/**
 * Webhooks that arrived together, in one document: only publishing again and inspection read them. `_id` is the id of the first event;
 * `bodies` has what was received, byte for byte, one body behind the other: text in UTF-8.
 */
export type PayloadDocument = {
  readonly _id: string;
  readonly webhooks: readonly PlacedWebhook[];
  readonly bodies: string;
};

type Query = { readonly filter: Filter<PayloadDocument>; readonly sort?: Sort<PayloadDocument> };

/** Every query of the collection. `now` in milliseconds since the epoch. */
export const payloadQueries = {
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids } } }),
  /** Those whose keys have run out, past the id `after`. */
  expired: (now: number, after: string): Query => ({
    filter: { _id: { $gt: after, $lt: idBound('evt', now - keyLifetime) } },
    sort: { _id: 1 },
  }),
} as const;

const withoutBodies = { projection: { webhooks: 1 } } as const;

export type Payloads = Awaited<ReturnType<typeof openPayloads>>;

/** Opens the collection. Everything resolves when it is flushed, and rejects when the database is away. */
export async function openPayloads(store: Store) {
  const documents = await store.collection<PayloadDocument>('payloads', [], { longText: 'bodies' });
  const remove = (ids: readonly string[]) => documents.deleteMany(payloadQueries.byIds(ids).filter);
  return {
    documents,
    add: (payload: PayloadDocument) => documents.insertOne(payload),
    /** Leaves only these webhooks in a payload; their bodies stay where they are. */
    keep: (id: string, webhooks: readonly PlacedWebhook[]) =>
      webhooks.length === 0 ? remove([id]) : documents.updateOne({ _id: id }, { $set: { webhooks } }),
    /** The events of these inbox documents, by their ids. */
    eventsOf: async (references: readonly { readonly payload: string }[]): Promise<ReadonlyMap<string, KeptEvent>> => {
      const ids = [...new Set(references.map(({ payload }) => payload))];
      const found = await documents.find(payloadQueries.byIds(ids).filter, withoutBodies).toArray();
      return new Map(found.flatMap(eventsIn).map((kept) => [kept.event.id, kept]));
    },
    expired: (now: number, after: string, limit: number) => {
      const { filter, sort = {} } = payloadQueries.expired(now, after);
      return documents.find(filter, withoutBodies).sort(sort).limit(limit).toArray();
    },
    remove,
  };
}

/** Every event of a payload. */
export function eventsIn({ webhooks }: Pick<PayloadDocument, 'webhooks'>): KeptEvent[] {
  return webhooks.flatMap((webhook) => webhook.events.map((event) => ({ event, webhook })));
}
