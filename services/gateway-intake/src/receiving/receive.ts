import { newId, type ReceivedWebhook, type Reception, type WebhookLimit } from '@order-automation/contracts';
import { type Outbox, recordsOf } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import type { Delivery, DeliveryDeps } from '../delivery/delivery';
import { sha256 } from '../gateways/idempotency-keys';
import { authenticityRefusal } from '../gateways/refusal';
import { endpointOf, type InboxEvent, inboxEvents } from '../inbox/documents';
import { duplicateEntry, rejectedEntry } from '../inbox/entries';
import type { Use } from '../inbox/quota';
import { type Accepted, type Admitting, type Arrival, inspectWithinLimits, overRate, type Refused } from './admission';
import type { InspectOptions } from './inspect';
import { notStored, type Outcome, receptionOf } from './outcome';

export type Receiving = Admitting &
  Pick<DeliveryDeps, 'collections' | 'clock' | 'telemetry'> & {
    readonly delivery: Delivery;
    readonly outbox: Pick<Outbox, 'add' | 'recordAround'>;
    readonly endpoints: Pick<Endpoints, 'paused' | 'count' | 'noteReference'>;
  };

/** A webhook with what became of it; `documents` are those that were stored. */
export type Received = {
  readonly webhook: ReceivedWebhook;
  readonly outcome: Outcome;
  readonly documents: readonly InboxEvent[];
  /** What is left of the limit that this webhook counted against. */
  readonly limit?: WebhookLimit;
};

/** Answers what arrived together, in its order. Never rejects: without a store every answer is a failure. */
export async function receive(receiving: Receiving, webhooks: readonly ReceivedWebhook[]): Promise<Reception[]> {
  return (await receiveAll(receiving, webhooks, {})).map(({ webhook, outcome, limit }) => ({
    ...receptionOf(outcome, webhook.process_id),
    ...(limit && { limit }),
  }));
}

/** Receives what arrived together: one flush, before any `success: true` (decisions.md section 6, "Durable before the answer"). Never rejects. */
export async function receiveAll(
  receiving: Receiving,
  webhooks: readonly ReceivedWebhook[],
  options: Omit<InspectOptions, 'now'>,
): Promise<Received[]> {
  const started = performance.now();
  const now = receiving.clock.now();
  const inspected = await Promise.all(
    webhooks.map((webhook) => inspectWithinLimits(receiving, webhook, { ...options, now })),
  );
  const stored = await orNotStored(receiving, inspected, async () => {
    const arrivals: Arrival[] = [];
    for (const arrival of inspected) arrivals.push(await boundToBody(receiving, arrival, now));
    return storeAll(receiving, arrivals, { now, isTest: options.test !== undefined });
  });
  for (const { reserved } of inspected) if (reserved !== null) receiving.collections.quota.release(reserved);
  receiving.telemetry.received(webhooks.length, (performance.now() - started) / 1000);
  return inspected.map(({ webhook, limit }, index) => ({
    webhook,
    ...(limit && { limit }),
    ...(stored[index] ?? lost),
  }));
}

type Stored = { readonly outcome: Outcome; readonly documents: readonly InboxEvent[] };

const lost: Stored = { outcome: notStored, documents: [] };
const withoutRecord: Stored = { outcome: { kind: 'refused', refusal: overRate.refusal }, documents: [] };

/** What is accepted and what is refused, each in one write; of what is over the rate nothing is stored. */
async function storeAll(receiving: Receiving, arrivals: readonly Arrival[], options: Storing): Promise<Stored[]> {
  const accepted = arrivals.filter(isAccepted);
  const refused = arrivals.filter(isRefused);
  const [ofAccepted, ofRefused] = await Promise.all([
    orNotStored(receiving, accepted, () => storeAccepted(receiving, accepted, options.now)),
    orNotStored(receiving, refused, () => storeRefused(receiving, refused, options)),
  ]);
  const stored = new Map<Arrival, Stored | undefined>([
    ...accepted.map((arrival, index) => [arrival, ofAccepted[index]] as const),
    ...refused.map((arrival, index) => [arrival, ofRefused[index]] as const),
  ]);
  return arrivals.map((arrival) => stored.get(arrival) ?? withoutRecord);
}

