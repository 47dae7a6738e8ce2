import type { Clock } from '@order-automation/service';
import type { Counters } from '../builtin/counters';
import type { Customers } from '../builtin/customers';
import type { OrderKeys } from '../builtin/order-keys';
import { keysOf } from '../builtin/order-lookup';
import type { Orders } from '../builtin/orders';
import type { Posts } from '../builtin/posts';
import type { Products } from '../builtin/products';
import { type Terms, termsOf } from '../builtin/terms';
import type { Telemetry } from '../telemetry';
import { buildDemoCustomers, buildDemoOrders, buildDemoProducts } from './build';
import { demoPosts } from './posts';

type SeedDeps = {
  readonly orders: Orders;
  readonly keys: OrderKeys;
  readonly products: Products;
  readonly terms: Terms;
  readonly customers: Customers;
  readonly posts: Posts;
  readonly counters: Counters;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
};

const begun = 'demo_shop_begun';
const done = 'demo_shop_done';

/**
 * Seeds the demonstration shop into an empty shop, once in its life. A crash half way is continued by the next start, two instances
 * may do it at once: everything is inserted by id and what is there already is left alone.
 */
export async function seedDemoShop({
  orders,
  keys,
  products,
  terms,
  customers,
  posts,
  counters,
  telemetry,
  clock,
}: SeedDeps): Promise<void> {
  if (await counters.isMarked(done)) return;
  if (!(await counters.isMarked(begun))) {
    const isEmpty = (await products.isEmpty()) && (await orders.page(undefined, 0, 1)).length === 0;
    if (!isEmpty) return;
    await counters.mark(begun);
  }
  const demoProducts = buildDemoProducts();
  const demoOrders = buildDemoOrders(clock.now());
  await customers.insertNew(buildDemoCustomers(demoOrders));
  await terms.insertNew(termsOf(demoProducts));
  await posts.insertNew(demoPosts);
  await products.insertNew(demoProducts);
  await counters.productsChanged();
  await keys.add(demoOrders.flatMap((order) => keysOf(order).map((key) => ({ key, order_id: order.id }))));
  await orders.insertNew(
    demoOrders.map((order) => ({
      _id: order.id,
      rev: 1,
      order,
      applied: [],
      archived: 0,
      outbox: [],
      entries: [],
      stock: { state: 'untouched', items: [] },
      attempt: 0,
    })),
  );
  await counters.mark(done);
  telemetry.seeded(demoOrders.length, demoProducts.length);
}
