import {
  type Answer,
  isoTime,
  newId,
  newProcessId,
  type RequestOutput,
  type RuleVersionName,
  ServiceError,
} from '@order-automation/contracts';
import { firstDelay, type InboxEvent } from '../../inbox/documents';
import { readingNow } from '../../receiving/inspect';
import { eventReplayed } from '../change-log/change-entries';
import { recordChange, someone } from '../change-log/change-log';
import type { Parts } from '../parts';
import { existingEvent } from './events';

export type Replayed = RequestOutput<'intake.event.replay.v1'>;

/**
 * Evaluates a finished event again, as an event of its own: the occurrence stays the same, so that what has taken effect does not take it
 * twice, and what has not does. `original` evaluates the versions of the rules that this event was evaluated with.
 */
export const replayEvent: Answer<'intake.event.replay.v1', Parts> = async (
  { id, rules = 'current', by = someone },
  parts,
) => {
  const document = await existingEvent(parts, id);
  const { state, event, order_id = null } = document;
  if (state !== 'done' && state !== 'dead') {
    const text = 'Only events that are finished or were given up can be replayed.';
    throw new ServiceError(409, 'svc_event_not_finished', text, { id, state });
  }
  const original = rules === 'original' ? new Map([[id, await originalRules(parts, id)]]) : undefined;
  const [replayed] = await replayAll(parts, [document], String((document.replays ?? 0) + 1), original);
  if (!replayed) throw new Error('nothing was replayed');
  const name = `${event.genericType ?? event.eventType} from ${event.sourceGateway}`;
  await recordChange(parts, eventReplayed(by, { ...replayed, name, order_id }));
  return replayed;
};

/** The versions that the event was evaluated with. Rejects with 409 `svc_event_not_evaluated` when it never was. */
export const originalRules = async ({ bus }: Parts, id: string): Promise<readonly RuleVersionName[]> =>
  (await bus.request('evaluation.event.rules.v1', { event_id: id })).rules;

/**
 * Replays finished events, each once for a `time`: a second call finds the replays of the first. A dead letter leaves the list of dead
 * letters: its replay becomes one if it fails again. `rules` has the versions to evaluate each with; without it they are the current ones.
 */
export async function replayAll(
  parts: Parts,
  documents: readonly InboxEvent[],
  time: string,
  rules?: ReadonlyMap<string, readonly RuleVersionName[]>,
): Promise<Replayed[]> {
  const { delivery, clock } = parts;
  const { inbox } = parts.collections;
  const now = clock.now();
  const candidates = documents.map((document) => ({
    ...replayOf(parts, document),
    key: `replay ${document._id} ${time}`,
    rules: rules?.get(document._id),
  }));
  const taken = await inbox.claim(candidates, now);
  await inbox.markReplayed(documents.map(({ _id }) => _id));
  delivery.accepted(candidates.filter(({ key }) => !taken.has(key)));
  return candidates.map(({ _id, key, process_id, replay_of = '' }) => {
    const holder = taken.get(key) ?? { _id, process_id };
    return { event_id: replay_of, replay_id: holder._id, process_id: holder.process_id };
  });
}

/** Replays of a paused sender wait, as what it sends now does. */
function replayOf(parts: Parts, document: InboxEvent): Omit<InboxEvent, 'key'> {
  const { endpoint, gateway, event_type, webhook } = document;
  const now = parts.clock.now();
  const id = newId('evt', now);
  const isPaused = parts.endpoints.paused(endpoint);
  return {
    ...{ _id: id, process_id: newProcessId(now), endpoint, gateway, event_type },
    state: isPaused ? 'held' : 'accepted',
    event: { ...readAsNow(parts, document), id },
    webhook,
    replay_of: document._id,
    replayed_at: isoTime(now),
    ...(isPaused ? {} : { due_at: new Date(now + firstDelay).toISOString() }),
    attempts: 0,
  };
}

/** The event with its references read as its sender's settings say now. */
function readAsNow(parts: Parts, { event, webhook }: InboxEvent): InboxEvent['event'] {
  const adapter = parts.router.adapterFor(event.sourceGateway);
  const connection = webhook.connection === null ? null : parts.connections.byName(webhook.connection);
  if (!adapter || connection === undefined) return event;
  const { reading: _before, ...orderReference } = event.orderReference;
  const reading = readingNow(parts, adapter, connection);
  return { ...event, orderReference: { ...orderReference, ...(reading && { reading }) } };
}
