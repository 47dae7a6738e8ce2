import { retryOf } from './errors';
import { type Member, newWorkQueue } from './work-queue';

export type BatcherOptions<Item, Result> = {
  /**
   * Handles one batch; results keep the order of the items, and there need be none. A batch that is refused for what is in it is halved until the item that causes it is
   * alone; that something is unavailable (`retryOf`: later) is every caller's.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[] | (undefined extends Result ? void : never)>;
  readonly maxItems: number;
  /** Most that a batch may weigh, by `size`, unless one item alone is heavier. */
  readonly maxBytes?: number;
  readonly size?: (item: Item) => number;
  readonly concurrency: number;
};

export type Batcher<Item, Result> = ReturnType<typeof batcher<Item, Result>>;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Batches what arrives while earlier batches are in flight. When it is idle it waits for the end of the tick and no longer: a lone item loses
 * no time, and under load batches grow by themselves.
 */
export function batcher<Item, Result>(options: BatcherOptions<Item, Result>) {
  const { maxItems, concurrency } = options;
  type Added = Waiting<Item, Result>;
  const queue = newWorkQueue<Added, Member<Added>>((_, batch) => settle(batch, options));
  queue.join({ maxBatch: maxItems, concurrency, fit: (waiting) => batchSize(waiting, options) });
  return {
    /** Joins the next batch; settles with this item's own result, or with the error of its batch. */
    add: (item: Item): Promise<Result> => new Promise((resolve, reject) => queue.add([{ item, resolve, reject }])),
    /** Items that wait for a batch. */
    waiting: queue.waiting,
    /** Resolves when nothing waits and nothing is in flight. */
    idle: queue.drained,
  };
}

/** How many of those that wait go into the next batch: at least one. */
function batchSize<Item, Result>(
  queue: readonly Waiting<Item, Result>[],
  { maxItems, maxBytes = Number.POSITIVE_INFINITY, size = () => 0 }: BatcherOptions<Item, Result>,
): number {
  let bytes = 0;
  let count = 0;
  for (const { item } of queue) {
    bytes += size(item);
    if (count === maxItems || (count > 0 && bytes > maxBytes)) break;
    count += 1;
  }
  return count;
}

async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  options: BatcherOptions<Item, Result>,
): Promise<void> {
  try {
    const results = (await options.run(batch.map(({ item }) => item))) as readonly Result[] | undefined;
    if (results && results.length !== batch.length)
      throw new Error(`${results.length} results for ${batch.length} items`);
    for (const [index, { resolve }] of batch.entries()) resolve(results?.[index] as Result);
  } catch (error) {
    if (batch.length === 1 || retryOf(error) === 'later') for (const { reject } of batch) reject(error);
    else {
      const middle = Math.ceil(batch.length / 2);
      for (const half of [batch.slice(0, middle), batch.slice(middle)]) await settle(half, options);
    }
  }
}
