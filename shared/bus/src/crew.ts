import { fifo } from './fifo';
import { type InHand, newInHand } from './in-hand';

export type Worker<Item> = {
  readonly maxBatch: number;
  /** Batches in hand at once. */
  readonly concurrency: number;
  /** Must not reject. */
  readonly work: (items: readonly Item[]) => Promise<void>;
};

/** What waits, and the workers who share it. */
export type Crew<Item> = {
  readonly waiting: number;
  /** Hands out nothing by itself: what is added before `dispatch` goes together. */
  add(item: Item): void;
  /** Hands out what waits, oldest first, as far as workers are free, each in turn. */
  dispatch(): void;
  /** The function returned takes the worker out and resolves when nothing is in its hands. */
  join(worker: Worker<Item>): () => Promise<void>;
  /** Resolves when nothing is in hand and nothing waits that anybody could take. */
  idle(): Promise<void>;
  /** Takes back what nobody has in hand. */
  clear(): readonly Item[];
};

type Place<Item> = Worker<Item> & { readonly inHand: InHand };

export function newCrew<Item>(): Crew<Item> {
  const waiting = fifo<Item>();
  const places: Place<Item>[] = [];
  const inHand = newInHand();
  let turn = 0;

  const nextFree = (): Place<Item> | undefined => {
    for (let tried = 0; tried < places.length; tried += 1) {
      turn = (turn + 1) % places.length;
      const place = places[turn];
      if (place && place.inHand.size < place.concurrency) return place;
    }
    return undefined;
  };

  function dispatch(): void {
    while (waiting.length > 0) {
      const place = nextFree();
      if (!place) return;
      const job = place.work(waiting.take(place.maxBatch));
      place.inHand.add(job);
      inHand.add(job);
      void job.then(dispatch);
    }
  }

  return {
    get waiting() {
      return waiting.length;
    },
    add: (item) => waiting.push(item),
    dispatch,
    join: (worker) => {
      const place = { ...worker, inHand: newInHand() };
      places.push(place);
      return async () => {
        const index = places.indexOf(place);
        if (index >= 0) places.splice(index, 1);
        await place.inHand.idle();
      };
    },
    idle: async () => {
      dispatch();
      while (inHand.size > 0) await inHand.idle();
    },
    clear: () => waiting.take(waiting.length),
  };
}
