/** One event of an order at a time; events of different orders run side by side. */
export type Turns = {
  /** `waited`: another event of the order ran in between, and what was read before may be out of date. */
  inTurn<Result>(orderId: number, task: (waited: boolean) => Promise<Result>): Promise<Result>;
};

export function orderTurns(): Turns {
  const last = new Map<number, Promise<unknown>>();
  return {
    inTurn: (orderId, task) => {
      const before = last.get(orderId);
      const turn = before === undefined ? task(false) : before.then(() => task(true));
      const settled: Promise<unknown> = turn
        .catch(() => undefined)
        .finally(() => {
          if (last.get(orderId) === settled) last.delete(orderId);
        });
      last.set(orderId, settled);
      return turn;
    },
  };
}
