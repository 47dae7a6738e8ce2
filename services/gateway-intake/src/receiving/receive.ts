import { newId, type ReceivedWebhook, type Reception, type WebhookLimit } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import { sha256 } from '../gateways/keys';
import { untrusted } from '../gateways/refusal';
import type { Delivery } from '../inbox/delivery';
import { endpointOf, inboxDocuments } from '../inbox/document';
import type { InboxDocument, InboxState } from '../inbox/inbox';
import type { OwedDocument } from '../inbox/owed';
import type { Collections } from '../service';
import type { Telemetry } from '../telemetry';
import { duplicateEntry, rejectedEntry } from './entries';
import { type Inspection, type InspectOptions, type Inspector, inspect } from './inspect';
import type { Limiter } from './limiter';
import { notStored, type Outcome, receptionOf } from './outcome';

export type Receiving = Inspector & {
  readonly collections: Collections;
  readonly delivery: Delivery;
  readonly endpoints: Pick<Endpoints, 'paused' | 'count'>;
  readonly limiter: Limiter;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
};

type Accepted = Extract<Inspection, { kind: 'accepted' }>;
type Refused = Extract<Inspection, { kind: 'refused' }>;
type Arrival<I extends Inspection = Inspection> = {
  readonly webhook: ReceivedWebhook;
  readonly inspection: I;
  readonly limit?: WebhookLimit;
};

/** A webhook with what became of it; `documents` are those that were stored. */
export type Received = {
  readonly webhook: ReceivedWebhook;
  readonly outcome: Outcome;
  readonly documents: readonly InboxDocument[];
  /** What is left of the limit that this webhook counted against. */
  readonly limit?: WebhookLimit;
};

/** Answers what arrived together, in its order. Never rejects: without a store every answer is a failure. */
export async function receive(receiving: Receiving, webhooks: readonly ReceivedWebhook[]): Promise<Reception[]> {
  const received = await receiveAll(receiving, webhooks, {});
  return received.map(({ webhook, outcome, limit }) => {
    const reception = receptionOf(outcome, webhook.process_id);
    return limit ? { ...reception, limit } : reception;
  });
}

/**
 * Receives what arrived together: one flush for all of it, and nothing is answered `success: true` before that (decisions.md section 6,
 * "Durable before the answer"). Never rejects.
 */
export async function receiveAll(
  receiving: Receiving,
  webhooks: readonly ReceivedWebhook[],
  options: Omit<InspectOptions, 'now'>,
): Promise<Received[]> {
  const started = performance.now();
  const now = receiving.clock.now();
  const arrivals = await Promise.all(
    webhooks.map(async (webhook): Promise<Arrival> => {
      const inspection = inspect(receiving, webhook, { ...options, now });
      return { webhook, inspection: inspection instanceof Promise ? await inspection : inspection };
    }),
  );
  const limited = arrivals.map((arrival) => withinLimits(receiving, arrival, now));
  const accepted = limited.filter(isAccepted);
  const refused = limited.filter(isRefused);
  const [ofAccepted, ofRefused] = await Promise.all([
    orNotStored(receiving, accepted, () => storeAccepted(receiving, accepted, now)),
    orNotStored(receiving, refused, () =>
      storeRefused(receiving, refused, { now, isTest: options.test !== undefined }),
    ),
  ]);
  receiving.collections.quota.release(reservedBytes(accepted));
  receiving.telemetry.received(webhooks.length, (performance.now() - started) / 1000);
  let [nextAccepted, nextRefused] = [0, 0];
  return limited.map(({ inspection, ...arrival }) => {
    if (inspection === overRate) return { ...arrival, outcome: { kind: 'refused', refusal: tooMany }, documents: [] };
    const results = inspection.kind === 'accepted' ? ofAccepted[nextAccepted++] : ofRefused[nextRefused++];
    return { ...arrival, outcome: results?.outcome ?? notStored, documents: results?.documents ?? [] };
  });
}

const tooMany = untrusted('too_many', 'Too many webhooks of this address proved nothing.');
const overQuota = untrusted(
  'unauthenticated_quota',
  'Webhooks that nothing proves have used up their quota (INTAKE_UNAUTHENTICATED_BYTES): give their senders connections.',
);
/** Refused without a record of its own: it is counted, and the log says so once a minute. */
const overRate: Refused = { kind: 'refused', refusal: tooMany, keep: null };

/** The arrival, or its refusal when it proves nothing and its address has sent too much of that, or the quota is used up. */
function withinLimits({ limiter, collections: { quota } }: Receiving, arrival: Arrival, now: number): Arrival {
  const { webhook, inspection } = arrival;
  const isProven =
    inspection.kind === 'accepted' ? !inspection.unproven && !inspection.verifying : inspection.keep !== null;
  if (isProven) return arrival;
  const { address = null } = webhook;
  const taken = address === null ? undefined : limiter.take(address, now);
  const counted = taken ? { ...arrival, limit: taken.limit } : arrival;
  if (taken?.isWithin === false) return { ...counted, inspection: overRate };
  const isKept = inspection.kind === 'accepted' && inspection.unproven;
  if (!isKept || quota.reserve(webhook.body.length)) return counted;
  return { ...counted, inspection: { kind: 'refused', refusal: overQuota, keep: null } };
}

/** What `withinLimits` has reserved for them. */
function reservedBytes(accepted: readonly Arrival<Accepted>[]): number {
  return accepted.reduce((sum, { webhook, inspection }) => sum + (inspection.unproven ? webhook.body.length : 0), 0);
}

