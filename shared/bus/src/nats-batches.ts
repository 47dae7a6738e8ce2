import { newCrew, type Worker } from './crew';

/** Hands out what arrives in batches: what came in one turn of the event loop goes together. */
export type Batches<Item> = {
  /** Items that wait for their turn. */
  readonly waiting: number;
  add(item: Item): void;
  /** Hands out nothing more: gives back what nobody has in hand, and resolves `finished` when what is in hand is done. */
  close(): { readonly left: readonly Item[]; readonly finished: Promise<void> };
};

export function batches<Item>(worker: Worker<Item>): Batches<Item> {
  const crew = newCrew<Item>();
  const leave = crew.join(worker);
  let scheduled = false;
  return {
    get waiting() {
      return crew.waiting;
    },
    add: (item) => {
      crew.add(item);
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        crew.dispatch();
      });
    },
    close: () => ({ left: crew.clear(), finished: leave() }),
  };
}
