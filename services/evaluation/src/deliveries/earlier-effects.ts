import { randomUUID } from 'node:crypto';
import { auditEntry, isoTime, type NewAuditEntry, newId } from '@order-automation/contracts';
import type { ServiceDeps } from '@order-automation/service';
import type { Documents, IndexDescription } from '@order-automation/store';
import type { EffectContext } from '../effects/effects';
import { type Deliveries, type DeliveryDocument, type DeliveryKind, untried } from './document';
import { callTarget } from './webhook';

/** A delivery as versions until November 2026 stored it, in the collection `effects` under its key. Times in milliseconds since the epoch. */
export type EarlierEffect = {
  readonly _id: string;
  readonly kind: DeliveryKind;
  readonly payload: string;
  readonly context: EffectContext;
  readonly queued_at: number;
  readonly state: 'queued' | 'done' | 'failed';
  /** What the log was to say of it: it was sent, and the log had not confirmed that. */
  readonly delivered: string | null;
  readonly fence: number;
  /** Failed tries, and those of them that trying again does not help. */
  readonly tries: number;
  readonly attempts: number;
  /** When it was to be tried again, or when the lease of the process that had it ended. */
  readonly due?: number;
  readonly error: string | null;
  /** The instance of this version that takes it over. */
  readonly taken_by?: string;
};

/** The lease of the version before. */
const leaseTime = 60_000;
const portion = 100;
const indexes: readonly IndexDescription[] = [{ name: 'due', key: { due: 1 }, sparse: true }];

export type TakeOverDeps = Pick<ServiceDeps, 'store' | 'clock' | 'log'> & {
  readonly deliveries: Pick<Deliveries, 'insertNew'>;
  /** No other process works on this store: what looks held was left by one that is gone. */
  readonly isOnlyInstance: boolean;
};

/**
 * Makes deliveries of the effects that a version before has queued or sent, each once by its key; goes on where it was interrupted. What an
 * instance of that version may be sending now is left to it: a later call takes what it leaves. Resolves with the number that was taken over.
 */
export async function takeOverEffects({
  store,
  clock,
  log,
  deliveries,
  isOnlyInstance,
}: TakeOverDeps): Promise<number> {
  const effects = await store.collection<EarlierEffect>('effects', indexes);
  let taken = 0;
  for (let after = ''; ; ) {
    const found = await effects
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(portion)
      .toArray();
    const last = found.at(-1);
    if (!last) return taken;
    after = last._id;
    const free = found.filter((one) => isOnlyInstance || !mayBeHeld(one, clock.now()));
    const ours = await claim(free, effects);
    await deliveries.insertNew(ours.map((effect) => deliveryOf(effect, clock.now())));
    await effects.deleteMany({ _id: { $in: ours.map(({ _id }) => _id) } });
    taken += ours.length;
    if (taken > 0) log.info({ taken }, 'deliveries of an earlier version are being taken over');
  }
}

/** Those that no other process has taken meanwhile. */
async function claim(free: readonly EarlierEffect[], effects: Documents<EarlierEffect>): Promise<EarlierEffect[]> {
  const taken_by = randomUUID();
  const claims = free.map(({ _id, fence }) => ({
    updateOne: { filter: { _id, fence }, update: { $set: { fence: fence + 1, taken_by } } },
  }));
  if (claims.length > 0) await effects.bulkWrite(claims, { ordered: false });
  const found = await effects.find({ _id: { $in: free.map(({ _id }) => _id) } }).toArray();
  return found.filter((effect) => effect.taken_by === taken_by);
}

function mayBeHeld({ state, due }: EarlierEffect, now: number): boolean {
  return state === 'queued' && due !== undefined && due > now && due <= now + leaseTime;
}

function deliveryOf(effect: EarlierEffect, now: number): DeliveryDocument {
  const { _id: key, kind, payload, context, queued_at, tries, attempts, error } = effect;
  const { _id: event_id, process_id, order_id, rule, action } = context;
  const isSent = effect.state === 'done' || effect.delivered !== null;
  const state = isSent ? 'delivered' : effect.state === 'failed' ? 'failed' : 'pending';
  const ended =
    state === 'pending' ? { next_attempt_at: now, ended_at: null } : { next_attempt_at: null, ended_at: now };
  const isDue = effect.state === 'queued';
  return {
    _id: newId('dlv', queued_at),
    key,
    kind,
    ...targetOf(kind, payload),
    payload,
    event_id,
    process_id,
    order_id,
    rule_id: rule.id,
    rule_name: rule.name,
    action,
    created_at: queued_at,
    state,
    ...untried,
    attempts_made: tries + (isSent ? 1 : 0),
    refusals: state === 'pending' ? attempts : 0,
    reason: isSent ? null : error,
    ...ended,
    entry: isDue && isSent ? earlierEntry(effect, now) : null,
    ...(isDue ? { due: now } : {}),
  };
}

function targetOf(kind: DeliveryKind, payload: string): Pick<DeliveryDocument, 'target' | 'channel'> {
  const { to = '', url = '' } = JSON.parse(payload) as { readonly to?: string; readonly url?: string };
  return kind === 'email' ? { target: to, channel: 'smtp' } : callTarget(url);
}

/** With the uid of the version before: the log may have it already. */
function earlierEntry({ context, delivered, queued_at, tries }: EarlierEffect, now: number): NewAuditEntry {
  const { _id, process_id, order_id, rule, action, cause } = context;
  return auditEntry({
    uid: `${_id}:action:${rule.id}:${action.index}:success`,
    timestamp: isoTime(now),
    event_type: 'action_executed',
    source: 'automation',
    summary: `Order ${order_id}: ${action.label} (rule "${rule.name}"): ${delivered}`,
    order_id,
    process_id,
    rule_id: rule.id,
    duration_ms: now - queued_at,
    is_test: cause.is_test,
    details: { rule, action, result: 'delivered', tries: tries + 1 },
  });
}
