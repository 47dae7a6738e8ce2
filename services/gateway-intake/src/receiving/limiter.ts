import type { WebhookLimit } from '@order-automation/contracts';

/** Webhooks a second, and at once, that one address may send without proving them (decisions.md section 6). */
export type Rate = { readonly perSecond: number; readonly burst: number };
export const unprovenRate: Rate = { perSecond: 50, burst: 500 };

/** Whether one more was within the limit, and what is left of it. */
export type Taken = { readonly isWithin: boolean; readonly limit: WebhookLimit };

export type Limiter = {
  /** Counts one more against the limit of this address. `now` in milliseconds since the epoch. */
  take(address: string, now: number): Taken;
  /** It counts no more: it was proven. */
  giveBack(address: string): void;
  /** One of this address was refused without a record. */
  countRefused(address: string): void;
  /** What was refused since the last time this was asked. */
  refused(): { readonly webhooks: number; readonly addresses: number };
};

/** Addresses that are kept in mind; the one that was quiet for longest is forgotten first. */
const maxAddresses = 20_000;

/** A token bucket for each address; those of one IPv6 network share one. */
export function createLimiter({ perSecond, burst }: Rate): Limiter {
  const buckets = new Map<string, { tokens: number; at: number }>();
  let webhooks = 0;
  let addresses = new Set<string>();
  return {
    take: (address, now) => {
      const key = networkOf(address);
      const before = buckets.get(key) ?? { tokens: burst, at: now };
      const tokens = Math.min(burst, before.tokens + (Math.max(0, now - before.at) * perSecond) / 1000);
      const isWithin = tokens >= 1;
      const left = isWithin ? tokens - 1 : tokens;
      buckets.delete(key);
      buckets.set(key, { tokens: left, at: now });
      if (buckets.size > maxAddresses)
        for (const oldest of buckets.keys()) {
          buckets.delete(oldest);
          break;
        }
      const reset_seconds = Math.ceil((burst - left) / perSecond);
      return { isWithin, limit: { quota: burst, remaining: Math.floor(left), reset_seconds } };
    },
    giveBack: (address) => {
      const bucket = buckets.get(networkOf(address));
      if (bucket) bucket.tokens = Math.min(burst, bucket.tokens + 1);
    },
    countRefused: (address) => {
      webhooks += 1;
      if (addresses.size < maxAddresses) addresses.add(networkOf(address));
    },
    refused: () => {
      const counted = { webhooks, addresses: addresses.size };
      webhooks = 0;
      addresses = new Set();
      return counted;
    },
  };
}

/** An IPv4 address, or the /64 network of an IPv6 address. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  return [...front, ...Array<string>(missing).fill('0'), ...back].slice(0, 4).join(':');
}
