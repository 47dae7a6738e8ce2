import type { Bus } from '@order-automation/bus';
import type { CustomerFacts, Order, OrderContext } from '@order-automation/contracts';

/**
 * All that debugging can do with the shop: look. The services behind it are given this and never the bus, so that nothing here can send a
 * command (decisions.md section 8: enforced at the port, not by a flag).
 */
export function orderReader(bus: Pick<Bus, 'request'>) {
  return {
    get: async (id: number): Promise<OrderContext | null> => {
      const { orders } = await bus.request('shop.order.get.v1', { ids: [id] });
      return orders.find(({ order }) => order.id === id) ?? null;
    },
    /** Null when the shop cannot say. */
    customer: async ({ id, customer_id, billing }: Order): Promise<CustomerFacts | null> => {
      const customers = [{ order_id: id, customer_id, email: billing.email }];
      const { facts } = await bus.request('shop.customer.facts.v1', { customers });
      return facts[0] ?? null;
    },
    search: async (text: string, limit: number): Promise<readonly Order[]> => {
      const search = text.trim();
      const input = { ...(search === '' ? {} : { search }), page: 1, per_page: limit };
      return (await bus.request('shop.order.list.v1', input)).orders;
    },
  };
}

export type OrderReader = ReturnType<typeof orderReader>;
