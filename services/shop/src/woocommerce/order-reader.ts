import type { Order, OrderContext } from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import { type Named, namesOf, numberKey } from '../orders/order-lookup';
import type { WooCommerceDeps } from './deps';
import { nullIfUnreadable, UnreadableOrder } from './failures';
import { asFields, orderFrom, revisionOf } from './order-mapping';
import { ordersAround, pageSize } from './paging';

export type OrderReader = ReturnType<typeof orderReader>;

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
const pagesInFlight = 2;

/** An order, null where there is none, or why it cannot be read: one of several is left out, one alone fails its caller. */
type Attempt = Order | UnreadableOrder | null;
const isRead = (one: Attempt): one is Order => one !== null && !(one instanceof UnreadableOrder);
/** It is below an order, as a subscription is, and has no products. */
type Part = Order & { readonly parent_id: number };
const isPart = (order: Order): order is Part => Number(order.parent_id) > 0 && order.line_items.length === 0;
function orThrow(one: Attempt): Order | null {
  if (one instanceof UnreadableOrder) throw one;
  return one;
}

/** Reads orders, and remembers which ids of gateways are on them: WooCommerce cannot be asked for them, and a later event may name nothing else. */
export function orderReader({ shop, keys, factsOf, seen, statuses, missed, telemetry }: ReaderDeps) {
  const remembered = new Set<string>();
  const warned = new Set<number>();

  const unreadable = (id: number, error: unknown): UnreadableOrder => {
    if (!(error instanceof UnreadableOrder)) throw error;
    if (!warned.has(id) && warned.size < maxRemembered) telemetry.unreadable(id, error.reason);
    warned.add(id);
    return error;
  };
  const attempt = (item: unknown): Attempt => {
    if (item instanceof UnreadableOrder) return unreadable(0, item);
    try {
      return orderFrom(item);
    } catch (error) {
      return unreadable(Number(asFields(item).id), error);
    }
  };

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
  const shown = async (ids: readonly number[]): Promise<Map<number, Attempt>> => {
    const query = { include: ids.join(','), per_page: ids.length };
    const { items } = await statuses.listing((status) => shop.page('wc/v3/orders', { ...query, status }), 'all');
    const found = new Map(items.map((item) => [Number(asFields(item).id), attempt(item)]));
    const others = ids.filter((id) => !found.has(id) && !missed.has(`id ${id}`));
    for (const item of (await Promise.all(others.map(inNoList))).flat())
      found.set(Number(asFields(item).id), attempt(item));
    await remember([...found.values()].filter(isRead));
    return found;
  };
  // It halves a batch that cannot be read as a whole.
  const together = batcher<number, Attempt>({
    maxItems: pageSize,
    concurrency: pagesInFlight,
    run: async (ids) => {
      const found = await shown([...new Set(ids)]);
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  const one = (id: number): Promise<Attempt> => together.add(id).catch((error) => unreadable(id, error));
  const several = (ids: readonly number[]): Promise<Attempt[]> => Promise.all([...new Set(ids)].map(one));
  return {
    /** Null when there is none. What one moment asks for is one request. */
    byId: async (id: number) => orThrow(await one(id)),
    /** A page of a list, and the orders on it that can be read; there is one warning about each of the others. */
    page: async (query: Parameters<typeof ordersAround>[1]) => {
      const whole = await ordersAround(shop, query).catch(nullIfUnreadable);
      const found = whole ?? (await ordersAround(shop, { ...query, _fields: 'id' }));
      const ids = found.items.map((item) => Number(asFields(item).id));
      return { ...found, orders: (whole ? found.items.map(attempt) : await several(ids)).filter(isRead) };
    },
    byIds: async (ids: readonly number[]) => {
      const found = await several(ids);
      return (found.length === 1 ? found.map(orThrow) : found).filter(isRead);
    },
    /** Partial payments, which a deposits plugin keeps as orders of a kind of their own: no list shows them, and the order that they pay is above them. */
    parts: async (ids: readonly number[]) => {
      const others = ids.filter((id) => !missed.has(`id ${id}`));
      const items = await Promise.all(others.map((id) => shop.get(`wc/v3/orders/${id}`).catch(nullIfUnreadable)));
      const parts = items
        .flatMap((item) => item ?? [])
        .map(attempt)
        .filter(isRead)
        .filter(isPart);
      await remember(parts);
      return parts;
    },
    /** Which ids an event may name these orders by, for references that come later. */
    remember,
    contexts: async (orders: readonly Order[]): Promise<OrderContext[]> => {
      const [facts, known] = await Promise.all([factsOf(orders), seen.byIds(orders.map(({ id }) => id))]);
      const steps = new Map(known.map((one) => [one._id, one.steps]));
      return facts.map((one) => ({ ...one, revision: revisionOf(one.order, steps.get(one.order.id) ?? 0) }));
    },
  };
}
