import { newId, type ReceivedWebhook, type WebhookLimit } from '@order-automation/contracts';
import { addressGroup, recordsOf } from '@order-automation/service';
import type { DeliveryDeps } from '../delivery/delivery';
import type { GatewayAdapter } from '../gateways/adapter';
import { sha256 } from '../gateways/idempotency-keys';
import { authenticityRefusal, type Refusal } from '../gateways/refusal';
import { endpointOf } from '../inbox/documents';
import { floodEntry } from '../inbox/entries';
import { type Pool, type Quota, totalOf, type Use } from '../inbox/quota';
import { type Inspection, type InspectOptions, type Inspector, inspect } from './inspect';
import type { Limiter } from './limiter';

export type Admitting = Inspector & { readonly limiter: Limiter; readonly collections: { readonly quota: Quota } };

export type Accepted = Extract<Inspection, { kind: 'accepted' }>;
export type Refused = Extract<Inspection, { kind: 'refused' }>;

export type Arrival<I extends Inspection = Inspection> = {
  readonly webhook: ReceivedWebhook;
  readonly inspection: I;
  /** What is left of the limit that it counted against. */
  readonly limit?: WebhookLimit;
  /** What is reserved of the quota until it is stored; null where it needs none. */
  readonly reserved: Use | null;
};

const tooMany = authenticityRefusal('too_many', 'Too many webhooks of this address proved nothing.');
const overQuota = authenticityRefusal(
  'unauthenticated_quota',
  'Webhooks that nothing proves, of this sender or of all, have used up their quota (INTAKE_UNAUTHENTICATED_BYTES): give their senders connections that prove them.',
);
/** Refused without a record of its own: it is counted, and the log says so once a minute. */
export const overRate: Refused = { kind: 'refused', refusal: tooMany, keep: null };

/**
 * Judges a webhook within the limits (decisions.md section 6, "Limits"): those of its address and the quota are for what is not proven. A genuine webhook
 * gives back what it took of the limit, and is judged when none is left, whatever its size. A promise only where the proof is one.
 */
export function inspectWithinLimits(
  admitting: Admitting,
  webhook: ReceivedWebhook,
  options: InspectOptions,
): Arrival | Promise<Arrival> {
  const { limiter, collections } = admitting;
  const { address = null } = webhook;
  const taken = address === null ? undefined : limiter.take(address, options.now);
  const isOverRate = taken?.isWithin === false;
  const limit = taken && { limit: taken.limit };
  const reservation = reservationOf(collections.quota, webhook);
  const inspection = inspect(admitting, webhook, {
    ...options,
    withinRate: !isOverRate,
    admit: (adapter, raw, context): Refusal | undefined =>
      adapter.isUnauthenticated?.(raw, context) === true && !reservation.take(poolOf(adapter)) ? overQuota : undefined,
  });
  const judge = (settled: Inspection): Arrival => {
    if (isProven(settled)) {
      if (address !== null && !isOverRate) limiter.giveBack(address);
      return { webhook, inspection: settled, reserved: reservation.use() };
    }
    if (isOverRate) {
      reservation.release();
      limiter.countRefused(address ?? '');
      return { webhook, inspection: overRate, ...limit, reserved: null };
    }
    if (settled.kind === 'accepted' && !reservation.take(settled.verifying ? 'asked' : 'unauthenticated'))
      return { webhook, inspection: { kind: 'refused', refusal: overQuota, keep: null }, ...limit, reserved: null };
    return { webhook, inspection: settled, ...limit, reserved: reservation.use() };
  };
  return inspection instanceof Promise ? inspection.then(judge) : judge(inspection);
}

const isProven = (inspection: Inspection): boolean =>
  inspection.kind === 'accepted' ? !inspection.unauthenticated && !inspection.verifying : inspection.keep !== null;

/** Of a gateway that can be asked later, what is not proven yet is asked about. */
const poolOf = ({ confirm }: Pick<GatewayAdapter, 'confirm'>): Pool => (confirm ? 'asked' : 'unauthenticated');

/** The bytes of one webhook in the quota, reserved once. */
function reservationOf(quota: Quota, webhook: ReceivedWebhook) {
  const { address = null, body } = webhook;
  let reserved: Use | null = null;
  const senderOf = (known: string): string => sha256(`${endpointOf(webhook)} ${addressGroup(known)}`).slice(0, 20);
  return {
    take: (pool: Pool): boolean => {
      if (reserved !== null || body.length === 0) return true;
      const use = { total: totalOf(pool, address === null ? null : senderOf(address)), bytes: body.length };
      if (quota.reserve(use)) reserved = use;
      return reserved !== null;
    },
    release: (): void => {
      if (reserved !== null) quota.release(reserved);
      reserved = null;
    },
    use: (): Use | null => reserved,
  };
}

type Flood = Pick<Admitting, 'limiter'> & Pick<DeliveryDeps, 'outbox' | 'clock' | 'telemetry'>;

/** One entry for all webhooks that were refused without one of their own since the last time. */
export async function recordFlood({ limiter, outbox, clock, telemetry }: Flood): Promise<void> {
  const refused = limiter.refused();
  if (refused.webhooks === 0) return;
  telemetry.flood(refused.webhooks, refused.addresses);
  const entry = floodEntry(newId('evt', clock.now()), refused, clock.now());
  await outbox.add(recordsOf([entry])).catch((error: unknown) => telemetry.notStored(0, error));
}
