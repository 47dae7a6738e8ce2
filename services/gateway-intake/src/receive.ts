import type { ReceivedWebhook, Reception } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { AdapterRouter } from './adapters/router';
import type { Delivery } from './delivery';
import { documentsOf, duplicateOf } from './documents';
import type { Inbox, InboxDocument } from './inbox';
import { type Inspection, inspect } from './inspect';
import { answerTo } from './refusal';
import type { Telemetry } from './telemetry';

type Parts = {
  readonly router: AdapterRouter;
  readonly inbox: Inbox;
  readonly delivery: Delivery;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
};

type Arrival = {
  readonly webhook: ReceivedWebhook;
  readonly inspection: Inspection;
  readonly documents: readonly InboxDocument[];
};

/** What became of each document, by its id; a document that is not there could not be stored. */
type Stored = Map<string, InboxDocument>;

/**
 * Receives what arrived together: one flush for all of it, and nothing is answered `success: true` before that (decisions.md section 6,
 * "Durable before the answer"). Answers keep the order of the webhooks. Never rejects: without a store every answer is a failure.
 */
export async function receive(parts: Parts, webhooks: readonly ReceivedWebhook[]): Promise<Reception[]> {
  const started = performance.now();
  const now = parts.clock.now();
  const context = { now, onFailure: parts.telemetry.adapterFailed };
  const arrivals = webhooks.map((webhook): Arrival => {
    const inspection = inspect(parts.router, webhook, context);
    return { webhook, inspection, documents: documentsOf(webhook, inspection, now) };
  });
  const stored: Stored = new Map();
  try {
    await store(parts.inbox, arrivals, now, stored);
  } catch (error) {
    parts.telemetry.notStored(arrivals.filter((arrival) => !isStored(arrival, stored)).length, error);
  }
  follow(parts, stored);
  parts.telemetry.received(webhooks.length, (performance.now() - started) / 1000);
  return arrivals.map((arrival) => receptionOf(arrival, stored));
}

/** Two writes at most: first everything new, then copies, which are told the process of the first. */
async function store(inbox: Inbox, arrivals: readonly Arrival[], now: number, stored: Stored): Promise<void> {
  const firsts = new Map<string, InboxDocument>();
  const copies: InboxDocument[] = [];
  for (const document of arrivals.flatMap(({ documents }) => documents)) {
    if (firsts.has(document.key)) copies.push(document);
    else firsts.set(document.key, document);
  }
  const taken = await inbox.claim([...firsts.values()], now);
  for (const document of firsts.values()) {
    if (taken.has(document.key)) copies.push(document);
    else stored.set(document._id, document);
  }
  if (copies.length === 0) return;
  const duplicates = copies.map((copy) => duplicateOf(copy, taken.get(copy.key) ?? firsts.get(copy.key) ?? copy));
  // Flushed before the answer, and with it the first copy, which another instance may have written a moment ago.
  await inbox.claim(duplicates, now);
  for (const duplicate of duplicates) stored.set(duplicate._id, duplicate);
}

function follow({ delivery, telemetry }: Parts, stored: Stored): void {
  const accepted: InboxDocument[] = [];
  const owed: InboxDocument[] = [];
  for (const document of stored.values()) {
    if (document.state === 'accepted') {
      accepted.push(document);
      telemetry.accepted(document);
      continue;
    }
    owed.push(document);
    if (document.state === 'duplicate') telemetry.duplicate(document);
    else telemetry.refused(document);
  }
  delivery.announce(accepted);
  delivery.handOver(owed);
}

function isStored({ documents }: Arrival, stored: Stored): boolean {
  return documents.every(({ _id }) => stored.has(_id));
}

/** Section 4.3 of the specification, rules 2 and 3. */
function receptionOf(arrival: Arrival, stored: Stored): Reception {
  const { webhook, inspection, documents } = arrival;
  const failure = { success: false, process_id: webhook.process_id, events_processed: 0, duplicate: false };
  if (!isStored(arrival, stored))
    return { ...failure, message: 'The webhook could not be stored. Please send it again.' };
  if (inspection.kind === 'refused') return { ...failure, message: answerTo(inspection.refusal) };
  const results = documents.map(({ _id }) => stored.get(_id)).filter((result) => result !== undefined);
  const events = results.filter(({ state }) => state === 'accepted').length;
  if (events === 0) {
    const message = '0 events processed: this webhook was received before';
    const first = results[0]?.process_id ?? webhook.process_id;
    return { success: true, message, process_id: first, events_processed: 0, duplicate: true };
  }
  const message = events === 1 ? '1 event processed' : `${events} events processed`;
  return { success: true, message, process_id: webhook.process_id, events_processed: events, duplicate: false };
}
