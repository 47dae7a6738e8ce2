import type { Clock } from '@order-automation/service';
import { isDuplicateKey, type Store } from '@order-automation/store';

type Block = { readonly from: number; readonly at: number };
export type EntryCounter = { readonly _id: string; readonly next: number; readonly blocks: readonly Block[] };

const counterId = 'entries';
const smallest = 16;
const largest = 16384;
/** Milliseconds a block is used, and after which nothing can be inserted with its ids any more. */
const blockLife = 3_000;
const settleTime = 15_000;
/** Milliseconds by which clocks of two instances may differ. */
const safety = 5_000;
const maxRaces = 100;

/** Ids in a row from `from` on. `isOpen` until the range they are in may be settled; what is inserted must be inserted before. */
export type Ids = { readonly from: number; isOpen(): boolean };

export type EntryIds = Awaited<ReturnType<typeof openEntryIds>>;

/**
 * Integer ids from a counter, in blocks: safe for several instances, with gaps. A block is given up after 3 s, used up or not, so that
 * ids of several instances follow the order of recording to within seconds. The counter remembers blocks that may still be in use.
 */
export async function openEntryIds(store: Store, clock: Clock) {
  const documents = await store.collection<EntryCounter>('counters');
  await documents.insertOne({ _id: counterId, next: 1, blocks: [] }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  let size = smallest;
  let block = { next: 0, end: 0, at: Number.NEGATIVE_INFINITY };
  let turn: Promise<unknown> = Promise.resolve();

  const read = async (): Promise<EntryCounter> => {
    const counter = await documents.findOne({ _id: counterId });
    if (!counter) throw new Error('the counter of entries is missing');
    return counter;
  };

  const allocate = async (count: number): Promise<void> => {
    for (let race = 0; race < maxRaces; race += 1) {
      const { next, blocks } = await read();
      const now = clock.now();
      const length = Math.max(size, count);
      const open = [...blocks.filter(({ at }) => at > now - settleTime), { from: next, at: now }];
      const update = { $set: { next: next + length, blocks: open } };
      const { matchedCount } = await documents.updateOne({ _id: counterId, next }, update);
      if (matchedCount === 0) continue;
      block = { next, end: next + length, at: now };
      return;
    }
    throw new Error('the counter of entry ids changed too often to take a block');
  };

  const take = async (count: number): Promise<Ids> => {
    const fresh = clock.now() - block.at < blockLife;
    if (!fresh || block.end - block.next < count) {
      size = fresh ? Math.min(size * 2, largest) : Math.max(size / 2, smallest);
      await allocate(count);
    }
    const { next: from, at } = block;
    block.next += count;
    return { from, isOpen: () => clock.now() - at < settleTime - safety };
  };

  return {
    /** The first of `count` ids in a row, to be inserted at once. */
    take: (count: number): Promise<Ids> => {
      const mine = turn.then(() => take(count));
      turn = mine.catch(() => undefined);
      return mine;
    },
    /** No entry with an id below this one will be inserted any more. */
    settledBelow: async (): Promise<number> => {
      const { next, blocks } = await read();
      const open = blocks.filter(({ at }) => at > clock.now() - settleTime).map(({ from }) => from);
      return Math.min(next, ...open);
    },
  };
}
