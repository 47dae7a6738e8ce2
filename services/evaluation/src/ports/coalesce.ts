import { batcher } from '@order-automation/service';

export type CoalesceOptions<Item, Result> = {
  /** Sends one group; results keep the order of the items. */
  readonly send: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxItems: number;
  /** Groups in flight at once. */
  readonly concurrency: number;
  /** Whether an error is about the whole way there (a service that is unavailable) and not about an item: such a group is not divided. */
  readonly isTransient: (error: unknown) => boolean;
};

type Settled<Result> = { readonly value: Result } | { readonly error: unknown };

/**
 * A function for one item that sends what the same moment asks for as one group. Each caller gets its own result. A group that is refused is
 * halved until the item that causes it is alone.
 */
export function coalesced<Item, Result>(options: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { maxItems, concurrency } = options;
  const batch = batcher<Item, Settled<Result>>({ maxItems, concurrency, run: (items) => settle(items, options) });
  return async (item) => {
    const settled = await batch.add(item);
    if ('error' in settled) throw settled.error;
    return settled.value;
  };
}

async function settle<Item, Result>(
  items: readonly Item[],
  options: CoalesceOptions<Item, Result>,
): Promise<Settled<Result>[]> {
  try {
    const results = await options.send(items);
    if (results.length !== items.length) throw new Error(`${results.length} results for ${items.length} items`);
    return results.map((value) => ({ value }));
  } catch (error) {
    if (items.length === 1 || options.isTransient(error)) return items.map(() => ({ error }));
    const middle = Math.ceil(items.length / 2);
    const halves = [items.slice(0, middle), items.slice(middle)];
    return (await Promise.all(halves.map((half) => settle(half, options)))).flat();
  }
}
