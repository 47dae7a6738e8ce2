import type { Bus } from '@order-automation/bus';
import {
  newId,
  newProcessId,
  type RequestInput,
  type RequestOutput,
  type RuleVersionName,
  ServiceError,
} from '@order-automation/contracts';
import type { Clock, Span, Tracing } from '@order-automation/service';
import type { Endpoints } from '../connections/endpoints';
import type { Delivery } from '../delivery/delivery';
import type { Collections } from '../inbox/collections';
import { firstDelay, type InboxEvent } from '../inbox/documents';
import { type Inspector, readingNow } from '../receiving/inspect';
import { eventReplayed } from './change-entries';
import { type ChangeParts, recordChange, someone } from './change-log';
import { existingEvent } from './events';

export type ReplayParts = ChangeParts & {
  readonly bus: Pick<Bus, 'request'>;
  readonly collections: Collections;
  readonly delivery: Delivery;
  readonly endpoints: Pick<Endpoints, 'paused'>;
  readonly clock: Clock;
} & Pick<Inspector, 'router' | 'connections' | 'readingOf'> & {
    readonly tracing?: Tracing | undefined;
  };

export type Replayed = RequestOutput<'intake.event.replay.v1'>;

/**
 * Evaluates a finished event again, as an event of its own: the occurrence stays the same, so that what has taken effect does not take it
 * twice, and what has not does. `original` evaluates the versions of the rules that this event was evaluated with.
 */
export async function replayEvent(
  parts: ReplayParts,
  { id, rules = 'current', by = someone }: RequestInput<'intake.event.replay.v1'>,
): Promise<Replayed> {
  const document = await existingEvent(parts, id);
  if (document.state !== 'done' && document.state !== 'dead')
    throw new ServiceError(409, 'svc_event_not_finished', 'Only finished events and dead letters can be replayed.', {
      id,
      state: document.state,
    });
  const original = rules === 'original' ? new Map([[id, await originalRules(parts, id)]]) : undefined;
  const time = String((document.replays ?? 0) + 1);
  const [replayed] = await replayAll(parts, [document], time, original);
  if (!replayed) throw new Error('nothing was replayed');
  const { event, order_id = null } = document;
  const name = `${event.genericType ?? event.eventType} from ${event.sourceGateway}`;
  await recordChange(parts, eventReplayed(by, { ...replayed, name, order_id }));
  return replayed;
}

/** The versions that the event was evaluated with. Rejects with 409 `svc_event_not_evaluated` when it never was. */
export async function originalRules(
  { bus }: Pick<ReplayParts, 'bus'>,
  id: string,
): Promise<readonly RuleVersionName[]> {
  return (await bus.request('evaluation.event.rules.v1', { event_id: id })).rules;
}

/**
 * Replays finished events, each once for a `time`: a second call finds the replays of the first. A dead letter leaves the list of dead
 * letters: its replay becomes one if it fails again. `rules` has the versions to evaluate each with; without it they are the current ones.
 */
export async function replayAll(
  parts: ReplayParts,
  documents: readonly InboxEvent[],
  time: string,
  rules?: ReadonlyMap<string, readonly RuleVersionName[]>,
): Promise<Replayed[]> {
  const { delivery, endpoints, clock, tracing } = parts;
  const { inbox } = parts.collections;
  const now = clock.now();
  const spans = documents.map((document) => tracing && replaySpan(tracing, document));
  const candidates = documents.map((document, index) => {
    const original = rules?.get(document._id);
    const replay = replayOf(document, {
      time,
      now,
      isPaused: endpoints.paused(document.endpoint),
      span: spans[index],
    });
    return { ...replay, event: readAsNow(parts, replay), ...(original && { rules: original }) };
  });
  const taken = await inbox.claim(candidates, now).finally(() => {
    for (const span of spans) span?.end();
  });
  await inbox.markReplayed(documents.map(({ _id }) => _id));
  delivery.accepted(candidates.filter(({ key }) => !taken.has(key)));
  return candidates.map(({ _id, key, process_id, replay_of = '' }) => {
    const holder = taken.get(key) ?? { _id, process_id };
    return { event_id: replay_of, replay_id: holder._id, process_id: holder.process_id };
  });
}

/** The event with its references read as its sender's settings say now. */
function readAsNow(
  { router, connections, readingOf }: ReplayParts,
  { event, webhook }: InboxEvent,
): InboxEvent['event'] {
  const adapter = router.adapterFor(event.sourceGateway);
  const connection = webhook.connection === null ? null : connections.byName(webhook.connection);
  if (!adapter || connection === undefined) return event;
  const { reading: _before, ...orderReference } = event.orderReference;
  const reading = readingNow({ readingOf }, adapter, connection);
  return { ...event, orderReference: { ...orderReference, ...(reading && { reading }) } };
}

/** A trace of its own, linked to that of the first time. */
function replaySpan(tracing: Tracing, { _id, webhook: { traceparent } }: InboxEvent): Span | undefined {
  const attributes = { 'order_automation.event_id': _id };
  return tracing.begin('replay event', undefined, {
    attributes,
    links: traceparent === undefined ? [] : [traceparent],
  });
}

type Replaying = {
  readonly time: string;
  readonly now: number;
  readonly isPaused: boolean;
  readonly span: Span | undefined;
};

/** Replays of a paused sender wait, as what it sends now does. */
function replayOf(document: InboxEvent, { time, now, isPaused, span }: Replaying): InboxEvent {
  const {
    body: _body,
    body_encoding: _encoding,
    quota_bytes: _bytes,
    quota_total: _total,
    order_id: _order,
    outcome: _outcome,
    reason: _reason,
    done_at: _done,
    replays: _replays,
    rules: _rules,
    due_at: _due,
    confirmed: _confirmed,
    ...rest
  } = document;
  const id = newId('evt', now);
  const { traceparent: _traceparent, ...webhook } = rest.webhook;
  return {
    ...rest,
    webhook: span ? { ...webhook, traceparent: span.traceparent } : webhook,
    _id: id,
    key: `replay ${document._id} ${time}`,
    state: isPaused ? 'held' : 'accepted',
    process_id: newProcessId(now),
    event: { ...document.event, id },
    replay_of: document._id,
    ...(isPaused ? {} : { due_at: new Date(now + firstDelay).toISOString() }),
    attempts: 0,
  };
}
