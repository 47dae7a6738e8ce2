import {
  type EventFilter,
  idBound,
  newId,
  newProcessId,
  paginate,
  type RequestOutput,
  ServiceError,
  type StoredEvent,
  type UniversalEvent,
} from '@order-automation/contracts';
import { redact, type ServiceDeps } from '@order-automation/service';
import type { Filter } from '@order-automation/store';
import { parsePayload } from '../gateways/payload';
import { parseForm } from '../gateways/wallet/form';
import type { Delivery } from '../inbox/delivery';
import { bodyBytes } from '../inbox/document';
import { firstPatience, type Inbox, type InboxDocument } from '../inbox/inbox';
import { entriesOfProcess } from './process-entries';

export type EventParts = Pick<ServiceDeps, 'bus' | 'clock'> & { readonly inbox: Inbox; readonly delivery: Delivery };

type Page = { readonly page: number; readonly per_page: number };

/** Newest first. */
export async function listEvents(
  { inbox }: EventParts,
  filter: EventFilter,
  { page, per_page }: Page,
): Promise<RequestOutput<'intake.event.list.v1'>> {
  const wanted = filterOf(filter);
  const [documents, total] = await Promise.all([
    inbox.newest(wanted, (page - 1) * per_page, per_page),
    inbox.count(wanted),
  ]);
  return { events: documents.map(recordOf), pagination: paginate(total, page, per_page) };
}

/** The filter of the store for one of the interface. Times are those of ids: of the arrival here. */
export function filterOf(filter: EventFilter): Filter<InboxDocument> {
  const { gateway, connection, event_type, state, order_id, process_id, from, to } = filter;
  const id = {
    ...(from === undefined ? {} : { $gte: idBound('evt', Date.parse(from)) }),
    ...(to === undefined ? {} : { $lt: idBound('evt', Date.parse(to) + 1) }),
  };
  return {
    ...(Object.keys(id).length > 0 && { _id: id }),
    ...(state !== undefined && { state }),
    ...(process_id !== undefined && { process_id }),
    ...(order_id !== undefined && { order_id }),
    ...(gateway !== undefined && { 'event.sourceGateway': gateway }),
    ...(connection !== undefined && { endpoint: `generic/${connection}` }),
    ...(event_type !== undefined && { 'event.eventType': event_type }),
  };
}

export function recordOf(document: InboxDocument): StoredEvent {
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
    transaction_id: event.transactionID,
    amount: event.amount,
    currency: event.currency,
    authenticated: event.authenticated,
    is_test: event.isTest,
    received_at: event.receivedAt,
    finished_at: done_at ?? null,
    outcome: outcome ?? null,
    reason: reason ?? null,
    attempts,
    next_attempt_at: due_at ?? null,
  };
}

/** One event, with what came with it as far as an administrator may see it. */
export async function getEvent({ inbox, bus }: EventParts, id: string): Promise<RequestOutput<'intake.event.get.v1'>> {
  const document = await existing(inbox, id);
  const steps = await entriesOfProcess(bus, document.process_id);
  return {
    event: recordOf(document),
    universal_event: document.event,
    headers: { ...document.webhook.headers },
    payload: redact(payloadOf(document)),
    payload_bytes: document.webhook.body_bytes,
    steps,
  };
}

function payloadOf(document: InboxDocument): unknown {
  if (document.body === undefined) return null;
  const bytes = bodyBytes(document);
  const isForm = document.webhook.headers['content-type']?.includes('form-urlencoded') === true;
  const { payload } = isForm ? parseForm(bytes) : parsePayload(bytes);
  return payload ?? null;
}

async function existing(inbox: Inbox, id: string): Promise<InboxDocument> {
  const document = await inbox.documents.findOne({ _id: id });
  if (!document) throw new ServiceError(404, 'svc_event_not_found', 'There is no event with this id.', { id });
  return document;
}

type Replayed = RequestOutput<'intake.event.replay.v1'>;

/**
 * Evaluates a finished event again, as an event of its own: the occurrence stays the same, so that what has taken effect does not take it
 * twice, and what has not does.
 */
export async function replayEvent(parts: EventParts, id: string): Promise<Replayed> {
  const document = await existing(parts.inbox, id);
  if (document.state !== 'done' && document.state !== 'dead')
    throw new ServiceError(409, 'svc_event_not_finished', 'Only finished events and dead letters can be replayed.', {
      id,
      state: document.state,
    });
  return replay(parts, document);
}

async function replay({ inbox, delivery, clock }: EventParts, document: InboxDocument): Promise<Replayed> {
  const now = clock.now();
  const number = (document.replays ?? 0) + 1;
  const event: UniversalEvent = {
    ...document.event,
    id: newId('evt', now),
    idempotencyKey: document.event.idempotencyKey,
  };
  const {
    body: _body,
    body_encoding: _encoding,
    order_id: _order,
    outcome: _outcome,
    reason: _reason,
    done_at: _done,
    ...rest
  } = document;
  const again: InboxDocument = {
    ...rest,
    _id: event.id,
    key: `replay ${document._id} ${number}`,
    state: 'accepted',
    process_id: newProcessId(now),
    event,
    replay_of: document._id,
    due_at: new Date(now + firstPatience).toISOString(),
    attempts: 0,
  };
  const taken = await inbox.claim([again], now);
  const holder = taken.get(again.key);
  // Somebody else replays it at this moment: that is the replay.
  if (holder) return { event_id: document._id, replay_id: holder._id, process_id: holder.process_id };
  await inbox.documents.updateOne({ _id: document._id }, { $set: { replays: number } });
  delivery.accepted([again]);
  return { event_id: document._id, replay_id: again._id, process_id: again.process_id };
}

const mostReplayed = 500;

/** Finished events that pass the filter, oldest first. */
export async function replayEvents(
  parts: EventParts,
  filter: EventFilter,
  preview: boolean,
): Promise<RequestOutput<'intake.events.replay.v1'>> {
  const states = filter.state === undefined ? (['done', 'dead'] as const) : [filter.state];
  const wanted = states
    .filter((state) => state === 'done' || state === 'dead')
    .map((state) => filterOf({ ...filter, state }));
  const counts = await Promise.all(wanted.map((one) => parts.inbox.count(one)));
  const matching = counts.reduce((sum, count) => sum + count, 0);
  if (preview) return { matching, replayed: 0, remaining: matching, events: [] };
  const events: Replayed[] = [];
  for (const one of wanted) {
    const documents = await parts.inbox.oldestOf(one, mostReplayed - events.length);
    for (const document of documents) if (document.replay_of === undefined) events.push(await replay(parts, document));
    if (events.length >= mostReplayed) break;
  }
  return { matching, replayed: events.length, remaining: matching - events.length, events };
}

const mostReasons = 10_000;

/** Newest first, and how many there are of each reason. */
export async function listDeadLetters(
  parts: EventParts,
  page: Page,
): Promise<RequestOutput<'intake.dead-letter.list.v1'>> {
  const { events, pagination } = await listEvents(parts, { state: 'dead' }, page);
  const all = await parts.inbox.newest({ state: 'dead' }, 0, mostReasons);
  const counts = new Map<string, number>();
  for (const { reason = unknownReason } of all) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
  return { dead_letters: events, reasons, pagination };
}

const unknownReason = 'Evaluation gave it up after several tries; its entries in the log say why.';
