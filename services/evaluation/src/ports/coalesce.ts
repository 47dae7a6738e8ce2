import { type BatcherOptions, batcher } from '@order-automation/service';

type CoalesceOptions<Item, Result> = Pick<BatcherOptions<Item, Result>, 'maxItems' | 'concurrency'> & {
  /** Sends one group; results keep the order of the items. */
  readonly send: BatcherOptions<Item, Result>['run'];
};

/** A function for one item that sends what the same moment asks for as one group (`batcher`). Each caller gets its own result. */
export function coalesced<Item, Result>({
  send,
  ...limits
}: CoalesceOptions<Item, Result>): (item: Item) => Promise<Result> {
  return batcher<Item, Result>({ ...limits, run: send }).add;
}
