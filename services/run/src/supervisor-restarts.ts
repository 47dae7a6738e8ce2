/** Milliseconds a process must have lived for its death to count as the first again. */
export const stableAfter = 30_000;

const firstPause = 250;
const longestPause = 10_000;

/** Deaths in a row; a stable process resets the count. `lived` in milliseconds. */
export function deathsInARow(before: number, lived: number): number {
  return lived >= stableAfter ? 1 : before + 1;
}

/** Milliseconds to wait before starting again after that many deaths in a row: at once, then doubling up to 10 s. */
export function restartDelay(deaths: number): number {
  if (deaths <= 1) return 0;
  return Math.min(firstPause * 2 ** Math.min(deaths - 2, 20), longestPause);
}
