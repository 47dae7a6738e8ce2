import type { Clock } from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import { ShopUnavailable } from './failures';

/** Whether the shop can be used, as the latest requests showed it. */
export interface Condition {
  answered(): void;
  failed(reason: string): void;
  /** The shop asked for a pause; `retryAfter` is the header. Resolves to whole seconds. */
  pause(retryAfter: string): number;
  /** Throws ShopUnavailable during a pause. */
  refuseWhilePaused(): void;
  /** What is wrong, for an operator. A shop that nobody asked lately is asked now, for the next answer. */
  problems(): readonly string[];
}

/** Milliseconds after which the last answer of the shop says nothing about now. */
const stale = 30_000;
const defaultPause = 5;
const longestPause = 300;

export function newCondition(clock: Clock, telemetry: Telemetry, look: () => Promise<void>): Condition {
  let problem: string | null = 'WooCommerce has not answered yet.';
  let seenAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;
  let isLooking = false;

  const lookAgain = (): void => {
    if (isLooking) return;
    isLooking = true;
    // The request reports what it finds to `answered` and `failed`.
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  };
  return {
    answered: () => {
      seenAt = clock.now();
      if (problem !== null) telemetry.shopReached();
      problem = null;
    },
    failed: (reason) => {
      seenAt = clock.now();
      if (problem !== reason) telemetry.shopLost(reason);
      problem = reason;
    },
    pause: (retryAfter) => {
      const seconds = secondsOf(retryAfter, clock.now());
      pausedUntil = Math.max(pausedUntil, clock.now() + seconds * 1000);
      return seconds;
    },
    refuseWhilePaused: () => {
      const left = Math.ceil((pausedUntil - clock.now()) / 1000);
      if (left > 0) throw new ShopUnavailable(`WooCommerce asked for a pause, ${left} s are left.`);
    },
    problems: () => {
      if (clock.now() - seenAt > stale || problem !== null) lookAgain();
      return problem === null ? [] : [problem];
    },
  };
}

/** RFC 9110: seconds or a date. */
function secondsOf(retryAfter: string, now: number): number {
  const seconds = /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : Math.ceil((Date.parse(retryAfter) - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), longestPause) : defaultPause;
}
