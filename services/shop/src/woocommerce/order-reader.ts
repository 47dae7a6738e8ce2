import type { Order, OrderContext } from '@order-automation/contracts';
import type { OrderKeys } from '../builtin/order-keys';
import { gatewayIdsOf, gatewayKey } from '../builtin/order-lookup';
import type { WooCommerce } from './client';
import { isMissing } from './failures';
import { orderFrom } from './order-mapping';
import { batchesOf } from './paging';
import type { ProductFactsOf } from './products';

export interface OrderReader {
  /** Null when there is none. */
  byId(id: number): Promise<Order | null>;
  /** Those that exist, in the order of the ids. */
  byIds(ids: readonly number[]): Promise<Order[]>;
  contexts(orders: readonly Order[]): Promise<OrderContext[]>;
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

const mostRemembered = 100_000;

/**
 * Reads orders, and remembers which ids of gateways are on them: WooCommerce cannot be asked for them, and a later event may name nothing else.
 */
export function orderReader(shop: WooCommerce, keys: OrderKeys, contexts: ProductFactsOf): OrderReader {
  const remembered = new Set<string>();

  const remember = async (orders: readonly Order[]): Promise<void> => {
    if (remembered.size > mostRemembered) remembered.clear();
    const found = orders.flatMap((order) =>
      gatewayIdsOf(order).map((id) => ({ key: gatewayKey(id), order_id: order.id })),
    );
    const added = found.filter(({ key, order_id }) => !remembered.has(`${key}|${order_id}`));
    if (added.length === 0) return;
    await keys.add(added);
    for (const { key, order_id } of added) remembered.add(`${key}|${order_id}`);
  };

  const byId = async (id: number): Promise<Order | null> => {
    try {
      const order = orderFrom(await shop.get(`wc/v3/orders/${id}`));
      await remember([order]);
      return order;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  return {
    byId,
    byIds: async (ids) => {
      const wanted = [...new Set(ids)];
      const [only, ...more] = wanted;
      if (only === undefined) return [];
      if (more.length === 0) return [await byId(only)].flatMap((order) => order ?? []);
      const found = new Map<number, Order>();
      for (const batch of batchesOf(wanted)) {
        const query = { include: batch.join(','), per_page: batch.length, status: 'any,trash' };
        const orders = (await shop.page('wc/v3/orders', query)).items.map(orderFrom);
        await remember(orders);
        for (const order of orders) found.set(order.id, order);
      }
      return wanted.flatMap((id) => found.get(id) ?? []);
    },
    contexts,
  };
}
