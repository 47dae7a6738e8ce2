import type { Bus } from '@order-automation/bus';
import {
  type Answer,
  type AuditEntry,
  type EventFilter,
  ofFamily,
  paginate,
  plainEventName,
  ServiceError,
  type StoredEvent,
  walletEventNames,
} from '@order-automation/contracts';
import { countedReasons, idsBetween, redact } from '@order-automation/service';
import type { Filter } from '@order-automation/store';
import { parseBody } from '../../gateways/form';
import { withoutEmpty } from '../../gateways/payload';
import { bodyBytes, type InboxDocument, type InboxEvent, joined, type PayloadDocument } from '../../inbox/documents';
import type { Parts } from '../parts';
import { endpointName } from '../senders/records';

/** Newest first. */
export const listEvents: Answer<'intake.event.list.v1', Parts> = async ({ filter, page, per_page }, parts) => {
  const { inbox, payloads } = parts.collections;
  const wanted = filterOf(filter);
  const [documents, total] = await Promise.all([
    inbox.newest(wanted, (page - 1) * per_page, per_page),
    inbox.count(wanted),
  ]);
  return { events: (await payloads.join(documents)).map(storedEvent), pagination: paginate(total, page, per_page) };
};

/** The filter of the store for one of the interface. Times are those of ids: of the arrival here. */
export function filterOf({ connection, from, to, event_type: name, ...fields }: EventFilter): Filter<InboxDocument> {
  const endpoint = connection === undefined ? null : `generic/${connection}`;
  const event_type = name === undefined || ofFamily.test(name) ? name : { $in: spellingsOf(name) };
  return withoutEmpty({ ...idsBetween('evt', from, to), endpoint, event_type, ...fields }) as Filter<InboxDocument>;
}

/** What an event may be stored under whose gateway is not named: as it is, and under each family (`payment_intent.succeeded`). */
function spellingsOf(name: string): string[] {
  const plain = walletEventNames.get(name.toUpperCase()) ?? plainEventName(name);
  return [...new Set([name, plain, ...families.map((family) => `payment.${family}.${plain}`)])];
}

function storedEvent(document: InboxEvent): StoredEvent {
  const { _id, state, process_id, event, webhook, order_id, done_at, outcome, reason, attempts, due_at } = document;
  return {
    id: _id,
    state,
    gateway: event.sourceGateway,
    connection: webhook.connection,
    process_id,
    event_type: event.eventType,
    generic_type: event.genericType,
    order_id: order_id ?? null,
    named_order: event.orderReference.order_id,
    transaction_id: event.transactionID,
    amount: event.amount,
    currency: event.currency,
    authenticated: event.authenticated,
    is_test: event.isTest,
    ...(document.replay_of !== undefined && { replay_of: document.replay_of }),
    received_at: event.receivedAt,
    finished_at: done_at ?? null,
    outcome: outcome ?? null,
    reason: reason ?? null,
    attempts,
    next_attempt_at: due_at ?? null,
    ...waitOf(document),
  };
}

/** What an event waits for before it is evaluated to its end. */
function waitOf({ state, endpoint, waiting_for, waiting_until }: InboxEvent): Partial<StoredEvent> {
  if (state === 'waiting') return withoutEmpty({ waiting_for, waiting_until });
  const what = { held: 'somebody to resume', verifying: 'the confirmation of' }[state as string];
  return what === undefined ? {} : { waiting_for: `${what} ${endpoint}` };
}

/** One event, with what came with it as far as an administrator may see it. */
export const getEvent: Answer<'intake.event.get.v1', Parts> = async ({ id }, parts) => {
  const document = await existingEvent(parts, id);
  return {
    event: storedEvent(document),
    universal_event: redact(document.event) as InboxEvent['event'],
    headers: { ...document.webhook.headers },
    payload: redact(payloadOf(document)),
    payload_bytes: document.webhook.body_bytes,
    steps: await entriesOfProcess(parts.bus, document.process_id),
  };
};

export function payloadOf(document: PayloadDocument): unknown {
  if (document.body === undefined) return null;
  const bytes = bodyBytes(document);
  const type = document.webhook.headers['content-type'];
  return parseBody({ headers: type === undefined ? {} : { 'content-type': [type] }, body: bytes }).payload ?? null;
}

/** With its body. */
export async function existingEvent({ collections }: Pick<Parts, 'collections'>, id: string): Promise<InboxEvent> {
  const [[document], payload] = await Promise.all([collections.inbox.byIds([id]), collections.payloads.byId(id)]);
  if (document && payload) return joined(document, payload);
  throw new ServiceError(404, 'svc_event_not_found', 'There is no event with this id.', { id });
}

const maxReasons = 10_000;

/** Newest first, and how many there are of each reason. */
export const listDeadLetters: Answer<'intake.dead-letter.list.v1', Parts> = async (page, parts) => {
  const { events, pagination } = await listEvents({ filter: { state: 'dead' }, ...page }, parts);
  const all = await parts.collections.inbox.newest({ state: 'dead' }, 0, maxReasons);
  const reasons = countedReasons(all.map(({ reason = unknownReason }) => reason));
  return { dead_letters: events, reasons, pagination };
};

const unknownReason = 'Evaluation gave it up after several tries; its entries in the log say why.';

const maxEntries = 200;

/** What the log says of a process, oldest first; nothing when it says nothing yet. */
export async function entriesOfProcess(bus: Bus, processId: string): Promise<AuditEntry[]> {
  try {
    return (await bus.request('audit.process.get.v1', { process_id: processId, page: 1, per_page: maxEntries })).logs;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return [];
    throw error;
  }
}

const lookEvery = 25;

/** Looks until it finds something, or so many milliseconds are over. */
export async function lookFor<T>(timeout: number, look: () => Promise<T | false | undefined>): Promise<T | undefined> {
  const deadline = performance.now() + timeout;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (performance.now() > deadline) return undefined;
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
  }
}

/** Families of the adapters that are built in: what their events are stored under. */
const families = ['card', 'wallet', 'shop'] as const;

/** Names that no adapter and no connection has and no stored webhook has brought: a rule on one may be misspelt. */
export const checkEventTypes: Answer<'intake.event-type.check.v1', Parts> = async (asked, parts) => {
  const { router, collections, connections } = parts;
  const own = router.adapters().flatMap((adapter) => adapter.getSupportedEventTypes());
  const ofConnections = connections.all().flatMap(({ types = {} }) => Object.keys(types));
  const known = new Set([...own, ...ofConnections].map(plainEventName));
  const unknown: string[] = [];
  for (const name of asked.event_types) {
    const plain = plainEventName(name);
    if (known.has(plain) || walletEventNames.has(name.toUpperCase())) continue;
    const [seen] = await collections.inbox.newest({ event_type: { $in: spellingsOf(name) } }, 0, 1);
    if (!seen) unknown.push(name);
  }
  const connected = new Set(connections.all().map(({ name }) => endpointName(name)));
  const unknown_senders = (asked.senders ?? []).filter((name) => !router.adapterFor(name) && !connected.has(name));
  return { unknown, unknown_senders };
};
