/** Milliseconds since the epoch as ISO 8601 in UTC. */
export const isoTime = (time: number): string => new Date(time).toISOString();
