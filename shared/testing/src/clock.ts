import type { Clock } from '@order-automation/service';

export type SettableClock = Clock & {
  /** Stands still at this moment (milliseconds since the epoch) from now on. */
  set(now: number): void;
  /** Moves on by that many milliseconds, whether it stands or runs. */
  advance(milliseconds: number): void;
};

/** A clock that runs with the system's until it is set; with a `start` it stands still from the beginning. */
export function settableClock(start?: number): SettableClock {
  let stands = start;
  let ahead = 0;
  return {
    now: () => (stands ?? Date.now()) + ahead,
    set: (now) => {
      stands = now;
      ahead = 0;
    },
    advance: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}
