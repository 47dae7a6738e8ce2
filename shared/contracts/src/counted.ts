/** "3 rules", "1 rule", "2 entries". */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "14 minutes", "3 hours", "2 days": as long as a person would say it. */
export function duration(milliseconds: number): string {
  const [name, length] = units.find(([, size]) => milliseconds >= size) ?? units[2];
  return counted(Math.max(1, Math.floor(milliseconds / length)), name);
}

/** "36 hours", "90 minutes": exactly, in whole units. */
export function exactDuration(milliseconds: number): string {
  const [name, length] = units.find(([, size]) => milliseconds % size === 0) ?? units[2];
  return counted(milliseconds / length, name);
}
