import { newId, type ReceivedWebhook, type Reception } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Collections } from './accept';
import type { AdapterRouter } from './adapters/router';
import type { Delivery } from './delivery';
import { inboxDocuments, keptWebhook, placedWebhook } from './documents';
import { duplicateEntry, rejectedEntry } from './entries';
import { inspect } from './inspect';
import type { OwedDocument } from './owed';
import type { KeptEvent, KeptWebhook, PlacedWebhook } from './payloads';
import { answerTo, type Refusal } from './refusal';
import type { Telemetry } from './telemetry';

type Parts = {
  readonly router: AdapterRouter;
  readonly collections: Collections;
  readonly delivery: Delivery;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
};

type Arrival =
  | { readonly kind: 'accepted'; readonly webhook: KeptWebhook; readonly body: string }
  | { readonly kind: 'refused'; readonly webhook: ReceivedWebhook; readonly refusal: Refusal; readonly id: string };

/** What was stored of a group. */
type Stored = {
  readonly accepted: KeptEvent[];
  readonly copies: KeptEvent[];
  readonly owed: OwedDocument[];
  /** By the id of an event or a refusal: the process of the first copy, or null when it is no copy. What is not here is not stored. */
  readonly firsts: Map<string, string | null>;
};

/**
 * Receives what arrived together: one flush for all of it, and nothing is answered `success: true` before that (decisions.md section 6,
 * "Durable before the answer"). Answers keep the order of the webhooks. Never rejects: without a store every answer is a failure.
 */
export async function receive(parts: Parts, webhooks: readonly ReceivedWebhook[]): Promise<Reception[]> {
  const { collections, clock, delivery, telemetry } = parts;
  const started = performance.now();
  const now = clock.now();
  const arrivals = webhooks.map((webhook) => arrivalOf(parts, webhook, now));
  const stored: Stored = { accepted: [], copies: [], owed: [], firsts: new Map() };
  const results = await Promise.allSettled([
    storeRefused(collections, arrivals, stored),
    storeAccepted(collections, arrivals, now, stored),
  ]);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) telemetry.notStored(arrivals.filter((arrival) => !isStored(arrival, stored)).length, failure.reason);
  tell(telemetry, arrivals, stored);
  delivery.announce(stored.accepted);
  delivery.handOver(stored.owed);
  telemetry.received(webhooks.length, (performance.now() - started) / 1000);
  return arrivals.map((arrival) => receptionOf(arrival, stored));
}

function arrivalOf({ router, telemetry }: Parts, webhook: ReceivedWebhook, now: number): Arrival {
  const inspection = inspect(router, webhook, { now, onFailure: telemetry.adapterFailed });
  if (inspection.kind === 'accepted')
    return { kind: 'accepted', webhook: keptWebhook(webhook, inspection), body: inspection.text };
  return { kind: 'refused', webhook, refusal: inspection.refusal, id: newId('evt', now) };
}

/** Nothing of a refused webhook is kept but its entry in the log. */
async function storeRefused({ owed }: Collections, arrivals: readonly Arrival[], stored: Stored): Promise<void> {
  const documents: OwedDocument[] = [];
  for (const arrival of arrivals) {
    if (arrival.kind === 'accepted') continue;
    const { id, webhook, refusal } = arrival;
    documents.push({ _id: id, entry: rejectedEntry(id, webhook, refusal) });
  }
  await owed.add(documents);
  for (const document of documents) {
    stored.owed.push(document);
    stored.firsts.set(document._id, null);
  }
}

/** Two writes at most: first everything new, then copies, which are told the process of the first. */
async function storeAccepted(
  { accept, payloads, owed }: Collections,
  arrivals: readonly Arrival[],
  now: number,
  stored: Stored,
): Promise<void> {
  const { firsts, copies, webhooks, bodies } = sorted(arrivals);
  const [first] = firsts.values();
  if (first === undefined) return;
  const payload = { _id: first.event.id, webhooks, bodies };
  const taken = await accept(payload, inboxDocuments(firsts.values(), payload._id, now), now);
  for (const [key, kept] of firsts) {
    if (taken.has(key)) {
      copies.push(kept);
      continue;
    }
    stored.accepted.push(kept);
    stored.firsts.set(kept.event.id, null);
  }
  if (copies.length === 0) return;
  const firstOf = ({ event: { idempotencyKey: key }, webhook }: KeptEvent): string =>
    taken.get(key)?.process_id ?? firsts.get(key)?.webhook.process_id ?? webhook.process_id;
  const duplicates = copies.map((copy) => ({ _id: copy.event.id, entry: duplicateEntry(copy, firstOf(copy)) }));
  const rest = webhooks.filter(({ events }) => events.some(({ id }) => stored.firsts.has(id)));
  // Flushed before the answer, and with it the first copy, which another instance may have written a moment ago.
  await Promise.all([owed.add(duplicates), taken.size > 0 && payloads.keep(payload._id, rest)]);
  for (const copy of copies) stored.firsts.set(copy.event.id, firstOf(copy));
  stored.copies.push(...copies);
  stored.owed.push(...duplicates);
}

/** The events by their key, the copies among them, and the webhooks that are not copies altogether, with their bodies. */
function sorted(arrivals: readonly Arrival[]) {
  const firsts = new Map<string, KeptEvent>();
  const copies: KeptEvent[] = [];
  const webhooks: PlacedWebhook[] = [];
  let bodies = '';
  for (const arrival of arrivals) {
    if (arrival.kind === 'refused') continue;
    const { webhook, body } = arrival;
    const known = firsts.size;
    for (const event of webhook.events) {
      if (firsts.has(event.idempotencyKey)) copies.push({ event, webhook });
      else firsts.set(event.idempotencyKey, { event, webhook });
    }
    if (firsts.size === known) continue;
    webhooks.push(placedWebhook(webhook, bodies.length, body));
    bodies += body;
  }
  return { firsts, copies, webhooks, bodies };
}

function tell(telemetry: Telemetry, arrivals: readonly Arrival[], stored: Stored): void {
  telemetry.accepted(stored.accepted);
  for (const copy of stored.copies) telemetry.duplicate(copy);
  for (const arrival of arrivals) {
    if (arrival.kind === 'refused' && isStored(arrival, stored))
      telemetry.refused(arrival.id, arrival.webhook, arrival.refusal);
  }
}

function isStored(arrival: Arrival, { firsts }: Stored): boolean {
  return arrival.kind === 'refused' ? firsts.has(arrival.id) : arrival.webhook.events.every(({ id }) => firsts.has(id));
}

/** Section 4.3 of the specification, rules 2 and 3. */
function receptionOf(arrival: Arrival, stored: Stored): Reception {
  const { process_id } = arrival.webhook;
  const failure = { success: false, process_id, events_processed: 0, duplicate: false };
  if (!isStored(arrival, stored))
    return { ...failure, message: 'The webhook could not be stored. Please send it again.' };
  if (arrival.kind === 'refused') return { ...failure, message: answerTo(arrival.refusal) };
  const firsts = arrival.webhook.events.map(({ id }) => stored.firsts.get(id));
  const events = firsts.filter((first) => first === null).length;
  if (events === 0) {
    const message = '0 events processed: this webhook was received before';
    return { success: true, message, process_id: firsts[0] ?? process_id, events_processed: 0, duplicate: true };
  }
  const message = events === 1 ? '1 event processed' : `${events} events processed`;
  return { success: true, message, process_id, events_processed: events, duplicate: false };
}
