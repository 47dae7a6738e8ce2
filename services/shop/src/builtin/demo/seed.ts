import type { Clock } from '@order-automation/service';
import type { OrderKeys } from '../../orders/order-keys';
import { keysOf } from '../../orders/order-lookup';
import type { Telemetry } from '../../telemetry';
import type { Counters } from '../counters';
import type { Orders } from '../orders';
import type { Products } from '../products';
import type { Records } from '../records';
import { newOrderDocument } from '../save';
import type { SiteRecords } from '../site-records';
import { buildDemoCategories, buildDemoCustomers, buildDemoOrders, buildDemoProducts, buildDemoTags } from './build';
import { demoPosts } from './posts';
import { demoOrderStatuses, demoShippingMethods } from './site';

type SeedDeps = {
  readonly orders: Orders;
  readonly keys: OrderKeys;
  readonly products: Products;
  readonly records: Records;
  readonly site: SiteRecords;
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
  records,
  site,
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
  for (const status of demoOrderStatuses) await site.put('order_status', status);
  for (const method of demoShippingMethods) await site.put('shipping_method', method);
  await records.insertNew('customer', buildDemoCustomers(demoOrders));
  await records.insertNew('category', buildDemoCategories());
  await records.insertNew('tag', buildDemoTags());
  await records.insertNew('post', [...demoPosts]);
  await products.insertNew(demoProducts);
  await counters.productsChanged();
  await keys.add(demoOrders.flatMap((order) => keysOf(order).map((key) => ({ key, order_id: order.id }))));
  await orders.insertNew(demoOrders.map(newOrderDocument));
  await counters.mark(done);
  telemetry.seeded(demoOrders.length, demoProducts.length);
}
