/** `YYYY-MM-DD HH:MM:SS` in UTC, where the specification shows it so (section 2.5). `now` in milliseconds since the epoch. */
export function plainTimestamp(now: number): string {
  return new Date(now).toISOString().slice(0, 19).replace('T', ' ');
}

/** Milliseconds with two decimals, as `execution_time` is given. */
export function executionTime(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
