import type { Answer, CustomerFacts, CustomerOfOrder } from '@order-automation/contracts';
import { searchText, wordKey } from '../orders/order-lookup';
import type { BuiltinParts } from './parts';

/** Orders that count (decisions.md section 4, `customer_order_count`). */
const counted = ['processing', 'completed'];

/** Role and number of other orders of the customers of orders: by customer id, else by billing e-mail. */
export const customerFacts: Answer<'shop.customer.facts.v1', BuiltinParts> = async ({ customers: asked }, deps) => {
  const ids = [...new Set(asked.map(({ customer_id }) => customer_id).filter((id) => id > 0))];
  const accounts = await deps.records.byIds('customer', ids);
  const roles = new Map(accounts.map(({ id, role }) => [id, role]));
  const facts = asked.map(async (customer): Promise<CustomerFacts> => {
    const order_count = await otherOrders(customer, deps);
    return { role: customer.customer_id > 0 ? (roles.get(customer.customer_id) ?? 'customer') : 'guest', order_count };
  });
  return { facts: await Promise.all(facts) };
};

/** Every order has its e-mail address among the words by which it is found. */
async function otherOrders(
  { order_id, customer_id, email }: CustomerOfOrder,
  { orders }: BuiltinParts,
): Promise<number> {
  if (customer_id > 0) {
    const [all, itself] = await Promise.all([
      orders.countOfCustomer(customer_id, counted),
      orders.countAmong([order_id], counted),
    ]);
    return Math.max(0, all - itself);
  }
  const address = searchText(email);
  return address === '' ? 0 : orders.countOthersWith(wordKey(address), order_id, counted);
}
