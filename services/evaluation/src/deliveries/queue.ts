import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@order-automation/contracts';
import { leaseRenewal, type Relay, restingSweep, type ServiceDeps, startRelay } from '@order-automation/service';
import type { EffectContext } from '../effects/kinds';
import type { ActionOutcome } from '../evaluation-document';
import type { RecordEntries } from '../ports/audit';
import {
  type Deliveries,
  type DeliveryDocument,
  type DeliveryKind,
  type DueDelivery,
  leaseTime,
  untried,
} from './document';
import { afterTry, rearmed, type Tried } from './outcome';

/** Sends one delivery; the key is the same at every try. Never rejects for what the other side does: that is a result. */
export type Send = (
  delivery: Pick<DeliveryDocument, 'key' | 'channel' | 'payload' | 'resends' | 'tries'>,
) => Promise<Tried>;

/** What is to be delivered. `what` says for the log what is being done: "erp.example.com is being called". */
export type Outgoing = Pick<DeliveryDocument, 'kind' | 'target' | 'channel' | 'payload'> & { readonly what: string };

export interface DeliveryQueue {
  /** Stores it for delivery, once by its key. A replay re-arms a failed one under the same key. */
  add(outgoing: Outgoing, context: EffectContext): Promise<ActionOutcome>;
  /** Whether one of these keys was used. */
  knows(keys: readonly string[]): Promise<boolean>;
  /** Looks for due deliveries now. */
  kick(): void;
  close(): Promise<void>;
}

export type QueueDeps = Pick<ServiceDeps, 'clock' | 'log'> & {
  readonly deliveries: Deliveries;
  readonly record: RecordEntries;
  readonly send: Readonly<Record<DeliveryKind, Send>>;
  readonly onResult: (kind: string, result: 'delivered' | 'failed' | 'retried' | 'held') => void;
  /** Milliseconds for which a cause of failure is tried again. */
  readonly giveUpAfter: number;
  /** Milliseconds for which a channel that fails is left alone. */
  readonly holdFor: number;
};

const sweepEvery = 500;
/** Deliveries in flight at once, of all channels and of one: a channel that hangs leaves room for the others. */
const maxInFlight = 64;
const maxOfChannel = 8;
const sweepBatch = 256;
/** Due deliveries that are passed over because their channels are full, to find others behind them. */
const maxSkipped = 64 * sweepBatch;
/** Milliseconds after which an entry is handed again to a log that was unavailable. */
const recordAgainAfter = 2_000;

export function startDeliveryQueue(deps: QueueDeps): DeliveryQueue {
  const { deliveries, clock, log } = deps;
  const startedAt = clock.now();
  const inFlight = new Map<string, { readonly channel: string; readonly work: Promise<void> }>();
  const failing = new Set<string>();
  /** However long a mail server makes us wait. */
  const renewing = leaseRenewal<DeliveryDocument>(leaseTime, (held) => deliveries.renew(held, clock.now()));

  const hasRoom = (channel: string): boolean =>
    inFlight.size < maxInFlight &&
    [...inFlight.values()].filter((one) => one.channel === channel).length < maxOfChannel;

  let postponed = false;
  let skipped = 0;
  /** Of the latest, where it could not be advanced, as on a full disk: then one is tried before the others, whichever. */
  let failure: unknown;

  /** False when it has to wait for others that are in flight. */
  const start = (found: DueDelivery): boolean => {
    const { _id, channel } = found;
    if (inFlight.has(_id)) return false;
    if (!hasRoom(channel)) {
      postponed = true;
      return false;
    }
    const work = advance(found, { failing, startedAt, renewing }, deps)
      .finally(() => inFlight.delete(_id))
      .then(
        () => {
          failure = undefined;
          if (postponed) relay.kick();
        },
        (error: unknown) => {
          log.debug({ err: error, delivery: _id }, 'a delivery could not be advanced');
          failure = error;
        },
      );
    inFlight.set(_id, { channel, work });
    return true;
  };

  const relay: Relay = startRelay({
    name: 'deliveries',
    pending: async (now, limit) => {
      const found = await deliveries.due(now, limit, skipped);
      if (found.length === 0) skipped = 0;
      return found;
    },
    send: async (found) => {
      if (skipped === 0) postponed = false;
      const probe = failure === undefined ? undefined : found[Math.floor(Math.random() * found.length)];
      if (probe && start(probe)) await inFlight.get(probe._id)?.work;
      if (probe && failure !== undefined) throw failure;
      const started = found.filter(start).length;
      const looksFurther = started === 0 && found.length === sweepBatch && skipped < maxSkipped && hasRoom('');
      skipped = looksFurther ? skipped + sweepBatch : 0;
      if (started > 0 || looksFurther || found.length < sweepBatch) return;
      await Promise.race([delay(sweepEvery), ...[...inFlight.values()].map(({ work }) => work)]);
    },
    every: sweepEvery,
    longest: restingSweep,
    batch: sweepBatch,
    clock,
    log,
  });

  return {
    add: async (outgoing, context) => {
      const added = newDelivery(outgoing, context, clock.now());
      const isNew = await deliveries.insert(added);
      const outcome = isNew ? queued(added, `${outgoing.what}; the result follows in an entry of its own.`) : null;
      const known = outcome ?? (await addedBefore(outgoing.what, context, deps));
      relay.kick();
      return known;
    },
    knows: async (keys) => (await Promise.all(keys.map(deliveries.byKey))).some((known) => known !== null),
    kick: () => relay.kick(),
    close: async () => {
      await relay.close();
      await Promise.allSettled([...inFlight.values()].map(({ work }) => work));
    },
  };
}