type Storing = { readonly now: number; readonly isTest: boolean };

const isAccepted = (arrival: Arrival): arrival is Arrival<Accepted> => arrival.inspection.kind === 'accepted';
const isRefused = (arrival: Arrival): arrival is Arrival<Refused> =>
  arrival.inspection.kind === 'refused' && arrival.inspection !== overRate;

/** Storing failed for all of them, or for none. */
async function orNotStored(
  { telemetry }: Receiving,
  arrivals: readonly Arrival[],
  store: () => Promise<Stored[]>,
): Promise<Stored[]> {
  if (arrivals.length === 0) return [];
  try {
    return await store();
  } catch (error) {
    telemetry.notStored(arrivals.length, error);
    return arrivals.map(() => lost);
  }
}

/** One write for everything new; a second one for the entries about copies. */
async function storeAccepted(receiving: Receiving, all: readonly Arrival<Accepted>[], now: number): Promise<Stored[]> {
  const { collections, delivery, outbox, telemetry } = receiving;
  const arrivals = await underEarlierKeys(receiving, all);
  const candidates = arrivals.map((arrival) => documentsOf(receiving, arrival, now));
  const taken = await collections.inbox.claim(candidates.flat(), now);
  const isNew = ({ _id, key }: InboxEvent): boolean => !taken.has(key) || taken.get(key)?._id === _id;
  const firstOf = ({ key, process_id }: InboxEvent): string => taken.get(key)?.process_id ?? process_id;
  // The edge hands a webhook over again when an instance that stored it was killed before it could answer.
  const isOurs = (document: InboxEvent): boolean =>
    isNew(document) || taken.get(document.key)?.process_id === document.process_id;
  const copies = candidates.flat().filter((document) => !isOurs(document));
  const entries = copies.map((copy) => duplicateEntry(copy, firstOf(copy), taken.get(copy.key)?.order_id ?? null));
  // Flushed before the answer, and with it the first copy, which another instance may have written a moment ago. Without it a copy is not answered as
  // one; what is new is stored all the same.
  const areRecorded =
    copies.length === 0 || (await isDone(receiving, copies.length, () => outbox.add(recordsOf(entries))));
  const fresh = candidates.flat().filter(isNew);
  const uses = fresh.map(({ quota_total: total = '', quota_bytes: bytes = 0 }): Use => ({ total, bytes }));
  await isDone(receiving, 0, () => collections.quota.add(uses));
  delivery.accepted(fresh);
  telemetry.accepted(fresh);
  countAll(receiving, fresh, areRecorded ? copies : []);
  return candidates.map((documents): Stored => {
    const stored = documents.filter(isOurs);
    const [first] = documents;
    if (stored.length === 0 && !areRecorded) return lost;
    if (stored.length === 0 && first) return { outcome: { kind: 'duplicate', first: firstOf(first) }, documents: [] };
    const state = stored[0]?.state;
    const pending = state === 'verifying' || state === 'held' ? state : null;
    return { outcome: { kind: 'accepted', events: stored.length, pending }, documents: stored.filter(isNew) };
  });
}

function documentsOf({ endpoints }: Receiving, { webhook, inspection, reserved }: Arrival<Accepted>, now: number) {
  const { unauthenticated, verifying } = inspection;
  const isPaused = endpoints.paused(endpointOf(webhook));
  const quotaTotal = unauthenticated || verifying ? (reserved?.total ?? null) : null;
  const state = verifying ? 'verifying' : isPaused ? 'held' : 'accepted';
  return inboxEvents(webhook, { ...inspection, quotaTotal }, state, now);
}

