/** A queue whose `take` costs the same at any length. */
export type Fifo<Item> = {
  readonly length: number;
  push(item: Item): void;
  /** Up to `count` items, oldest first. */
  take(count: number): Item[];
};

const compactAt = 1024;

export function fifo<Item>(): Fifo<Item> {
  let items: Item[] = [];
  let head = 0;
  return {
    get length() {
      return items.length - head;
    },
    push(item) {
      items.push(item);
    },
    take(count) {
      const end = Math.min(head + count, items.length);
      const taken = items.slice(head, end);
      head = end;
      if (head === items.length) {
        items = [];
        head = 0;
      } else if (head >= compactAt && head * 2 >= items.length) {
        items = items.slice(head);
        head = 0;
      }
      return taken;
    },
  };
}
