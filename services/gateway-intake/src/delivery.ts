import { type Message, message } from '@order-automation/contracts';
import { batcher, type Clock, type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import { firstPatience } from './documents';
import { receptionEntry } from './entries';
import type { Inbox, InboxDocument } from './inbox';
import type { Telemetry } from './telemetry';

export type Delivery = {
  /** Publishes accepted events, soon and without a promise: the relay finds what this misses. */
  announce(documents: readonly InboxDocument[]): void;
  /** Hands the entries of refused and duplicate webhooks to audit, in the same way. */
  handOver(documents: readonly InboxDocument[]): void;
  /** Stops sweeping and waits for what is in flight. */
  close(): Promise<void>;
};

export type DeliveryOptions = {
  /** Milliseconds between two sweeps. */
  readonly every: number;
};

type Parts = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & { readonly inbox: Inbox; readonly telemetry: Telemetry };

const relayBatch = 200;
const entriesBatch = 200;
/** Past these the fast path leaves the work to the relay, which keeps nothing in memory. */
const mostPublishing = 64;
const mostOwed = 5_000;
const longestPatience = 5 * 60_000;
const cleanUpEvery = 10 * 60_000;

/** Everything after the answer (architecture, "The one promise", step 2; 0001, step 2). */
export function startDelivery(parts: Parts, { every }: DeliveryOptions): Delivery {
  const { clock, log, inbox } = parts;
  const entries = entryBatches(parts);
  const relay = (
    name: string,
    options: Pick<Parameters<typeof startRelay<InboxDocument>>[0], 'pending' | 'send'>,
    pause = every,
  ) => startRelay<InboxDocument>({ name, batch: relayBatch, patience: 0, every: pause, clock, log, ...options });
  const events = relay('intake events', {
    pending: async (now, limit) => (parts.bus.status().ok ? inbox.dueEvents(now, limit) : []),
    send: (documents) => publishAgain(parts, documents, entries.add),
  });
  const relays: Relay[] = [
    events,
    relay('intake entries', {
      pending: async (now, limit) => (parts.bus.status().ok ? inbox.owedEntries(now, limit) : []),
      send: async (documents) => void (await Promise.all(documents.map(entries.confirmed))),
    }),
    relay(
      'inbox clean-up',
      {
        pending: (now, limit) => inbox.expired(now, limit),
        send: async (documents) => void (await inbox.remove(documents.map(({ _id }) => _id))),
      },
      cleanUpEvery,
    ),
  ];
  const fast = fastPath(parts, () => events.kick());
  return {
    announce: fast.announce,
    handOver: (documents) => documents.forEach(entries.add),
    close: async () => {
      await Promise.all(relays.map((one) => one.close()));
      await Promise.all([fast.idle(), entries.idle()]);
    },
  };
}

function fastPath({ bus, clock, telemetry }: Parts, onRecovery: () => void) {
  const publishing: Promise<void>[] = [];
  let failing = false;
  const publish = async (documents: readonly InboxDocument[]): Promise<void> => {
    try {
      await bus.publish(documents.map((document) => eventMessage(document, document._id, clock)));
      if (failing) onRecovery();
      failing = false;
    } catch (error) {
      failing = true;
      telemetry.notPublished(documents.length, error);
    }
  };
  return {
    announce: (documents: readonly InboxDocument[]): void => {
      if (documents.length === 0 || publishing.length >= mostPublishing) return;
      const one: Promise<void> = publish(documents).finally(() => publishing.splice(publishing.indexOf(one), 1));
      publishing.push(one);
    },
    idle: () => Promise.all(publishing),
  };
}

function eventMessage(document: InboxDocument, id: string, clock: Clock): Message<'intake.event-received.v1'> {
  const { process_id, event } = document;
  if (!event) throw new Error(`${document._id} is no event`);
  const data = { process_id, event, entries: [receptionEntry(document)] };
  return message('intake.event-received.v1', data, { id, process_id, now: clock.now() });
}

/**
 * Publishes what nobody reported done, under an id that the bus has not seen, and leaves it alone for longer each time. The log
 * gets to see the reception meanwhile.
 */
async function publishAgain(
  { bus, clock, inbox, telemetry }: Parts,
  documents: readonly InboxDocument[],
  handOver: (document: InboxDocument) => void,
): Promise<void> {
  await bus.publish(
    documents.map((document) => eventMessage(document, `${document._id}:${document.attempts + 1}`, clock)),
  );
  const byAttempts = new Map<number, string[]>();
  for (const { _id, attempts } of documents) byAttempts.set(attempts, [...(byAttempts.get(attempts) ?? []), _id]);
  for (const [attempts, ids] of byAttempts) {
    await inbox.postpone(ids, attempts, clock.now() + Math.min(firstPatience * 2 ** (attempts + 1), longestPatience));
  }
  telemetry.relayed(documents.length);
  documents.filter(({ entries_handed }) => !entries_handed).forEach(handOver);
}

/** Entries on their way to audit; a document is done with, or marked, when audit has confirmed its entry. */
function entryBatches({ bus, inbox, telemetry }: Parts) {
  const batches = batcher<InboxDocument, undefined>({
    maxItems: entriesBatch,
    concurrency: 2,
    run: async (documents) => {
      try {
        await bus.request('audit.record.v1', { entries: documents.map(receptionEntry) });
        const events = documents.filter(({ state }) => state === 'accepted').map(({ _id }) => _id);
        const others = documents.filter(({ state }) => state !== 'accepted').map(({ _id }) => _id);
        if (others.length > 0) await inbox.remove(others);
        if (events.length > 0) await inbox.markHanded(events);
        return documents.map(() => undefined);
      } catch (error) {
        telemetry.entriesKept(documents.length, error);
        throw error;
      }
    },
  });
  return {
    /** Settles when audit has it. */
    confirmed: (document: InboxDocument): Promise<undefined> => batches.add(document),
    /** Drops it when too many wait: the relay comes back to it. */
    add: (document: InboxDocument): void => {
      if (batches.waiting() < mostOwed) batches.add(document).catch(() => undefined);
    },
    idle: () => batches.idle(),
  };
}
