import { idBound } from '@order-automation/contracts';

export type Progress = ReturnType<typeof newProgress>;

/** Milliseconds that evaluation usually needs at most: in that time events may be finished in another order than they came. */
export const reorderWindow = 5_000;

/**
 * Remembers how far evaluation has come, so that under a load that lasts the queue is not made longer by what is in it already.
 * `startedAt`, and `quiet`, the time without progress after which everything may be lost, in milliseconds.
 */
export function newProgress(startedAt: number, quiet: number) {
  const ownFrom = idBound('evt', startedAt);
  let lastAt = startedAt - quiet;
  /** The newest event that is done; as it was when the window last turned, and when it did before: that one is at least `reorderWindow` old. */
  let newest = '';
  let watermark = '';
  let previousWatermark = '';
  let turnedAt = startedAt;
  /** Nothing has been done for a while. A future time is that of a clock which ran ahead and was put right. */
  const isQuiet = (now: number): boolean => now < lastAt || now - lastAt >= quiet;

  return {
    /** Evaluation has finished these events. `now` in milliseconds since the epoch. */
    done: (ids: readonly string[], now: number): void => {
      lastAt = now;
      for (const id of ids) if (id > newest) newest = id;
      if (now >= turnedAt && now - turnedAt < reorderWindow) return;
      [previousWatermark, watermark, turnedAt] = [watermark, newest, now];
    },
    /**
     * Whether an event that was published is lost, as far as can be told from here, and does not merely wait for its turn: events that came well
     * after it are done, or nothing has been done for a while, or it came before this process.
     */
    mayBeLost: (id: string, now: number): boolean => id < ownFrom || id < previousWatermark || isQuiet(now),
  };
}