function newDelivery({ what: _, ...outgoing }: Outgoing, context: EffectContext, now: number): DeliveryDocument {
  const { _id: event_id, process_id, order_id, email, rule, action, key } = context;
  return {
    _id: newId('dlv', now),
    key,
    ...outgoing,
    event_id,
    process_id,
    order_id,
    email,
    rule_id: rule.id,
    rule_name: rule.name,
    action,
    created_at: now,
    queued_at: now,
    state: 'pending',
    ...untried,
    next_attempt_at: now,
    due: now,
  };
}

const queued = ({ process_id: by }: Pick<DeliveryDocument, 'process_id'>, message: string): ActionOutcome => ({
  status: 'queued',
  by,
  message,
  changes: [],
});

/** Its key was used before: by this event, which was interrupted, or by an earlier event of the same occurrence. */
async function addedBefore(what: string, context: EffectContext, { deliveries, clock }: QueueDeps) {
  const known = await deliveries.byKey(context.key);
  if (!known) throw new Error(`the delivery with the key ${context.key} was removed`);
  const { process_id: by, state } = known;
  const message = `${what.replace(' is being ', ' was ')}.`;
  if (state === 'delivered') return { status: 'already_applied' as const, by, message, changes: [] };
  if (state === 'pending') {
    const reason = known.reason === null ? '' : ` It waits: ${known.reason}`;
    const elsewhere = by === context.process_id ? '' : ` in process ${by}`;
    return queued(known, `${what} already; the result follows in an entry of its own${elsewhere}.${reason}`);
  }
  const { _id: event_id, process_id } = context;
  const armed = { ...rearmed(known, clock.now()), event_id, process_id, fence: known.fence + 1 };
  await deliveries.change(known, armed);
  return queued(context, `${what} again, it had failed before; the result follows in an entry of its own.`);
}

/** `failing`: channels that were not reached or were held back; one that refuses a delivery, or fails on it, works for others. `startedAt`: milliseconds since the epoch. */
type QueueRun = {
  readonly failing: Set<string>;
  readonly startedAt: number;
  readonly renewing: (taken: DeliveryDocument, work: () => Promise<Tried>) => Promise<Tried>;
};

/** One delivery, one step further: tried if it is time for that, then what the log has to know of it is recorded. */
async function advance(found: DueDelivery, run: QueueRun, deps: QueueDeps): Promise<void> {
  const { deliveries, clock } = deps;
  const taken = await deliveries.take(found, clock.now());
  if (!taken) return;
  const tried = taken.entry === null && taken.state === 'pending' ? await attempt(taken, run, deps) : taken;
  const isNewEntry = tried !== taken && tried.entry !== null;
  if (isNewEntry && !(await deliveries.change(taken, { ...tried, due: clock.now() + leaseTime }))) return;
  const isRecorded = await recorded(tried, deps);
  const nextTry = tried.state === 'pending' ? (tried.next_attempt_at ?? undefined) : undefined;
  const after = isRecorded ? { entry: null, due: nextTry } : { due: clock.now() + recordAgainAfter };
  await deliveries.change(taken, { ...tried, ...after });
}

async function attempt(
  taken: DeliveryDocument,
  { failing, startedAt, renewing }: QueueRun,
  deps: QueueDeps,
): Promise<DeliveryDocument> {
  const { deliveries, clock, send, onResult, giveUpAfter, holdFor } = deps;
  const { channel, kind } = taken;
  const at = clock.now();
  const tried = await renewing(taken, () => send[kind](taken));
  const now = clock.now();
  const after = afterTry(taken, tried, { at, now, startedAt, giveUpAfter, holdFor: jittered(holdFor) });
  if (tried.kind === 'held' || (tried.kind === 'failed' && tried.cause === 'unreachable')) failing.add(channel);
  else if (tried.kind === 'delivered' && failing.delete(channel)) await deliveries.hurry(channel, now);
  const retried = tried.kind === 'held' ? 'held' : 'retried';
  onResult(kind, after.state === 'pending' ? retried : after.state);
  return after;
}

/** So that what was held together is not tried together. */
const jittered = (delay: number): number => Math.round(delay * (0.8 + Math.random() * 0.4));

/** False where the log is unavailable. */
async function recorded({ _id, entry }: DeliveryDocument, { record, log }: QueueDeps): Promise<boolean> {
  if (entry === null) return true;
  try {
    await record([entry]);
    return true;
  } catch (error) {
    log.debug({ err: error, delivery: _id }, 'the log did not take the entry of a delivery');
    return false;
  }
}
