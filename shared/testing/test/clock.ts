export type SettableClock = ReturnType<typeof settableClock>;

/** A clock that runs with the system's until it is set; with a `start` it stands still from the beginning. */
export function settableClock(start?: number) {
  let stands = start;
  let ahead = 0;
  return {
    now: (): number => (stands ?? Date.now()) + ahead,
    /** Stands still at this moment (milliseconds since the epoch) from now on. */
    set: (now: number): void => {
      stands = now;
      ahead = 0;
    },
    /** Moves on by that many milliseconds, whether it stands or runs. */
    advance: (milliseconds: number): void => {
      ahead += milliseconds;
    },
  };
}
