/** Runs work at once whenever the time comes and the last run is over. `close` waits for a run in flight. */
export function repeatedly(milliseconds: number, work: () => Promise<void>): { close(): Promise<void> } {
  let current: Promise<void> | undefined;
  const timer = setInterval(() => {
    current ??= work().finally(() => {
      current = undefined;
    });
  }, milliseconds);
  timer.unref();
  return {
    close: async () => {
      clearInterval(timer);
      await current;
    },
  };
}
