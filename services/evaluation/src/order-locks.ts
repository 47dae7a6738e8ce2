/** One event of an order at a time, different orders side by side. */
export type OrderLocks = {
  /** Runs `round` over items whose orders are free until none is left; an item without an order never waits. */
  inRounds<Item>(items: readonly Item[], orderOf: (item: Item) => number | null, round: Round<Item>): Promise<void>;
};

export type Round<Item> = (items: readonly Item[]) => Promise<void>;

export function orderLocks(): OrderLocks {
  const busy = new Set<number>();
  let waiting: (() => void)[] = [];

  const release = (orders: readonly number[]): void => {
    for (const order of orders) busy.delete(order);
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };

  return {
    inRounds: async (items, orderOf, round) => {
      let left = items;
      while (left.length > 0) {
        const taken: number[] = [];
        const now: (typeof left)[number][] = [];
        const later: (typeof left)[number][] = [];
        for (const item of left) {
          const order = orderOf(item);
          if (order !== null && busy.has(order)) {
            later.push(item);
            continue;
          }
          now.push(item);
          if (order === null) continue;
          busy.add(order);
          taken.push(order);
        }
        left = later;
        if (now.length === 0) {
          await new Promise<void>((wake) => waiting.push(wake));
          continue;
        }
        try {
          await round(now);
        } finally {
          release(taken);
        }
      }
    },
  };
}
