import type { Order, OrderContext } from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import { type Named, namesOf, numberKey } from '../orders/order-lookup';
import type { WooCommerceDeps } from './deps';
import { UnreadableOrder } from './failures';
import { asFields, orderFrom, revisionOf } from './order-mapping';
import { batchesOf, pageSize } from './paging';

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

type ReaderDeps = Pick<WooCommerceDeps, 'shop' | 'keys' | 'factsOf' | 'seen' | 'statuses' | 'missed' | 'telemetry'>;

const maxRemembered = 100_000;
/** Lists of orders by their ids at once. */
const pagesInFlight = 2;

/** An order, or why it cannot be read: one of several is left out, one alone fails its caller. */
type Attempt = Order | UnreadableOrder;
const isRead = (one: Attempt): one is Order => !(one instanceof UnreadableOrder);
function orThrow<T>(one: T | UnreadableOrder): T {
  if (one instanceof UnreadableOrder) throw one;
  return one;
}

/**
 * Reads orders, and remembers which ids of gateways are on them: WooCommerce cannot be asked for them, and a later event may name nothing else.
 */
export function orderReader({ shop, keys, factsOf, seen, statuses, missed, telemetry }: ReaderDeps): OrderReader {
  const remembered = new Set<string>();
  const warned = new Set<number>();

  const attempt = (item: unknown): Attempt => {
    try {
      return orderFrom(item);
    } catch (error) {
      if (!(error instanceof UnreadableOrder)) throw error;
      const id = Number(asFields(item).id);
      if (!warned.has(id) && warned.size < maxRemembered) telemetry.unreadable(id, error.reason);
      warned.add(id);
      return error;
    }
  };
  const readable = (items: readonly unknown[]): Order[] => items.map(attempt).filter(isRead);

  const remember = async (orders: readonly Named[]): Promise<void> => {
    if (remembered.size > maxRemembered) remembered.clear();
    const added = orders.flatMap((order) =>
      namesOf(order)
        .filter((key) => key !== numberKey(String(order.id)) && !remembered.has(`${key}|${order.id}`))
        .map((key) => ({ key, order_id: order.id })),
    );
    if (added.length === 0) return;
    await keys.add(added);
    for (const { key, order_id } of added) remembered.add(`${key}|${order_id}`);
  };

  /** By its own address WooCommerce shows also orders that plugins keep out of lists, and other kinds of order, as subscriptions: only an order has notes. */
  const inNoList = async (id: number): Promise<unknown[]> => {
    const item = await shop.get(`wc/v3/orders/${id}`);
    if (item === null) missed.add(`id ${id}`);
    return item === null || (await shop.get(`wc/v3/orders/${id}/notes`, { _fields: 'id' })) === null ? [] : [item];
  };
  /** Those that exist, by their ids. */
  const shown = async (ids: readonly number[]): Promise<Map<number, Attempt>> => {
    const query = { include: ids.join(','), per_page: ids.length };
    const { items } = await statuses.listing((status) => shop.page('wc/v3/orders', { ...query, status }), true);
    const found = new Map(items.map((item) => [Number(asFields(item).id), attempt(item)]));
    const others = ids.filter((id) => !found.has(id) && !missed.has(`id ${id}`));
    for (const item of (await Promise.all(others.map(inNoList))).flat())
      found.set(Number(asFields(item).id), attempt(item));
    await remember([...found.values()].filter(isRead));
    return found;
  };
  const together = batcher<number, () => Order | null>({
    maxItems: pageSize,
    concurrency: pagesInFlight,
    run: async (ids) => {
      const found = await shown([...new Set(ids)]);
      return ids.map((id) => () => orThrow(found.get(id) ?? null));
    },
  });
  return {
    byId: async (id) => (await together.add(id))(),
    readable,
    byIds: async (ids) => {
      const wanted = [...new Set(ids)];
      const found: Attempt[] = [];
      for (const batch of batchesOf(wanted)) {
        const orders = await shown(batch);
        found.push(...batch.flatMap((id) => orders.get(id) ?? []));
      }
      return wanted.length === 1 ? found.map(orThrow) : found.filter(isRead);
    },
    remember,
    contexts: async (orders) => {
      const [facts, known] = await Promise.all([factsOf(orders), seen.byIds(orders.map(({ id }) => id))]);
      const steps = new Map(known.map((one) => [one._id, one.steps]));
      return facts.map((one) => ({ ...one, revision: revisionOf(one.order, steps.get(one.order.id) ?? 0) }));
    },
  };
}
