import type { Effect } from '@order-automation/contracts';
import { type Clock, type Relay, type ServiceDeps, startRelay } from '@order-automation/service';
import { type IndexDescription, isDuplicateKey, type Store } from '@order-automation/store';
import type { ActionOutcome } from '../evaluations';
import { backoff, isTransient, mostAttempts, reasonOf } from '../failures';
import type { RecordEntries } from '../ports/audit';
import { deliveredEntry } from './delivery-entries';
import type { EffectContext } from './effects';

/** An effect that leaves our own records (an e-mail, a call), with what is sent. It is kept when it is done: its key is used once. */
export type QueuedEffect = {
  readonly _id: string;
  readonly kind: Exclude<Effect['kind'], 'order'>;
  readonly payload: string;
  readonly context: EffectContext;
  readonly queued_at: number;
  state: 'queued' | 'done' | 'failed';
  /** What the log says of the delivery, stored before the log has it: a log that is unavailable causes no second delivery. */
  delivered: string | null;
  fence: number;
  tries: number;
  attempts: number;
  /** Milliseconds since the epoch; absent when nothing is left to do. */
  due?: number;
  error: string | null;
};

export const effectIndexes: readonly IndexDescription[] = [{ name: 'due', key: { due: 1 }, sparse: true }];

export const effectQueries = { due: (now: number) => ({ due: { $lte: now } }) };

/** Sends one effect; `key` is the same at every try. Resolves with what the log says; rejects with what went wrong. */
export type Deliver = (payload: string, key: string) => Promise<string>;

/** The server answered that it cannot serve this one now: tried again for `EFFECT_PATIENCE`. */
export class DeliveryDelayed extends Error {}
/** The other side, or the way to it, is unavailable: tried again for ever. */
export class DeliveryUnavailable extends Error {}

export interface EffectQueue {
  /** Stores the effect for delivery, once by its key. */
  add(kind: QueuedEffect['kind'], payload: string, context: EffectContext, what: string): Promise<ActionOutcome>;
  close(): Promise<void>;
}

export type QueueDeps = Pick<ServiceDeps, 'log'> & {
  readonly store: Store;
  readonly clock: Clock;
  readonly record: RecordEntries;
  readonly deliver: Readonly<Record<QueuedEffect['kind'], Deliver>>;
  readonly onResult: (kind: string, result: 'delivered' | 'failed' | 'retried') => void;
  /** Milliseconds for which an effect that the other side refuses for now is tried again. */
  readonly patience: number;
};

const leaseTime = 60_000;
const sweepEvery = 500;
const sweepBatch = 32;
/** Milliseconds after which an entry is handed again to a log that was unavailable. */
const recordAgainAfter = 2_000;

export async function openEffectQueue(deps: QueueDeps): Promise<EffectQueue> {
  const { store, clock, log } = deps;
  const documents = await store.collection<QueuedEffect>('effects', effectIndexes);

  const save = async ({ _id, fence, state, delivered, tries, attempts, due, error }: QueuedEffect): Promise<void> => {
    const $set = { state, delivered, tries, attempts, error };
    const update = due === undefined ? { $set, $unset: { due: '' as const } } : { $set: { ...$set, due } };
    await documents.updateOne({ _id, fence }, update);
  };

  const takeAndDeliver = async (queued: QueuedEffect): Promise<void> => {
    const { _id, fence } = queued;
    const $set = { fence: fence + 1, due: clock.now() + leaseTime };
    if ((await documents.updateOne({ _id, fence }, { $set })).matchedCount === 0) return;
    const taken = { ...queued, ...$set };
    const tried = taken.delivered === null ? await afterTry(taken, deps) : taken;
    if (tried !== taken) await save(tried);
    if (tried.delivered !== null) await save(await afterRecording(tried, tried.delivered, deps));
  };

  const relay: Relay = startRelay({
    name: 'effects',
    pending: (_olderThan, limit) =>
      documents.find(effectQueries.due(clock.now())).sort({ due: 1 }).limit(limit).toArray(),
    send: async (effects) => {
      await Promise.all(effects.map(takeAndDeliver));
    },
    every: sweepEvery,
    batch: sweepBatch,
    patience: 0,
    clock,
    log,
  });

  return {
    add: async (kind, payload, context, what) => {
      const queued = clock.now();
      const first = {
        state: 'queued',
        delivered: null,
        fence: 0,
        tries: 0,
        attempts: 0,
        due: queued,
        error: null,
      } as const;
      const outcome = { by: context.process_id, changes: [] };
      try {
        await documents.insertOne({ _id: context.key, kind, payload, context, queued_at: queued, ...first });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        const known = await documents.findOne({ _id: context.key });
        return { ...outcome, status: 'already_applied', by: known?.context.process_id ?? null, message: `${what}.` };
      }
      relay.kick();
      return { ...outcome, status: 'queued', message: `${what}; the result follows in an entry of its own.` };
    },
    close: relay.close,
  };
}

/** The effect after one try: delivered, due again, or failed for good, which the log has then. */
async function afterTry(effect: QueuedEffect, deps: QueueDeps): Promise<QueuedEffect> {
  const { clock, record, deliver, onResult, patience } = deps;
  try {
    const delivered = await deliver[effect.kind](effect.payload, effect._id);
    onResult(effect.kind, 'delivered');
    return { ...effect, delivered, error: null };
  } catch (error) {
    const tries = effect.tries + 1;
    const now = clock.now();
    const waits = error instanceof DeliveryUnavailable || isTransient(error);
    const delayed = error instanceof DeliveryDelayed;
    const attempts = effect.attempts + (waits || delayed ? 0 : 1);
    const over = attempts >= mostAttempts || (delayed && now - effect.queued_at >= patience);
    const reason = reasonOf(error);
    if (!over) {
      onResult(effect.kind, 'retried');
      return { ...effect, tries, attempts, error: reason, due: now + backoff(tries) };
    }
    await record([deliveredEntry(effect, 'error', reason, now)]);
    onResult(effect.kind, 'failed');
    const { due: _, ...rest } = effect;
    return { ...rest, state: 'failed', tries, attempts, error: reason };
  }
}

/** The delivered effect, done when the log has its entry; else due again, for the log alone. */
async function afterRecording(
  effect: QueuedEffect,
  delivered: string,
  { clock, record }: QueueDeps,
): Promise<QueuedEffect> {
  try {
    await record([deliveredEntry(effect, 'success', delivered, clock.now())]);
    const { due: _, ...rest } = effect;
    return { ...rest, state: 'done' };
  } catch (error) {
    return { ...effect, error: reasonOf(error), due: clock.now() + recordAgainAfter };
  }
}
