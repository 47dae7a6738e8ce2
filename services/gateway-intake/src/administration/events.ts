import {
  type EventFilter,
  idBound,
  paginate,
  type RequestOutput,
  ServiceError,
  type StoredEvent,
} from '@order-automation/contracts';
import { redact, type ServiceDeps } from '@order-automation/service';
import type { Filter } from '@order-automation/store';
import { parsePayload } from '../gateways/payload';
import { parseForm } from '../gateways/wallet/form';
import { bodyBytes } from '../inbox/document';
import type { Inbox, InboxDocument } from '../inbox/inbox';
import { entriesOfProcess } from './process-entries';

export type EventParts = Pick<ServiceDeps, 'bus'> & { readonly inbox: Inbox };

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
  const document = await existingEvent(inbox, id);
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

export function payloadOf(document: InboxDocument): unknown {
  if (document.body === undefined) return null;
  const bytes = bodyBytes(document);
  const isForm = document.webhook.headers['content-type']?.includes('form-urlencoded') === true;
  const { payload } = isForm ? parseForm(bytes) : parsePayload(bytes);
  return payload ?? null;
}

export async function existingEvent(inbox: Inbox, id: string): Promise<InboxDocument> {
  const document = await inbox.documents.findOne({ _id: id });
  if (!document) throw new ServiceError(404, 'svc_event_not_found', 'There is no event with this id.', { id });
  return document;
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
