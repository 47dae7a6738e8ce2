import type { OrderReference } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { awaitedKeys } from './waiting';

/** Milliseconds after which an event that was postponed here counts as evaluated, by another instance. */
const forgetAfter = 10 * 60_000;

/** Which orders have events in the queue of postponed ones: fresh events of the same order wait behind them. */
export function backlogOf(clock: Clock) {
  const waiting = new Map<string, { readonly count: number; readonly until: number }>();
  const isWaiting = (key: string): boolean => {
    const found = waiting.get(key);
    if (found && found.until <= clock.now()) waiting.delete(key);
    return waiting.has(key);
  };
  return {
    has: (reference: OrderReference): boolean => waiting.size > 0 && awaitedKeys(reference).some(isWaiting),
    add: (reference: OrderReference): void => {
      const until = clock.now() + forgetAfter;
      for (const key of awaitedKeys(reference)) waiting.set(key, { count: (waiting.get(key)?.count ?? 0) + 1, until });
    },
    /** One event about it was evaluated. */
    remove: (reference: OrderReference): void => {
      for (const key of awaitedKeys(reference)) {
        const found = waiting.get(key);
        if (!found) continue;
        if (found.count > 1) waiting.set(key, { ...found, count: found.count - 1 });
        else waiting.delete(key);
      }
    },
  };
}
