import type { WebhookLimit } from '@order-automation/contracts';
import { addressGroup } from '@order-automation/service';

/** Webhooks a second, and at once, that one address may send without proving them (decisions.md section 6). */
export type Rate = { readonly perSecond: number; readonly burst: number };
export const unauthenticatedRate: Rate = { perSecond: 50, burst: 500 };

export type Limiter = ReturnType<typeof createLimiter>;

/** The latest addresses that are kept at least; the next as many make room for them all at once. */
const maxAddresses = 20_000;

type Bucket = { tokens: number; at: number };

/**
 * A token bucket for each address; those of one IPv6 network share one (docs/decisions/0014-limiters.md). Buckets are forgotten a generation at a
 * time: a Map whose oldest key is deleted for each new one walks over all the keys that were deleted before.
 */
export function createLimiter({ perSecond, burst }: Rate) {
  let latest = new Map<string, Bucket>();
  let earlier = new Map<string, Bucket>();
  let webhooks = 0;
  let addresses = new Set<string>();

  const bucketOf = (key: string, now: number): Bucket => {
    const known = latest.get(key);
    if (known) return known;
    const bucket = earlier.get(key) ?? { tokens: burst, at: now };
    if (latest.size >= maxAddresses) [earlier, latest] = [latest, new Map()];
    latest.set(key, bucket);
    return bucket;
  };

  return {
    /** Counts one more against the limit of this address: whether it was within, and what is left. `now` in milliseconds since the epoch. */
    take: (address: string, now: number): { readonly isWithin: boolean; readonly limit: WebhookLimit } => {
      const bucket = bucketOf(addressGroup(address), now);
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perSecond) / 1000);
      const isWithin = tokens >= 1;
      const left = isWithin ? tokens - 1 : tokens;
      bucket.tokens = left;
      bucket.at = now;
      const reset_seconds = Math.ceil((burst - left) / perSecond);
      return { isWithin, limit: { quota: burst, remaining: Math.floor(left), reset_seconds } };
    },
    /** It counts no more: it was proven. */
    giveBack: (address: string): void => {
      const key = addressGroup(address);
      const bucket = latest.get(key) ?? earlier.get(key);
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
    /** One of this address was refused without a record. */
    countRefused: (address: string): void => {
      webhooks += 1;
      if (addresses.size < maxAddresses) addresses.add(addressGroup(address));
    },
    /** What was refused since the last time this was asked. */
    refused: () => {
      const counted = { webhooks, addresses: addresses.size };
      webhooks = 0;
      addresses = new Set();
      return counted;
    },
  };
}
