/** The ids seen within a window of time, the newest `capacity` of them. */
export type RecentIds = {
  /** Whether the id was remembered already; if not, it is from now on. `now` in milliseconds, never falling. */
  seen(id: string, now: number): boolean;
  /** Forgets an id: what was taken could not be kept. */
  forget(id: string): void;
};

export function recentIds(window: number, capacity: number): RecentIds {
  const known = new Map<string, number>();
  const ring: { id: string; at: number }[] = [];
  let oldest = 0;

  const drop = (index: number): void => {
    const entry = ring[index];
    if (entry && known.get(entry.id) === entry.at) known.delete(entry.id);
  };

  return {
    seen(id, now) {
      const at = known.get(id);
      if (at !== undefined && now - at < window) return true;
      known.set(id, now);
      if (ring.length < capacity) {
        ring.push({ id, at: now });
        return false;
      }
      drop(oldest);
      ring[oldest] = { id, at: now };
      oldest = (oldest + 1) % capacity;
      return false;
    },
    forget(id) {
      known.delete(id);
    },
  };
}
