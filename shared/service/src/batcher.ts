export type BatcherOptions<Item, Result> = {
  /** Handles one group; results keep the order of the items. A rejection is every caller's. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxItems: number;
  /** Most that a group may weigh, by `size`, unless one item alone is heavier. */
  readonly maxBytes?: number;
  readonly size?: (item: Item) => number;
  /** Groups under way at once. */
  readonly concurrency: number;
};

export type Batcher<Item, Result> = {
  /** Joins the next group; settles with this item's own result, or with the error of its group. */
  add(item: Item): Promise<Result>;
  /** Items that wait for a group. */
  waiting(): number;
  /** Resolves when nothing waits and nothing is under way. */
  idle(): Promise<void>;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Groups what arrives while earlier groups are under way. When it is idle it waits for the end of the tick and no longer: a lone
 * item loses no time, and under load groups grow by themselves.
 */
export function batcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, concurrency } = options;
  let queue: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let scheduled = false;
  let quiet: (() => void)[] = [];

  const flush = (): void => {
    scheduled = false;
    while (queue.length > 0 && underWay < concurrency) {
      underWay += 1;
      const group = queue.slice(0, groupSize(queue, options));
      queue = queue.slice(group.length);
      void settle(group, run).then(() => {
        underWay -= 1;
        flush();
      });
    }
    if (queue.length > 0 || underWay > 0) return;
    for (const resolve of quiet) resolve();
    quiet = [];
  };

  const schedule = (): void => {
    if (scheduled || underWay >= concurrency) return;
    scheduled = true;
    setImmediate(flush);
  };

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        schedule();
      }),
    waiting: () => queue.length,
    idle: () =>
      new Promise((resolve) => {
        if (queue.length === 0 && underWay === 0) resolve();
        else quiet.push(resolve);
      }),
  };
}

/** How many of those that wait go into the next group: at least one. */
function groupSize<Item, Result>(
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
  group: readonly Waiting<Item, Result>[],
  run: BatcherOptions<Item, Result>['run'],
): Promise<void> {
  try {
    const results = await run(group.map(({ item }) => item));
    if (results.length !== group.length) throw new Error(`${results.length} results for ${group.length} items`);
    for (let index = 0; index < group.length; index += 1) group[index]?.resolve(results[index] as Result);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}
