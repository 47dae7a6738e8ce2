import { BusError, delayAfter } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { redactText } from '@order-automation/service';
import { isUnavailable } from '@order-automation/store';

/** Tries after which an event that fails for a reason of its own is given up (decisions.md section 4). */
export const maxAttempts = 5;

/** Another process has taken the event over: this one has nothing to say about it any more. */
export class LeaseLost extends Error {
  constructor(eventId: string) {
    super(`event ${eventId} was taken over`);
    this.name = 'LeaseLost';
  }
}

/** The shop cannot carry out a step now, because it fails on its order or altogether. `retryAfter` in milliseconds, where the shop says so. */
export class StepUnavailable extends Error {
  constructor(
    reason: string,
    readonly about: 'order' | 'shop',
    readonly retryAfter: number | null,
  ) {
    super(reason);
    this.name = 'StepUnavailable';
  }
}

/** Errors of the bus that no waiting helps: a message that is too large stays so. */
const permanent: ReadonlySet<string> = new Set(['too_large', 'invalid_message'] satisfies BusError['code'][]);

/** Whether waiting helps: the bus, a store or a service is unavailable. Anything else is a failure of the event itself. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 503 || error.status === 429;
  if (error instanceof StepUnavailable) return error.about === 'shop';
  return error instanceof BusError ? !permanent.has(error.code) : isUnavailable(error);
}

export function isTooLarge(error: unknown): boolean {
  return error instanceof BusError && error.code === 'too_large';
}

/**
 * Whether the shop's own server failed on this one order (5xx) while it serves others: tried again for `EFFECT_PATIENCE`. An order that we cannot
 * read, and one that the shop refuses, are failures of their own.
 */
export function isDelayed(error: unknown): boolean {
  if (error instanceof StepUnavailable) return error.about === 'order';
  return error instanceof ServiceError && error.code === 'svc_shop_failed' && Number(error.data.shop_status) >= 500;
}

const delays = { first: 500, longest: 30_000 } as const;

/** Spread over a quarter of itself, so that events that failed together do not come back together; no sooner than the other side asked for. */
export function retryDelay(tries: number, error: unknown): number {
  const [own, asked] = [delayAfter(tries + 1, delays), askedToWait(error)];
  const spread = Math.random() / 4;
  return Math.round(Math.max(own * (1 - spread), asked * (1 + spread)));
}

function askedToWait(error: unknown): number {
  if (error instanceof StepUnavailable) return error.retryAfter ?? 0;
  return error instanceof ServiceError ? Number(error.data.retry_after_ms ?? 0) : 0;
}

/** Whether the shop is away as a whole: the shop service says so once for all events. */
export function isShopAway(error: unknown): boolean {
  if (error instanceof StepUnavailable) return error.about === 'shop';
  return error instanceof ServiceError && error.status === 503 && error.data.part === 'shop';
}

const longestReason = 300;

/** Why it failed, fit for the log that an administrator reads. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return redactText(text).slice(0, longestReason);
}
