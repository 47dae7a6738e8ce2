import type { Message } from '@order-automation/contracts';
import { type Relay, type RelayOptions, receivedEntry, type ServiceDeps, startRelay } from '@order-automation/service';
import type { Collections } from './accept';
import { receivedOf } from './entries';
import { entryBatches, type HandOver, type Owing } from './entry-batches';
import { eventMessage, type FastPath, fastPath } from './fast-path';
import { firstPatience, type InboxDocument } from './inbox';
import type { OwedDocument } from './owed';
import { eventsIn, type KeptEvent, type PayloadDocument } from './payloads';
import { newProgress, type Progress } from './progress';
import type { Telemetry } from './telemetry';

export type Delivery = {
  /** Publishes accepted events, soon and without a promise: the relay finds what this misses. */
  announce(events: readonly KeptEvent[]): void;
  /** Evaluation has finished these events. */
  done(ids: readonly string[]): void;
  /** Hands the entries of refused and duplicate webhooks to audit, in the same way. */
  handOver(owed: readonly OwedDocument[]): void;
  /** Resolves when audit has the reception of each of these events; rejects when it is away. */
  tellReceptions(ids: readonly string[]): Promise<void>;
  /** Stops sweeping and waits for what is in flight. */
  close(): Promise<void>;
};

export type DeliveryOptions = {
  /** Milliseconds between two sweeps. */
  readonly every: number;
};

type Parts = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly collections: Collections;
  readonly telemetry: Telemetry;
};

const relayBatch = 200;
/** Payloads of a whole group each. */
const payloadBatch = 20;
const longestPatience = 5 * 60_000;
const cleanUpEvery = 10 * 60_000;

/** Everything after the answer (architecture, "The one promise", step 2; 0001, step 2). */
export function startDelivery(parts: Parts, { every }: DeliveryOptions): Delivery {
  const entries = entryBatches({ ...parts, ...parts.collections });
  const progress = newProgress(parts.clock.now(), firstPatience);
  const fast = fastPath(parts, () => events.kick());
  const { events, others } = startRelays(parts, every, { entries, fast, progress });
  return {
    announce: fast.announce,
    done: (ids) => {
      progress.done(ids, parts.clock.now());
      fast.forget(ids);
    },
    handOver: (owed) => {
      for (const { _id, entry } of owed) entries.add({ of: 'owed', id: _id, entry });
    },
    tellReceptions: (ids) => tellReceptions(parts.collections, ids, entries),
    close: async () => {
      await Promise.all([events, ...others].map((one) => one.close()));
      await Promise.all([fast.idle(), entries.idle()]);
    },
  };
}

type Means = { readonly entries: HandOver; readonly fast: FastPath; readonly progress: Progress };

function startRelays(parts: Parts, every: number, means: Means): { events: Relay; others: Relay[] } {
  const { bus, clock, log, collections } = parts;
  const { entries } = means;
  const { inbox, owed } = collections;
  const relay = <Item>(
    name: string,
    options: Pick<RelayOptions<Item>, 'pending' | 'send'> & Partial<Pick<RelayOptions<Item>, 'every' | 'batch'>>,
  ) => startRelay<Item>({ name, batch: relayBatch, patience: 0, every, clock, log, ...options });
  const events = relay<InboxDocument>('intake events', {
    pending: async (now, limit) => (bus.status().ok ? unpublished(inbox, means, now, limit) : []),
    send: async (documents) => {
      await publishAgain(parts, documents, means);
      means.fast.forget(documents.map(({ _id }) => _id));
    },
  });
  const others = [
    relay<OwedDocument>('intake entries', {
      pending: async (now, limit) => (bus.status().ok ? owed.due(now, limit) : []),
      send: async (documents) => {
        await Promise.all(documents.map(({ _id, entry }) => entries.confirmed({ of: 'owed', id: _id, entry })));
      },
    }),
    relay<InboxDocument>('inbox clean-up', {
      pending: (now, limit) => inbox.expired(now, limit),
      send: async (documents) => void (await inbox.remove(documents.map(({ _id }) => _id))),
      every: cleanUpEvery,
    }),
    relay<PayloadDocument>('payload clean-up', { ...payloadCleanUp(collections), every: cleanUpEvery }),
  ];
  return { events, others };
}

