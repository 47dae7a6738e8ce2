import type { Order, OrderContext } from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import { type Named, namesOf, numberKey } from '../orders/order-lookup';
import type { Telemetry } from '../telemetry';
import type { WooCommerce } from './client';
import { isMissing, ShopRefusal, UnreadableOrder } from './failures';
import type { OrderKeys } from './order-keys';
import { asFields, orderFrom, revisionOf } from './order-mapping';
import { batchesOf, pageSize } from './paging';
import type { ProductFactsOf } from './products';
import type { Seen } from './seen';
import type { Statuses } from './statuses';

export interface OrderReader {
  /** Null when there is none. What one moment asks for is one request. */
  byId(id: number): Promise<Order | null>;
  /** Those that exist, in the order of the ids. */
  byIds(ids: readonly number[]): Promise<Order[]>;
  /** The orders of a list that can be read; there is one warning about each of the others. */
  readable(items: readonly unknown[]): Order[];
  contexts(orders: readonly Order[]): Promise<OrderContext[]>;
  /** Which ids an event may name these orders by, for references that come later. */
  remember(orders: readonly Named[]): Promise<void>;
}

/** The same reader; everything it reads is noticed. */
export function noticing(read: OrderReader, notice: (orders: readonly Order[]) => void): OrderReader {
  return {
    ...read,
    byId: async (id) => {
      const order = await read.byId(id);
      if (order) notice([order]);
      return order;
    },
    byIds: async (ids) => {
      const orders = await read.byIds(ids);
      if (orders.length > 0) notice(orders);
      return orders;
    },
  };
}

type ReaderDeps = {
  readonly shop: WooCommerce;
  readonly keys: OrderKeys;
  readonly factsOf: ProductFactsOf;
  readonly seen: Seen;
  readonly statuses: Statuses;
  readonly telemetry: Telemetry;
};

const maxRemembered = 100_000;
/** Lists of orders by their ids at once. */
const pagesInFlight = 2;

/**
 * Reads orders, and remembers which ids of gateways are on them: WooCommerce cannot be asked for them, and a later event may name nothing else.
 */
export function orderReader({ shop, keys, factsOf, seen, statuses, telemetry }: ReaderDeps): OrderReader {
  const remembered = new Set<string>();
  const warned = new Set<number>();

  const readable = (items: readonly unknown[]): Order[] =>
    items.flatMap((item) => {
      try {
        return [orderFrom(item)];
      } catch (error) {
        if (!(error instanceof UnreadableOrder)) throw error;
        const id = Number(asFields(item).id);
        if (!warned.has(id) && warned.size < maxRemembered) telemetry.unreadable(id, error.reason);
        warned.add(id);
        return [];
      }
    });

  const remember = async (orders: readonly Named[]): Promise<void> => {
    if (remembered.size > maxRemembered) remembered.clear();
    const found = orders.flatMap((order) =>
      namesOf(order)
        .filter((key) => key !== numberKey(String(order.id)))
        .map((key) => ({ key, order_id: order.id })),
    );
    const added = found.filter(({ key, order_id }) => !remembered.has(`${key}|${order_id}`));
    if (added.length === 0) return;
    await keys.add(added);
    for (const { key, order_id } of added) remembered.add(`${key}|${order_id}`);
  };

  const single = async (id: number): Promise<Order | null> => {
    try {
      const item = await shop.get(`wc/v3/orders/${id}`);
      readable([item]);
      const order = orderFrom(item);
      await remember([order]);
      return order;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const listed = async (ids: readonly number[], status: string): Promise<readonly unknown[]> =>
    (await shop.page('wc/v3/orders', { include: ids.join(','), per_page: ids.length, status })).items;
  /** A shop without drafts refuses their status. */
  const draftsAndTrash = (ids: readonly number[]): Promise<readonly unknown[]> =>
    listed(ids, 'trash,checkout-draft').catch((error: unknown) => {
      if (error instanceof ShopRefusal) return listed(ids, 'trash');
      throw error;
    });
  const page = async (ids: readonly number[]): Promise<Order[]> => {
    const items = await listed(ids, await statuses.listed());
    const shown = new Set(items.map((item) => asFields(item).id));
    const others = ids.filter((id) => !shown.has(id));
    const orders = readable(others.length > 0 ? [...items, ...(await draftsAndTrash(others))] : items);
    await remember(orders);
    return orders;
  };
  const together = batcher<number, () => Order | null>({
    maxItems: pageSize,
    concurrency: pagesInFlight,
    run: async (ids) => {
      const wanted = [...new Set(ids)];
      const found = new Map(wanted.length > 1 ? (await page(wanted)).map((order) => [order.id, order]) : []);
      return Promise.all(
        ids.map(async (id) => {
          const known = found.get(id);
          // One that cannot be read fails its own caller alone.
          const read = known ? Promise.resolve(known) : single(id);
          return read.then(
            (order) => () => order,
            (error: unknown) => () => {
              throw error;
            },
          );
        }),
      );
    },
  });
  return {
    byId: async (id) => (await together.add(id))(),
    readable,
    byIds: async (ids) => {
      const wanted = [...new Set(ids)];
      const [only, ...more] = wanted;
      if (only === undefined) return [];
      if (more.length === 0) return [await single(only)].flatMap((order) => order ?? []);
      const found = new Map<number, Order>();
      for (const batch of batchesOf(wanted)) for (const order of await page(batch)) found.set(order.id, order);
      return wanted.flatMap((id) => found.get(id) ?? []);
    },
    remember,
    contexts: async (orders) => {
      const [facts, known] = await Promise.all([factsOf(orders), seen.byIds(orders.map(({ id }) => id))]);
      const steps = new Map(known.map((one) => [one._id, one.steps]));
      return facts.map((one) => ({ ...one, revision: revisionOf(one.order, steps.get(one.order.id) ?? 0) }));
    },
  };
}
