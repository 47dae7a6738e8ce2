let lastTime = 0;
let lastText = new Date(0).toISOString();

/** Milliseconds since the epoch as ISO 8601 in UTC. What is done together has one time: the last one is remembered. */
export function isoTime(time: number): string {
  if (time !== lastTime) {
    lastText = new Date(time).toISOString();
    lastTime = time;
  }
  return lastText;
}
