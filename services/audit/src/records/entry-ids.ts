import type { Clock } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';

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
 * ids of several instances follow the order of recording to within seconds. The counter remembers blocks that may still be in use. `elapsed` is in
 * milliseconds, and no clock that is put right changes it.
 */
export async function openEntryIds(store: Store, clock: Clock, elapsed: () => number = () => performance.now()) {
  const documents = await store.collection<EntryCounter>('counters');
  await insertNew(documents, [{ _id: counterId, next: 1, blocks: [] }]);
  let size = smallest;
  let block = { next: 0, end: 0, at: Number.NEGATIVE_INFINITY };
  let turn: Promise<unknown> = Promise.resolve();

  /** Blocks of a clock that ran ahead, by their first id, with when they were first seen: as long again they may be in use. */
  const ahead = new Map<number, number>();
  const mayBeUsed = ({ from, at }: Block, now: number): boolean => {
    if (at <= now + settleTime) return at > now - settleTime;
    const seen = ahead.get(from) ?? elapsed();
    ahead.set(from, seen);
    return elapsed() - seen < settleTime;
  };

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
      const open = [...blocks.filter((one) => mayBeUsed(one, now)), { from: next, at: now }];
      const update = { $set: { next: next + length, blocks: open } };
      const { matchedCount } = await documents.updateOne({ _id: counterId, next }, update);
      if (matchedCount === 0) continue;
      block = { next, end: next + length, at: now };
      return;
    }
    throw new Error('the counter of entry ids changed too often to take a block');
  };

  const take = async (count: number): Promise<Ids> => {
    const age = clock.now() - block.at;
    const fresh = age >= 0 && age < blockLife;
    if (!fresh || block.end - block.next < count) {
      size = fresh ? Math.min(size * 2, largest) : Math.max(size / 2, smallest);
      await allocate(count);
    }
    const { next: from, at } = block;
    block.next += count;
    return { from, isOpen: () => Math.abs(clock.now() - at) < settleTime - safety };
  };

  const settledAt = async (ahead: number): Promise<number> => {
    const { next, blocks } = await read();
    const open = blocks.filter((one) => mayBeUsed(one, clock.now() + ahead)).map(({ from }) => from);
    return Math.min(next, ...open);
  };

  return {
    /** The first of `count` ids in a row, to be inserted at once. */
    take: (count: number): Promise<Ids> => {
      const mine = turn.then(() => take(count));
      turn = mine.catch(() => undefined);
      return mine;
    },
    /** No entry with an id below this one will be inserted any more. */
    settledBelow: () => settledAt(0),
    /** The same for the instance whose clock is the furthest ahead. */
    settledForAnybody: () => settledAt(safety),
  };
}
