import { setTimeout as delay } from 'node:timers/promises';
import { delayAfter } from '@order-automation/bus';
import { type Clock, retryAfterOf } from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import type { FailureFacts } from './answers';
import { ShopUnavailable } from './failures';

/** Whether the shop can be used, as the latest requests showed it. */
export type ShopHealth = ReturnType<typeof shopHealth>;

/** What the shop is asked to find out whether it works. */
type Probe = () => Promise<void>;

type Down = { readonly reason: string; readonly since: number; probeAt: number; probes: number; turnedAway: number };

/** Milliseconds after which the last answer of the shop says nothing about now. */
const stale = 30_000;
/** Milliseconds without Retry-After, and seconds at most. */
const defaultPause = 5_000;
const longestPause = 300;
/** Milliseconds of a pause that requests wait out; during a longer one they are turned away. */
const waitedOut = 6_000;
/** Failures in a row, over that many milliseconds, after which a probe decides whether the shop is down or fails on one order alone. */
const failuresInRow = 6;
const failingFor = 1_000;
/** Milliseconds between two probes of a shop that is down, doubling. */
const firstProbe = 1_000;
const longestProbe = 5_000;
/** Seconds that a 503 is believed. */
const longestMaintenance = 15;
const tick = 50;

export function shopHealth(clock: Clock, telemetry: Telemetry, probe: Probe, waiting: () => number) {
  let known = false;
  let down: Down | null = null;
  /** A request that was refused while others are answered: a permission that the key lacks. */
  let denied: { readonly reason: string; readonly at: number } | null = null;
  let seenAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = 0;
  let failures = { inRow: 0, since: 0 };
  let isProbing = false;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  /** Nothing is left of a time that is further away than any pause: a clock that ran ahead has set it. */
  const leftUntil = (time: number): number => {
    const left = time - clock.now();
    return left > longestPause * 1_000 ? 0 : Math.max(left, 0);
  };

  const probeNow = (): void => {
    if (closed || isProbing) return;
    isProbing = true;
    // The request reports what it finds to `answered` and `failed`.
    void probe()
      .catch(() => undefined)
      .finally(() => {
        isProbing = false;
        scheduleProbe();
      });
  };
  const scheduleProbe = (): void => {
    clearTimeout(timer);
    if (down === null || closed) return;
    timer = setTimeout(probeNow, Math.max(leftUntil(down.probeAt), tick));
    timer.unref();
  };
  const goDown = (reason: string): void => {
    const now = clock.now();
    if (down === null) {
      const since = failures.since || now;
      down = { reason, since, probeAt: now + jittered(firstProbe), probes: 1, turnedAway: 0 };
      telemetry.shopLost({ reason, since: new Date(since).toISOString(), waiting: waiting() });
    }
    down = { ...down, reason, probeAt: Math.max(down.probeAt, pausedUntil) };
    scheduleProbe();
  };
  /** One request at a time finds out whether a shop that is down is back. */
  const admits = (state: Down): boolean => {
    if (leftUntil(state.probeAt) > 0) return false;
    state.probeAt = clock.now() + jittered(delayAfter(state.probes + 1, { first: firstProbe, longest: longestProbe }));
    state.probes += 1;
    return true;
  };

  return {
    /** Resolves when a request may be sent: a short pause is waited out. Rejects with ShopUnavailable during a longer one and while the shop is down. */
    ready: async (): Promise<void> => {
      for (;;) {
        if (closed) throw new ShopUnavailable('The shop service is stopping.');
        if (down !== null && !admits(down)) {
          down.turnedAway += 1;
          throw new ShopUnavailable(down.reason, jittered(Math.max(leftUntil(down.probeAt), firstProbe)));
        }
        const left = leftUntil(pausedUntil);
        if (left === 0) return;
        await delay(Math.min(left, tick) + Math.random() * tick);
      }
    },
    answered: () => {
      seenAt = clock.now();
      failures = { inRow: 0, since: 0 };
      // What was sent before the shop asked to wait, and is answered now.
      if (leftUntil(pausedUntil) > 0) return;
      if (down !== null) {
        const { reason, since, turnedAway } = down;
        telemetry.shopReached({ reason, lasted_ms: seenAt - since, turned_away: turnedAway });
      } else if (!known) telemetry.shopReached({});
      down = null;
      known = true;
      clearTimeout(timer);
    },
    /** `isProbe`: the request was one that every shop answers. */
    failed: ({ kind, reason, retryAfter, status }: FailureFacts, isProbe: boolean): void => {
      const now = clock.now();
      seenAt = now;
      if (kind === 'busy') {
        const wanted = retryAfterOf(retryAfter, now) ?? defaultPause;
        const asked = Math.min(Math.max(Math.ceil(wanted / 1000), 1), longestPause);
        // WordPress says ten minutes while it updates a plugin for seconds.
        const seconds = status === 503 ? Math.min(asked, longestMaintenance) : asked;
        pausedUntil = Math.max(pausedUntil, now + seconds * 1000);
        if (seconds * 1000 > waitedOut) goDown(`WooCommerce asks to wait ${seconds} s.`);
        return;
      }
      if (kind === 'refused' && known && down === null && !isProbe) {
        if (denied?.reason !== reason) telemetry.shopDenied(reason);
        denied = { reason, at: now };
        // Whether it is this request alone shows a probe.
        probeNow();
        return;
      }
      failures = { inRow: failures.inRow + 1, since: failures.since || now };
      const isLong = failures.inRow >= failuresInRow && now - failures.since >= failingFor;
      if (!known || down !== null || kind === 'refused' || (isLong && isProbe)) goDown(reason);
      else if (isLong) probeNow();
    },
    problems: () => {
      const now = clock.now();
      const isDoubtful = down === null ? failures.inRow > 0 : now >= down.probeAt;
      if (now - seenAt > stale || !known || isDoubtful) probeNow();
      if (down !== null) return [down.reason];
      if (!known) return ['WooCommerce has not answered yet.'];
      return denied !== null && now - denied.at < stale ? [denied.reason] : [];
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}

/** Between three quarters of it and all: senders that failed together do not return together. */
export const jittered = (milliseconds: number): number => Math.round(milliseconds * (0.75 + Math.random() / 4));
