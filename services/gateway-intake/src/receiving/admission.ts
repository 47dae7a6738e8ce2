import type { ReceivedWebhook, WebhookLimit } from '@order-automation/contracts';
import { type Refusal, untrusted } from '../gateways/refusal';
import type { Quota } from '../inbox/quota';
import { type Inspection, type InspectOptions, type Inspector, inspect } from './inspect';
import type { Limiter } from './limiter';

export type Admitting = Inspector & {
  readonly limiter: Limiter;
  readonly collections: { readonly quota: Quota };
};

export type Accepted = Extract<Inspection, { kind: 'accepted' }>;
export type Refused = Extract<Inspection, { kind: 'refused' }>;

/** A webhook that was judged. */
export type Arrival<I extends Inspection = Inspection> = {
  readonly webhook: ReceivedWebhook;
  readonly inspection: I;
  /** What is left of the limit that it counted against. */
  readonly limit?: WebhookLimit;
  /** Bytes of the quota that are reserved for it until it is stored. */
  readonly reserved: number;
};

const tooMany = untrusted('too_many', 'Too many webhooks of this address proved nothing.');
const overQuota = untrusted(
  'unauthenticated_quota',
  'Webhooks that nothing proves have used up their quota (INTAKE_UNAUTHENTICATED_BYTES): give their senders connections.',
);
/** Refused without a record of its own: it is counted, and the log says so once a minute. */
export const overRate: Refused = { kind: 'refused', refusal: tooMany, keep: null };

/** Bytes that are looked at for the proof alone when an address has used up its limit: a genuine webhook is not the flood's fault. */
const provableBytes = 64 * 1024;

/**
 * Judges a webhook within the limits (decisions.md section 6, "Limits"): first that of its address, then the quota, then its proof, which is the
 * costly part. A proven webhook gives back what it took of the address's limit. A promise only where the proof is one.
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
  if (isOverRate && webhook.body.length > provableBytes) return tooFast(limiter, webhook, limit);
  const reservation = reservationOf(collections.quota, webhook.body.length);
  const inspection = inspect(admitting, webhook, {
    ...options,
    diagnose: !isOverRate,
    admit: (adapter, raw, context): Refusal | undefined =>
      adapter.isUnproven?.(raw, context) === true && !reservation.take() ? overQuota : undefined,
  });
  const judge = (settled: Inspection): Arrival => {
    if (isProven(settled)) {
      if (address !== null && !isOverRate) limiter.giveBack(address);
      return { webhook, inspection: settled, reserved: reservation.bytes() };
    }
    if (isOverRate) {
      reservation.release();
      return tooFast(limiter, webhook, limit);
    }
    if (settled.kind === 'accepted' && !reservation.take())
      return { webhook, inspection: { kind: 'refused', refusal: overQuota, keep: null }, ...limit, reserved: 0 };
    return { webhook, inspection: settled, ...limit, reserved: reservation.bytes() };
  };
  return inspection instanceof Promise ? inspection.then(judge) : judge(inspection);
}

function isProven(inspection: Inspection): boolean {
  return inspection.kind === 'accepted' ? !inspection.unproven && !inspection.verifying : inspection.keep !== null;
}

function tooFast(
  limiter: Limiter,
  webhook: ReceivedWebhook,
  limit: { readonly limit: WebhookLimit } | undefined,
): Arrival {
  limiter.countRefused(webhook.address ?? '');
  return { webhook, inspection: overRate, ...limit, reserved: 0 };
}

/** The bytes of one webhook in the quota, reserved once. */
function reservationOf(quota: Quota, size: number) {
  let reserved = 0;
  return {
    take: (): boolean => {
      if (reserved > 0 || size === 0) return true;
      if (!quota.reserve(size)) return false;
      reserved = size;
      return true;
    },
    release: (): void => {
      quota.release(reserved);
      reserved = 0;
    },
    bytes: (): number => reserved,
  };
}
