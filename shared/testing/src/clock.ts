import type { Clock } from '@order-automation/service';

export type SettableClock = Clock & {
  /** Milliseconds since the epoch. */
  set(now: number): void;
  advance(milliseconds: number): void;
};

/** A clock that stands still until it is told otherwise. Default: the moment of its making. */
export function settableClock(start: number = Date.now()): SettableClock {
  let now = start;
  return {
    now: () => now,
    set: (value) => {
      now = value;
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
