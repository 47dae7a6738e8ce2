import { own, type Payload } from '../payload';
import { dataOf } from '../references';

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Each name in all spellings: `order_id` is `orderId` where senders write JavaScript, and `orderID` as the universal event has it. */
export const spellingsOf = (list: readonly string[]): string[] => [
  ...new Set(list.flatMap((name) => [name, inCamelCase(name), inCamelCase(name).replace(/Id$/, 'ID')])),
];
const containers = ['data', 'payload', 'object', 'resource', 'order'] as const;

/** Where names are looked for. */
export type Levels = readonly Payload[];

/** The payload, then the containers in it, as they are or as JSON in a text, then the containers in those. */
export function levelsOf(payload: Payload): Payload[] {
  const nested = (source: Payload) =>
    containers.flatMap<Payload>((key) => (Array.isArray(own(source, key)) ? [] : (dataOf(own(source, key)) ?? [])));
  const inner = nested(payload);
  return [payload, ...inner, ...inner.flatMap(nested)];
}

export function first<T>(
  levels: Levels,
  keys: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const level of levels) {
    for (const key of keys) {
      const value = read(own(level, key));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** Without objects `order`, whose id and state are those of the order. */
export function withoutOrders(levels: Levels): Payload[] {
  const orders = new Set(levels.map((level) => own(level, 'order')));
  return levels.filter((level) => !orders.has(level));
}
