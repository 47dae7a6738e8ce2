import { type BatcherOptions, batcher } from '@order-automation/service';

type CoalesceOptions<Item, Result> = Pick<BatcherOptions<Item, Result>, 'maxItems' | 'concurrency'> & {
  /** Sends one group; results keep the order of the items. */
  readonly send: BatcherOptions<Item, Result>['run'];
  /** Whether an error is about the whole way there (a service that is unavailable) and not about an item: such a group is not divided. */
  readonly isTransient: (error: unknown) => boolean;
};

/** A function for one item that sends what the same moment asks for as one group (`batcher`). Each caller gets its own result. */
export function coalesced<Item, Result>({
  send,
  isTransient,
  ...limits
}: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  return batcher<Item, Result>({ ...limits, run: send, isOutage: isTransient }).add;
}
