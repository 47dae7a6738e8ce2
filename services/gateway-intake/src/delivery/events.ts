import { type Relay, recordsOf, restingSweep, startRelay } from '@order-automation/service';
import type { InboxDocument, InboxEvent, InboxState } from '../inbox/documents';
import { deadLetterEntry } from '../inbox/entries';
import { relayDelayAfter, waitingDelay } from '../inbox/inbox';
import type { DeliveryParts } from './delivery';
import { eventMessage } from './fast-path';

const batch = 200;

/** Failed publishes before an event is a dead letter: a week while this runs. Only tries count: neither a stop of the service nor a clock ends an event. */
export const maxTries = 2_000;

/** Times that the payload of a document is looked for. */
const maxLooks = 3;

/** Publishes events that nobody reported done: the accepted ones, and seldom those that evaluation waits with. */
export function eventRelay(parts: DeliveryParts): Relay {
  return startRelay<InboxDocument>({
    ...parts,
    longest: restingSweep,
    name: 'intake events',
    pending: async (now, limit) => (parts.bus.status().ok ? dueEvents(parts, now, limit) : []),
    send: async (documents) => {
      await publishAgain(parts, documents);
      parts.fast.forget(documents.map(({ _id }) => _id));
    },
    batch,
  });
}

/** What could not be published; when there is no such event, those that are due and do not merely wait for their turn. */
async function dueEvents(parts: DeliveryParts, now: number, limit: number): Promise<readonly InboxDocument[]> {
  const { fast, progress, collections } = parts;
  const { inbox } = collections;
  const unpublished = fast.unpublished(limit);
  if (unpublished.length > 0) {
    const open = await inbox.inState(unpublished, 'accepted');
    const ids = new Set(open.map(({ _id }) => _id));
    fast.forget(unpublished.filter((id) => !ids.has(id)));
    if (open.length > 0) return open;
  }
  const due = (await inbox.due({ state: 'accepted' }, now, limit)).filter(({ _id }) => progress.mayBeLost(_id, now));
  return due.length > 0 ? due : inbox.due({ state: 'waiting' }, now, limit);
}

/** Publishes under the same id, and leaves each alone for longer each time. */
async function publishAgain(parts: DeliveryParts, documents: readonly InboxDocument[]): Promise<void> {
  const { bus, clock, collections, telemetry, receptions } = parts;
  const events = await collections.payloads.join(documents);
  if (events.length < documents.length) await leaveUnacknowledged(parts, documents, events);
  const hopeless = events.filter(({ state, attempts }) => state === 'accepted' && attempts >= maxTries);
  const others = events.filter((event) => !hopeless.includes(event));
  if (others.length > 0) {
    await bus.publish(others.map((event) => eventMessage(event, clock)));
    await postpone(parts, others);
    receptions.add(others);
    telemetry.relayed(others.length);
  }
  if (hopeless.length > 0) await giveUp(parts, hopeless);
}

/** One write for those that were tried equally often. */
async function postpone({ collections, clock }: DeliveryParts, documents: readonly InboxDocument[]): Promise<void> {
  const now = clock.now();
  const groups = new Map<string, { state: InboxState; attempts: number; ids: string[] }>();
  for (const { _id, state, attempts } of documents) {
    const name = `${state} ${attempts}`;
    const group = groups.get(name) ?? { state, attempts, ids: [] };
    groups.set(name, group);
    group.ids.push(_id);
  }
  for (const { state, attempts, ids } of groups.values()) {
    const wait = state === 'waiting' ? waitingDelay : relayDelayAfter(attempts + 1);
    await collections.inbox.postpone(ids, state, attempts, now + wait);
  }
}

/** Documents whose payload is missing, as a restore of two collections of different times may leave them: nothing of them can be published. */
async function leaveUnacknowledged(
  parts: DeliveryParts,
  documents: readonly InboxDocument[],
  events: readonly InboxEvent[],
): Promise<void> {
  const whole = new Set(events.map(({ _id }) => _id));
  const without = documents.filter(({ _id }) => !whole.has(_id));
  const mayCome = without.filter(({ attempts }) => attempts < maxLooks);
  await parts.collections.inbox.remove(without.filter((one) => !mayCome.includes(one)).map(({ _id }) => _id));
  await postpone(parts, mayCome);
}

/** The entries are stored first: no event dies without one. */
async function giveUp(parts: DeliveryParts, events: readonly InboxEvent[]): Promise<void> {
  const { collections, clock, telemetry, outbox } = parts;
  const now = clock.now();
  const reason = `Evaluation has not finished this event in ${maxTries} tries.`;
  await outbox.add(recordsOf(events.map((event) => deadLetterEntry(event, reason, now))));
  const set = { reason, outcome: 'dead' as const, done_at: new Date(now).toISOString() };
  const ids = events.map(({ _id }) => _id);
  telemetry.done('dead', await collections.inbox.move(ids, 'accepted', 'dead', set));
}
