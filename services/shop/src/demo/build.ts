import { type Order, orderSchema } from '@order-automation/contracts';
import type { CustomerDocument } from '../builtin/customers';
import { type Product, productSchema } from '../builtin/products';
import { type DemoOrder, demoOrders } from './orders';
import { type DemoProduct, demoProducts, demoTerms } from './products';

const hour = 3_600_000;
const wholesale = 25;
const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
const termsOf = (slugs: readonly (keyof typeof demoTerms)[]) => slugs.map((slug) => ({ ...demoTerms[slug], slug }));

export function buildDemoProduct({ stock, price, categories, tags, ...product }: DemoProduct): Product {
  return productSchema.parse({
    ...product,
    slug: slugOf(product.name),
    price,
    regular_price: price,
    manage_stock: stock !== undefined,
    stock_quantity: stock ?? null,
    categories: termsOf(categories),
    tags: termsOf(tags ?? []),
  });
}

const methods = {
  card: { payment_method: 'gateway_card', payment_method_title: 'Card' },
  wallet: { payment_method: 'gateway_wallet', payment_method_title: 'Wallet' },
  bank: { payment_method: 'bacs', payment_method_title: 'Bank transfer' },
};
const paid = new Set(['processing', 'completed', 'refunded']);

/** Ids as the gateways give them, derived from the order's id: `pi_demo_1001`, `ch_demo_1001`, `WTX1001`. */
function paymentOf({ id, payment }: DemoOrder) {
  if (payment === 'wallet') return { transaction_id: `WTX${id}`, meta_data: [] };
  if (payment === 'bank') return { transaction_id: '', meta_data: [] };
  return {
    transaction_id: `ch_demo_${id}`,
    meta_data: [
      { id: id * 10 + 1, key: '_payment_intent_id', value: `pi_demo_${id}` },
      { id: id * 10 + 2, key: '_charge_id', value: `ch_demo_${id}` },
    ],
  };
}

/** The order as the shop keeps it; `now` is in milliseconds since the epoch. */
export function buildDemoOrder(demo: DemoOrder, now: number): Order {
  const { id, status, currency, total, lines, shipping, customer, address, payment, hoursAgo } = demo;
  const created = new Date(now - hoursAgo * hour).toISOString();
  const names = { first_name: customer.first, last_name: customer.last };
  const place = { address_1: address.street, city: address.city, postcode: address.postcode, country: address.country };
  const products = new Map(demoProducts.map((product) => [product.id, product]));
  return orderSchema.parse({
    id,
    number: String(id),
    status,
    currency,
    total,
    date_created: created,
    date_modified: created,
    status_since: created,
    date_paid: paid.has(status) ? created : null,
    date_completed: status === 'completed' ? created : null,
    customer_id: customer.id,
    ...methods[payment],
    ...paymentOf(demo),
    billing: { ...names, ...place, email: customer.email, phone: '' },
    shipping: { ...names, ...place },
    line_items: lines.map(([product, quantity, amount], index) => ({
      id: id * 10 + index,
      product_id: product,
      quantity,
      total: amount,
      name: products.get(product)?.name ?? '',
      sku: products.get(product)?.sku ?? '',
    })),
    shipping_lines: shipping ? [{ method_id: shipping[0], method_title: shipping[1], total: shipping[2] }] : [],
  });
}

/** The accounts that the orders name; one of them buys for resale. */
export function buildDemoCustomers(orders: readonly Order[]): CustomerDocument[] {
  const emails = new Map(orders.map(({ customer_id, billing }) => [customer_id, billing.email]));
  emails.delete(0);
  return [...emails].map(([_id, email]) => ({ _id, email, role: _id === wholesale ? 'wholesale' : 'customer' }));
}

export const buildDemoProducts = (): Product[] => demoProducts.map(buildDemoProduct);
export const buildDemoOrders = (now: number): Order[] => demoOrders.map((order) => buildDemoOrder(order, now));