function countAll({ endpoints, telemetry }: Receiving, fresh: readonly InboxEvent[], copies: readonly InboxEvent[]) {
  for (const { endpoint, event } of fresh) {
    if (event.isTest) continue;
    endpoints.count(endpoint, 'accepted', event.receivedAt);
    const reference = event.orderReference.references?.[0];
    if (reference) endpoints.noteReference(endpoint, reference);
  }
  for (const copy of copies) {
    telemetry.duplicate(copy);
    endpoints.count(copy.endpoint, 'duplicates', copy.event.receivedAt);
  }
}

/** Whether it was done. Where it was not, `lost` webhooks are answered that they were not stored. */
async function isDone({ telemetry }: Receiving, lost: number, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    telemetry.notStored(lost, error);
    return false;
  }
}

const reusedId = authenticityRefusal(
  'transmission_reused',
  'This transmission id came before with another body: the body was changed, or somebody replays the headers of another webhook.',
);

/** An id that may come with one body alone: with another one the webhook is refused. */
async function boundToBody({ collections }: Receiving, arrival: Arrival, now: number): Promise<Arrival> {
  const { webhook, inspection } = arrival;
  if (inspection.kind === 'refused' || inspection.singleUse === null) return arrival;
  const isBound = await collections.transmissions.bind(inspection.singleUse, sha256(webhook.body), now);
  return isBound ? arrival : { ...arrival, inspection: { kind: 'refused', refusal: reusedId, keep: null } };
}

/** Of a refused webhook the entry for the log is stored, and itself only when it is authentic. */
async function storeRefused(
  { collections, outbox, telemetry, endpoints }: Receiving,
  arrivals: readonly Arrival<Refused>[],
  { now, isTest }: Storing,
): Promise<Stored[]> {
  const kept = arrivals.flatMap(({ webhook, inspection: { keep, refusal } }) =>
    keep ? inboxEvents(webhook, keep, 'refused', now).map((document) => ({ ...document, reason: refusal.text })) : [],
  );
  if (kept.length > 0) await collections.inbox.claim(kept, now);
  const ids = arrivals.map(() => newId('evt', now));
  const entries = arrivals.map(({ webhook, inspection }, index) =>
    rejectedEntry(ids[index] ?? '', webhook, inspection.refusal, isTest),
  );
  await outbox.add(recordsOf(entries));
  return arrivals.map(({ webhook, inspection: { refusal } }, index) => {
    telemetry.refused(ids[index] ?? '', webhook, refusal);
    if (!isTest) endpoints.count(endpointOf(webhook), 'refused', webhook.received_at, refusal);
    return { outcome: { kind: 'refused', refusal }, documents: [] };
  });
}

/**
 * The arrivals, and those that an earlier version stored under a key of its own with that key. The earlier key told less apart: only the same body is
 * the same webhook. Where the sender is not proven the body is part of the key.
 */
async function underEarlierKeys(
  { collections }: Receiving,
  arrivals: readonly Arrival<Accepted>[],
): Promise<readonly Arrival<Accepted>[]> {
  const keys = arrivals.flatMap(({ inspection: { earlierKey } }) => earlierKey ?? []);
  if (keys.length === 0) return arrivals;
  const bodies = new Map<string | undefined, string | undefined>();
  for (const { key, body, body_encoding } of await collections.payloads.byKeys(keys))
    bodies.set(key, body === undefined ? undefined : Buffer.from(body, body_encoding ?? 'utf8').toString('latin1'));
  return arrivals.map((arrival) => {
    const { inspection, webhook } = arrival;
    const { earlierKey, events, unauthenticated, verifying } = inspection;
    if (earlierKey === null || !bodies.has(earlierKey)) return arrival;
    const isInKey = unauthenticated || verifying;
    if (!isInKey && bodies.get(earlierKey) !== Buffer.from(webhook.body).toString('latin1')) return arrival;
    return {
      ...arrival,
      inspection: { ...inspection, events: events.map((event) => ({ ...event, idempotencyKey: earlierKey })) },
    };
  });
}
