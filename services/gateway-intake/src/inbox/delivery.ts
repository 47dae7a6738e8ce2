import { idBound } from '@order-automation/contracts';
import { type Relay, type RelayOptions, type ServiceDeps, startRelay } from '@order-automation/service';
import { untrusted } from '../gateways/refusal';
import type { AdapterRouter } from '../gateways/router';
import { keptRejection } from '../receiving/entries';
import type { Collections } from '../service';
import type { Telemetry } from '../telemetry';
import { bodyBytes } from './document';
import { eventMessage, type FastPath, fastPath } from './fast-path';
import { firstPatience, type InboxDocument, patienceAfter } from './inbox';
import type { OwedDocument } from './owed';
import { newProgress, type Progress } from './progress';
import { type Recorder, startRecorder } from './recorder';

export type Delivery = {
  /** These are stored: publishes those that are to be evaluated, and records their reception; without a promise, for the relay finds what this misses. */
  accepted(documents: readonly InboxDocument[]): void;
  /** Publishes these without recording them again. */
  publish(documents: readonly InboxDocument[]): void;
  /** Records entries about refusals and duplicates, in the same way. */
  record(owed: readonly OwedDocument[]): void;
  /** Evaluation has finished these events. Resolves when audit has their receptions; rejects when it is unavailable. */
  done(ids: readonly string[]): Promise<void>;
  /** Looks for what is due now instead of at the next interval. */
  kick(): void;
  /** Stops sweeping and waits for what is in flight. */
  close(): Promise<void>;
};

export type DeliveryOptions = {
  /** Milliseconds between two sweeps. */
  readonly every: number;
};

type Parts = Pick<ServiceDeps, 'bus' | 'clock' | 'log'> & {
  readonly collections: Collections;
  readonly router: AdapterRouter;
  readonly telemetry: Telemetry;
};

const relayBatch = 200;
const cleanUpEvery = 10 * 60_000;
const watchEvery = 30_000;
/** Milliseconds after which an event that nobody finished is a dead letter: longer than any order is waited for. */
export const deliveryPatience = 7 * 24 * 60 * 60_000;
/** Milliseconds in which a wallet is asked about one event (decisions.md section 6). */
export const verifyPatience = 24 * 60 * 60_000;

/** Everything after the answer (architecture, "The one promise", step 2). */
export function startDelivery(parts: Parts, { every }: DeliveryOptions): Delivery {
  const recorder = startRecorder({ ...parts, ...parts.collections });
  const progress = newProgress(parts.clock.now(), firstPatience);
  const fast = fastPath(parts, () => events.kick());
  const { events, others } = startRelays(parts, every, { recorder, fast, progress });
  return {
    accepted: (documents) => {
      fast.announce(documents.filter(({ state }) => state === 'accepted'));
      recorder.receptions(documents);
    },
    publish: fast.announce,
    record: recorder.owed,
    done: async (ids) => {
      progress.done(ids, parts.clock.now());
      fast.forget(ids);
      await recorder.ensureRecorded(ids);
      recorder.forget(ids);
    },
    kick: () => events.kick(),
    close: async () => {
      await Promise.all([events, ...others].map((one) => one.close()));
      await Promise.all([fast.idle(), recorder.idle()]);
    },
  };
}

type Means = { readonly recorder: Recorder; readonly fast: FastPath; readonly progress: Progress };

function startRelays(parts: Parts, every: number, means: Means): { events: Relay; others: Relay[] } {
  const { bus, clock, log, collections } = parts;
  const { inbox, owed, transmissions } = collections;
  const relay = <Item>(
    name: string,
    options: Pick<RelayOptions<Item>, 'pending' | 'send'> & Partial<Pick<RelayOptions<Item>, 'every'>>,
  ) => startRelay<Item>({ name, batch: relayBatch, patience: 0, every, clock, log, ...options });
  const events = relay<InboxDocument>('intake events', {
    pending: async (now, limit) => (bus.status().ok ? dueEvents(parts, means, now, limit) : []),
    send: async (documents) => {
      await publishAgain(
        parts,
        documents.filter(({ state }) => state === 'accepted'),
      );
      means.fast.forget(documents.map(({ _id }) => _id));
      for (const document of documents) if (document.state === 'verifying') await confirm(parts, means, document);
    },
  });
  const others = [
    relay<OwedDocument>('intake entries', {
      pending: async (now, limit) => (bus.status().ok ? owed.due(now, limit) : []),
      send: means.recorder.confirmOwed,
    }),
    relay<InboxDocument>('inbox clean-up', {
      pending: (now, limit) => inbox.expired(now, limit),
      send: async (documents) => {
        await inbox.remove(documents.map(({ _id }) => _id));
        await collections.quota.add(-documents.reduce((sum, { quota_bytes = 0 }) => sum + quota_bytes, 0));
        await transmissions.removeExpired(clock.now());
      },
      every: cleanUpEvery,
    }),
    relay<never>('inbox watch', { pending: () => watch(parts), send: async () => undefined, every: watchEvery }),
  ];
  return { events, others };
}

