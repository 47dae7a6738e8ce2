/** Knows whether an order that was read may have been changed by this process since. */
export type Freshness = {
  /** To be drawn before reading. */
  asOf(): number;
  changed(orderIds: readonly number[]): void;
  isStale(orderId: number, asOf: number): boolean;
};

export function freshness(remembered = 10_000): Freshness {
  let tick = 0;
  let forgotten = -1;
  const changes = new Map<number, number>();
  return {
    asOf: () => tick++,
    changed: (orderIds) => {
      for (const id of orderIds) {
        changes.delete(id);
        changes.set(id, tick);
      }
      tick += 1;
      for (const [id, at] of changes) {
        if (changes.size <= remembered) break;
        changes.delete(id);
        forgotten = at;
      }
    },
    isStale: (orderId, asOf) => asOf <= forgotten || (changes.get(orderId) ?? -1) >= asOf,
  };
}