function isAccepted(arrival: Arrival): arrival is Arrival<Accepted> {
  return arrival.inspection.kind === 'accepted';
}

function isRefused(arrival: Arrival): arrival is Arrival<Refused> {
  return arrival.inspection.kind === 'refused' && arrival.inspection !== overRate;
}

type Stored = { readonly outcome: Outcome; readonly documents: readonly InboxDocument[] };

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
    return arrivals.map(() => ({ outcome: notStored, documents: [] }));
  }
}

/** One write for everything new; a second one for the entries about copies. */
async function storeAccepted(receiving: Receiving, all: readonly Arrival<Accepted>[], now: number): Promise<Stored[]> {
  const reused = await reusedIds(receiving, all, now);
  const arrivals = all.filter((arrival) => !reused.has(arrival));
  const { collections, delivery, telemetry, endpoints } = receiving;
  const candidates = arrivals.map(({ webhook, inspection }) =>
    inboxDocuments(webhook, inspection, stateOf(inspection, endpoints.paused(endpointOf(webhook))), now),
  );
  const taken = await collections.inbox.claim(candidates.flat(), now);
  const isNew = ({ _id, key }: InboxDocument): boolean => !taken.has(key) || taken.get(key)?._id === _id;
  const firstOf = ({ key, process_id }: InboxDocument): string => taken.get(key)?.process_id ?? process_id;
  const copies = candidates.flat().filter((document) => !isNew(document));
  const entries = copies.map((copy) => ({ _id: copy._id, entry: duplicateEntry(copy, firstOf(copy)) }));
  // Flushed before the answer, and with it the first copy, which another instance may have written a moment ago.
  await collections.owed.add(entries);
  const fresh = candidates.flat().filter(isNew);
  await collections.quota.add(fresh.reduce((sum, { quota_bytes = 0 }) => sum + quota_bytes, 0));
  delivery.accepted(fresh);
  delivery.record(entries);
  telemetry.accepted(fresh);
  for (const { endpoint, event } of fresh) if (!event.isTest) endpoints.count(endpoint, 'accepted', event.receivedAt);
  for (const copy of copies) {
    telemetry.duplicate(copy);
    endpoints.count(copy.endpoint, 'duplicates', copy.event.receivedAt);
  }
  const outcomes = candidates.map((documents): Stored => {
    const stored = documents.filter(isNew);
    const [first] = documents;
    if (stored.length === 0 && first) return { outcome: { kind: 'duplicate', first: firstOf(first) }, documents: [] };
    return {
      outcome: { kind: 'accepted', events: stored.length, pending: pendingOf(stored[0]?.state) },
      documents: stored,
    };
  });
  const refusals = await storeRefused(receiving, [...reused.values()], { now, isTest: false });
  let [next, nextReused] = [0, 0];
  return all.map((arrival) => (reused.has(arrival) ? refusals[nextReused++] : outcomes[next++]) as Stored);
}

function stateOf({ verifying }: Accepted, paused: boolean): InboxState {
  if (verifying) return 'verifying';
  return paused ? 'held' : 'accepted';
}

function pendingOf(state: InboxState | undefined): 'verifying' | 'held' | null {
  return state === 'verifying' || state === 'held' ? state : null;
}

const reusedId = untrusted(
  'transmission_reused',
  'This transmission id came before with another body: the body was changed, or somebody replays the headers of another webhook.',
);

/** Of the arrivals with an id that may come with one body alone: those whose id came with another one, as refusals. */
async function reusedIds(
  { collections }: Receiving,
  arrivals: readonly Arrival<Accepted>[],
  now: number,
): Promise<Map<Arrival, Arrival<Refused>>> {
  const reused = new Map<Arrival, Arrival<Refused>>();
  for (const arrival of arrivals) {
    const { webhook, inspection } = arrival;
    if (inspection.singleUse === null) continue;
    const mine = await collections.transmissions.bind(inspection.singleUse, sha256(webhook.body), now);
    if (!mine) reused.set(arrival, { webhook, inspection: { kind: 'refused', refusal: reusedId, keep: null } });
  }
  return reused;
}

/** Of a refused webhook the entry for the log is stored, and itself only when it is authentic. */
async function storeRefused(
  { collections, delivery, telemetry, endpoints }: Receiving,
  arrivals: readonly Arrival<Refused>[],
  { now, isTest }: { readonly now: number; readonly isTest: boolean },
): Promise<Stored[]> {
  if (arrivals.length === 0) return [];
  const kept = arrivals.flatMap(({ webhook, inspection: { keep, refusal } }) =>
    keep
      ? inboxDocuments(webhook, keep, 'refused', now).map((document) => ({ ...document, reason: refusal.text }))
      : [],
  );
  if (kept.length > 0) await collections.inbox.claim(kept, now);
  const entries = arrivals.map(({ webhook, inspection }): OwedDocument => {
    const id = newId('evt', now);
    return { _id: id, entry: rejectedEntry(id, webhook, inspection.refusal, isTest) };
  });
  await collections.owed.add(entries);
  delivery.record(entries);
  return arrivals.map(({ webhook, inspection: { refusal } }, index) => {
    telemetry.refused(entries[index]?._id ?? '', webhook, refusal);
    if (!isTest) endpoints.count(endpointOf(webhook), 'refused', webhook.received_at, refusal);
    return { outcome: { kind: 'refused', refusal }, documents: [] };
  });
}