/** What could not be published; when there is no such event, those whose patience is over and that do not merely wait for their turn. */
async function dueEvents(
  { collections: { inbox } }: Parts,
  { fast, progress }: Means,
  now: number,
  limit: number,
): Promise<readonly InboxDocument[]> {
  const left = fast.leftOut(limit);
  if (left.length > 0) {
    const open = await inbox.inState(left, 'accepted');
    const ids = new Set(open.map(({ _id }) => _id));
    fast.forget(left.filter((id) => !ids.has(id)));
    if (open.length > 0) return open;
  }
  const due = await inbox.due(now, limit);
  return due.filter(({ _id, state }) => state === 'verifying' || progress.mayBeLost(_id, now));
}

/** Publishes what nobody reported done, under the same id, and leaves it alone for longer each time. */
async function publishAgain(parts: Parts, documents: readonly InboxDocument[]): Promise<void> {
  const { bus, clock, collections, telemetry } = parts;
  const { inbox } = collections;
  const now = clock.now();
  const hopeless = documents.filter(({ _id }) => isOlder(_id, deliveryPatience, now));
  const others = documents.filter((document) => !hopeless.includes(document));
  if (others.length > 0) {
    await bus.publish(others.map((document) => eventMessage(document, clock)));
    const byAttempts = new Map<number, string[]>();
    for (const { _id, attempts } of others) byAttempts.set(attempts, [...(byAttempts.get(attempts) ?? []), _id]);
    for (const [attempts, ids] of byAttempts)
      await inbox.postpone(ids, 'accepted', attempts, now + patienceAfter(attempts + 1));
    telemetry.relayed(others.length);
  }
  for (const document of hopeless) await giveUp(parts, document);
}

/** By the time of its id, which is of this service’s clock. */
function isOlder(id: string, age: number, now: number): boolean {
  return id < idBound('evt', now - age);
}

const unfinished = 'Evaluation has not finished this event in 7 days.';

async function giveUp({ collections: { inbox }, clock, telemetry }: Parts, { _id }: InboxDocument): Promise<void> {
  const set = { reason: unfinished, outcome: 'dead' as const, done_at: new Date(clock.now()).toISOString() };
  telemetry.done('dead', await inbox.move([_id], 'accepted', 'dead', set));
}

const notConfirmed = untrusted('not_confirmed', 'The wallet did not confirm the notification in a day.');
const disowned = untrusted('ipn_invalid', 'The wallet says that it did not send this notification (INVALID).');

/** Asks the gateway again about an event that it has not confirmed yet. */
async function confirm(parts: Parts, means: Means, document: InboxDocument): Promise<void> {
  const { clock, collections, router } = parts;
  const { inbox } = collections;
  const { _id, attempts, event } = document;
  const now = clock.now();
  const whole = await inbox.documents.findOne({ _id });
  const answer = whole && (await router.adapterFor(event.sourceGateway)?.confirm?.(bodyBytes(whole)));
  if (answer === true) {
    const confirmed = { ...event, authenticated: true };
    const due_at = new Date(now + firstPatience).toISOString();
    await inbox.move([_id], 'verifying', 'accepted', { event: confirmed, due_at });
    return means.fast.announce([{ ...document, event: confirmed, state: 'accepted' }]);
  }
  if (answer === undefined && !isOlder(_id, verifyPatience, now)) {
    await inbox.postpone([_id], 'verifying', attempts, now + patienceAfter(attempts));
    return;
  }
  const refusal = answer === false ? disowned : notConfirmed;
  const owed = { _id, entry: keptRejection(document, refusal) };
  await collections.owed.add([owed]);
  await inbox.move([_id], 'verifying', 'refused', { reason: refusal.text, done_at: new Date(now).toISOString() });
  means.recorder.owed([owed]);
}

/** Nothing waits unseen: the age of the oldest event that nobody has finished. */
async function watch({ collections: { inbox }, clock, telemetry }: Parts): Promise<readonly never[]> {
  const oldest = await inbox.oldest('accepted');
  telemetry.oldest(oldest ? (clock.now() - Date.parse(oldest.event.receivedAt)) / 1000 : 0);
  return [];
}
