import { inSequence } from '@order-automation/service';

/** One event of an order at a time; events of different orders run side by side. */
export type Turns = {
  /** `waited`: another event of the order ran in between, and what was read before may be out of date. */
  inTurn<Result>(orderId: number, task: (waited: boolean) => Promise<Result>): Promise<Result>;
};

export function orderTurns(): Turns {
  const sequence = inSequence();
  return { inTurn: (orderId, task) => sequence([orderId], task) };
}
