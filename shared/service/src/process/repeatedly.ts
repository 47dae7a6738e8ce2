import { joined } from '@order-automation/base';

/** Runs work whenever the time comes and the last run is over; `work` must not reject. `close` waits for a run in flight. */
export function repeatedly(milliseconds: number, work: () => Promise<unknown>): { close(): Promise<void> } {
  let current: Promise<unknown> | undefined;
  const run = joined(work);
  const timer = setInterval(() => {
    current = run();
  }, milliseconds);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await current;
    },
  };
}
