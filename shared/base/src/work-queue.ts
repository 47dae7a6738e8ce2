import { type InFlight, newInFlight } from './in-flight';

export type Member<Item = unknown> = {
  readonly maxBatch: number;
  readonly concurrency: number;
  /** How many of those that wait, of which there are some, fit into the next batch. Default: `maxBatch`. */
  fit?(waiting: readonly Item[]): number;
};

type Place<M> = { readonly member: M; readonly inFlight: InFlight };

/** What waits, and the members who share the work. `work` must not reject. */
export function newWorkQueue<Item, M extends Member<Item>>(work: (member: M, items: readonly Item[]) => Promise<void>) {
  const waiting: Item[] = [];
  const places: Place<M>[] = [];
  const inFlight = newInFlight();
  let scheduled = false;
  let turn = 0;

  const nextFree = (): Place<M> | undefined => {
    for (let tried = 0; tried < places.length; tried += 1) {
      turn = (turn + 1) % places.length;
      const place = places[turn];
      if (place && place.inFlight.size < place.member.concurrency) return place;
    }
    return undefined;
  };
  function dispatch(): void {
    scheduled = false;
    for (let place = nextFree(); place && waiting.length > 0; place = nextFree()) {
      const { member } = place;
      const job = work(member, waiting.splice(0, member.fit?.(waiting) ?? member.maxBatch));
      place.inFlight.add(job);
      inFlight.add(job);
      void job.then(dispatch);
    }
  }
  const schedule = (): void => {
    if (!scheduled) setImmediate(dispatch);
    scheduled = true;
  };

  return {
    waiting: () => waiting.length,
    /** Dispatched in the next turn of the event loop, together with what else is added in this one. */
    add: (items: readonly Item[]): void => {
      for (const item of items) waiting.push(item);
      schedule();
    },
    /** The function returned removes the member and waits for its batches in flight. */
    join: (member: M): (() => Promise<void>) => {
      const place = { member, inFlight: newInFlight() };
      places.push(place);
      schedule();
      return async () => {
        const index = places.indexOf(place);
        if (index >= 0) places.splice(index, 1);
        await place.inFlight.idle();
      };
    },
    /** Resolves when nothing is in flight and nothing waits that a member could take. */
    drained: async (): Promise<void> => {
      dispatch();
      while (inFlight.size > 0) await inFlight.idle();
    },
    /** Takes back what waits. */
    clear: (): readonly Item[] => waiting.splice(0),
  };
}
