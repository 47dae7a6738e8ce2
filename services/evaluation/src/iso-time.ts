let lastTime = Number.NaN;
let lastText = '';

/** ISO 8601 UTC of milliseconds since the epoch. Remembers the last one: what happens together has one time. */
export function isoTime(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString();
    lastTime = time;
  }
  return lastText;
}
