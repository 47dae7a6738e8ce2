import { BusError } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { redactText } from '@order-automation/service';
import { isUnavailable } from '@order-automation/store';

/** Tries after which an event that fails for a reason of its own is given up (decisions.md section 4). */
export const mostAttempts = 5;

/** Another process has taken the event over: this one has nothing to say about it any more. */
export class LeaseLost extends Error {
  constructor(eventId: string) {
    super(`event ${eventId} was taken over`);
    this.name = 'LeaseLost';
  }
}

/** Whether waiting helps: the bus, a store or a service is unavailable. Anything else is a failure of the event itself. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 503 || error.status === 429;
  return error instanceof BusError || isUnavailable(error);
}

/**
 * Whether the shop's own server failed on this one order (5xx) while it serves others: tried again for `EFFECT_PATIENCE`. An order that we cannot
 * read, and one that the shop refuses, are failures of their own.
 */
export function isDelayed(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'svc_shop_failed' && Number(error.data.shop_status) >= 500;
}

/** Milliseconds until the next try. */
export function backoff(tries: number): number {
  return Math.min(500 * 2 ** Math.min(tries, 10), 30_000);
}

const longestReason = 300;

/** Why it failed, fit for the log that an administrator reads. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return redactText(text).slice(0, longestReason);
}
