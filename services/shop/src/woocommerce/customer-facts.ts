import type { Answer, CustomerFacts, CustomerOfOrder } from '@order-automation/contracts';
import { searchText } from '../orders/order-lookup';
import type { Query, WooCommerce } from './client';
import { asFields } from './order-mapping';
import { allPages, totalOf } from './paging';

/** Orders that count (decisions.md section 4, `customer_order_count`). */
const countedStatuses = 'processing,completed';

/** Role and number of other orders of the customers of orders: by customer id, else by billing e-mail. */
export const customerFacts: Answer<'shop.customer.facts.v1', WooCommerce> = async ({ customers }, shop) => {
  const facts = customers.map(
    async (customer): Promise<CustomerFacts> => ({
      role: await roleOf(customer, shop),
      order_count: await otherOrders(customer, shop),
    }),
  );
  return { facts: await Promise.all(facts) };
};

async function roleOf({ customer_id }: CustomerOfOrder, shop: WooCommerce): Promise<string> {
  if (customer_id <= 0) return 'guest';
  const { role } = asFields(await shop.get(`wc/v3/customers/${customer_id}`, { _fields: 'id,role' }));
  return typeof role === 'string' && role !== '' ? role : 'customer';
}

async function counted(shop: WooCommerce, query: Query): Promise<number> {
  const path = 'wc/v3/orders';
  return totalOf(shop, path, query, await shop.page(path, { ...query, per_page: 1, _fields: 'id' }));
}

async function otherOrders({ order_id, customer_id, email }: CustomerOfOrder, shop: WooCommerce): Promise<number> {
  const query = { status: countedStatuses, exclude: order_id };
  if (customer_id > 0) return counted(shop, { ...query, customer: customer_id });
  const address = searchText(email);
  if (address === '') return 0;
  // The search finds every address that contains this one.
  const found = await allPages(shop, 'wc/v3/orders', { ...query, search: address, _fields: 'id,billing' });
  return found.filter((order) => searchText(String(asFields(asFields(order).billing).email)) === address).length;
}
