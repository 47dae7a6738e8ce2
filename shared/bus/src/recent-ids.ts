/** The ids seen within a window of time, the newest `capacity` of them. */
export type RecentIds = {
  /** Whether the id was remembered already; if not, it is from now on. `now` in milliseconds, never falling. */
  seen(id: string, now: number): boolean;
  /** Forgets an id: what was taken could not be kept. */
  forget(id: string): void;
};

export function recentIds(window: number, capacity: number): RecentIds {
  /** Place of each id in the ring. Two lists of plain values: a hundred thousand objects would be work for every collection. */
  const known = new Map<string, number>();
  const ids: string[] = [];
  const times: number[] = [];
  let oldest = 0;

  const place = (): number => {
    if (ids.length < capacity) return ids.length;
    const at = oldest;
    const id = ids[at];
    if (id !== undefined && known.get(id) === at) known.delete(id);
    oldest = (oldest + 1) % capacity;
    return at;
  };

  return {
    seen(id, now) {
      const at = known.get(id);
      if (at !== undefined && now - (times[at] ?? 0) < window) return true;
      const free = place();
      known.set(id, free);
      ids[free] = id;
      times[free] = now;
      return false;
    },
    forget(id) {
      known.delete(id);
    },
  };
}
