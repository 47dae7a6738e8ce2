import { BusError, delayAfter } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { redactText } from '@order-automation/service';

/** Tries after which an event that fails for a reason of its own is given up (decisions.md section 4). */
export const maxAttempts = 5;

/** Another process has taken the event over: this one has nothing to say about it any more. */
export class LeaseLost extends Error {
  constructor(eventId: string) {
    super(`event ${eventId} was taken over`);
    this.name = 'LeaseLost';
  }
}

/** The shop cannot carry out a step now: altogether, or on this order alone while it serves others. `retryAfter` in milliseconds, where the shop says so. */
export function stepUnavailable(reason: string, about: 'order' | 'shop', retryAfter: number | null): ServiceError {
  const data = { part: 'shop', retry_after_ms: retryAfter ?? 0 };
  return new ServiceError(503, 'svc_unavailable', reason, data, about === 'shop' ? 'later' : 'now');
}

export const isTooLarge = (error: unknown): boolean => error instanceof BusError && error.code === 'too_large';

const delays = { first: 500, longest: 30_000 } as const;
/** The shop service finds out every few seconds whether the shop is back: who waits for it need not wait long after that. */
const delaysOfShop = { first: 500, longest: 10_000 } as const;

/** Spread over a quarter of itself, so that events that failed together do not come back together; no sooner than the other side asked for. */
export function retryDelay(tries: number, error: unknown): number {
  const own = delayAfter(tries + 1, waitsForShop(error) ? delaysOfShop : delays);
  const asked = error instanceof ServiceError ? Number(error.data.retry_after_ms ?? 0) : 0;
  const spread = Math.random() / 4;
  return Math.round(Math.max(own * (1 - spread), asked * (1 + spread)));
}

/** Whether it waits for the shop as a whole: the shop service says so once for all events. */
export const waitsForShop = (error: unknown): boolean =>
  error instanceof ServiceError && error.retry === 'later' && error.data.part === 'shop';

const longestReason = 300;

/** Why it failed, fit for the log that an administrator reads. */
export const reasonOf = (error: unknown): string =>
  redactText(error instanceof Error ? error.message : String(error)).slice(0, longestReason);