/** What could not be published; when there is no such event, those whose patience is over and that do not merely wait for their turn. */
async function unpublished(
  inbox: Collections['inbox'],
  { fast, progress }: Means,
  now: number,
  limit: number,
): Promise<readonly InboxDocument[]> {
  const left = fast.leftOut(limit);
  if (left.length > 0) {
    const open = await inbox.open(left);
    const ids = new Set(open.map(({ _id }) => _id));
    fast.forget(left.filter((id) => !ids.has(id)));
    if (open.length > 0) return open;
  }
  return (await inbox.dueEvents(now, limit)).filter(({ _id }) => progress.mayBeLost(_id, now));
}

async function tellReceptions(
  { inbox, payloads }: Collections,
  ids: readonly string[],
  entries: HandOver,
): Promise<void> {
  const untold = (await inbox.open(ids)).filter(({ entries_handed: handed }) => !handed);
  if (untold.length === 0) return;
  const events = await payloads.eventsOf(untold);
  await Promise.all([...events].map(([id, kept]) => entries.confirmed(owingReception(id, kept))));
}

function owingReception(id: string, kept: KeptEvent): Owing {
  return { of: 'inbox', id, entry: receivedEntry(receivedOf(kept)) };
}

/** Walks the payloads that are old enough, round after round, and removes those to which no inbox document leads. */
function payloadCleanUp({ inbox, payloads }: Collections) {
  let after = '';
  return {
    batch: payloadBatch,
    pending: (now: number, limit: number) => payloads.expired(now, after, limit),
    send: async (documents: readonly PayloadDocument[]): Promise<void> => {
      const known = await inbox.known(documents.flatMap(eventsIn).map(({ event }) => event.id));
      const gone = documents.filter((document) => eventsIn(document).every(({ event }) => !known.has(event.id)));
      if (gone.length > 0) await payloads.remove(gone.map(({ _id }) => _id));
      after = documents.length < payloadBatch ? '' : (documents.at(-1)?._id ?? '');
    },
  };
}

/**
 * Publishes what nobody reported done, under an id that the bus has not seen, and leaves it alone for longer each time. While evaluation
 * is silent the log gets to see the reception from here.
 */
async function publishAgain(
  { bus, clock, collections: { inbox, payloads }, telemetry }: Parts,
  documents: readonly InboxDocument[],
  { entries, progress }: Means,
): Promise<void> {
  const events = await payloads.eventsOf(documents);
  const messages: Message<'intake.event-received.v1'>[] = [];
  const byAttempts = new Map<number, string[]>();
  for (const { _id, attempts } of documents) {
    const kept = events.get(_id);
    if (kept) messages.push(eventMessage(kept, `${_id}:${attempts + 1}`, clock));
    byAttempts.set(attempts, [...(byAttempts.get(attempts) ?? []), _id]);
  }
  if (messages.length > 0) await bus.publish(messages);
  for (const [attempts, ids] of byAttempts) {
    await inbox.postpone(ids, attempts, clock.now() + Math.min(firstPatience * 2 ** (attempts + 1), longestPatience));
  }
  telemetry.relayed(messages.length);
  const lost = documents.filter(({ _id }) => !events.has(_id));
  if (lost.length > 0) {
    // Their senders were never told that they are stored: when they send again, the key is free.
    telemetry.withoutPayload(lost.map(({ _id }) => _id));
    await inbox.remove(lost.map(({ _id }) => _id));
  }
  if (!progress.isQuiet(clock.now())) return;
  for (const { _id, entries_handed: handed } of documents) {
    const kept = events.get(_id);
    if (kept && !handed) entries.add(owingReception(_id, kept));
  }
}
