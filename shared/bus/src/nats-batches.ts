import { fifo } from './fifo';

/** Hands out what arrives in batches: what came in one turn of the event loop goes together. */
export type Batches<Item> = {
  /** Items that wait for their turn. */
  readonly waiting: number;
  add(item: Item): void;
  /** Hands out nothing more: gives back what nobody has in hand, and resolves `finished` when what is in hand is done. */
  close(): { readonly left: readonly Item[]; readonly finished: Promise<unknown> };
};

export type BatchOptions<Item> = {
  readonly maxBatch: number;
  readonly concurrency: number;
  /** Must not reject. */
  readonly work: (items: readonly Item[]) => Promise<void>;
};

export function batches<Item>({ maxBatch, concurrency, work }: BatchOptions<Item>): Batches<Item> {
  const waiting = fifo<Item>();
  const running = new Set<Promise<void>>();
  let scheduled = false;
  let closed = false;

  const start = (): void => {
    const job = work(waiting.take(maxBatch)).then(() => {
      running.delete(job);
      dispatch();
    });
    running.add(job);
  };

  function dispatch(): void {
    scheduled = false;
    while (!closed && waiting.length > 0 && running.size < concurrency) start();
  }

  return {
    get waiting() {
      return waiting.length;
    },
    add: (item) => {
      waiting.push(item);
      if (scheduled) return;
      scheduled = true;
      setImmediate(dispatch);
    },
    close: () => {
      closed = true;
      return { left: waiting.take(waiting.length), finished: Promise.all(running) };
    },
  };
}
