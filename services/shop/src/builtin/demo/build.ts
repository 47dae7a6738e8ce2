import { type Order, orderSchema } from '@order-automation/contracts';
import { type Product, productSchema } from '../products';
import { type RecordOf, recordSchemas, slugOf } from '../record-types';
import { type DemoOrder, demoOrders } from './orders';
import { type DemoProduct, demoCategories, demoProducts, demoTags } from './products';
import { demoVariations } from './variations';

const hour = 3_600_000;
const wholesale = 25;

const categoriesOf = (slugs: readonly (keyof typeof demoCategories)[]) =>
  slugs.map((slug) => ({ id: demoCategories[slug].id, name: demoCategories[slug].name, slug }));
const tagsOf = (slugs: readonly (keyof typeof demoTags)[]) => slugs.map((slug) => ({ ...demoTags[slug], slug }));

export function buildDemoProduct({ stock, price, categories, tags, ...product }: DemoProduct): Product {
  return productSchema.parse({
    ...product,
    slug: slugOf(product.name),
    price,
    regular_price: price,
    manage_stock: stock !== undefined,
    stock_quantity: stock ?? null,
    categories: categoriesOf(categories),
    tags: tagsOf(tags ?? []),
    variations: demoVariations.filter(({ parent_id }) => parent_id === product.id).map(({ id }) => id),
  });
}

function buildDemoVariation({ price, ...variation }: (typeof demoVariations)[number]): Product {
  const stock = 'stock' in variation ? variation.stock : undefined;
  return productSchema.parse({
    ...variation,
    slug: slugOf(variation.name),
    type: 'variation',
    price,
    regular_price: price,
    manage_stock: stock !== undefined,
    stock_quantity: stock ?? null,
  });
}

const methods = {
  card: { payment_method: 'gateway_card', payment_method_title: 'Card' },
  wallet: { payment_method: 'gateway_wallet', payment_method_title: 'Wallet' },
  cash: { payment_method: 'cod', payment_method_title: 'Cash on delivery' },
  bank: { payment_method: 'bacs', payment_method_title: 'Bank transfer' },
};
const paid = new Set(['processing', 'completed', 'refunded']);

/** Ids as the gateways give them, derived from the order's id: `pi_demo_1001`, `ch_demo_1001`, `WTX1001`. */
function paymentOf({ id, payment }: DemoOrder) {
  if (payment === 'wallet') return { transaction_id: `WTX${id}`, meta_data: [] };
  if (payment === 'bank' || payment === 'cash') return { transaction_id: '', meta_data: [] };
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
  const { id, status, currency, total, lines, shipping, customer, address, payment, hoursAgo, coupon, refunds } = demo;
  const created = new Date(now - hoursAgo * hour).toISOString();
  const names = { first_name: customer.first, last_name: customer.last };
  const place = { address_1: address.street, city: address.city, postcode: address.postcode, country: address.country };
  const products = new Map([...demoProducts, ...demoVariations].map((product) => [product.id, product]));
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
      product_id: parentOf(product) ?? product,
      variation_id: parentOf(product) === undefined ? 0 : product,
      quantity,
      total: amount,
      name: products.get(product)?.name ?? '',
      sku: products.get(product)?.sku ?? '',
    })),
    ...(coupon === undefined ? {} : { coupon_lines: [{ id: id * 10 + 8, code: coupon }] }),
    ...(refunds === undefined ? {} : { refunds: refunds.map((refund, index) => ({ id: id * 10 + index, ...refund })) }),
    shipping_lines: shipping ? [{ method_id: shipping[0], method_title: shipping[1], total: shipping[2] }] : [],
  });
}

const parentOf = (id: number): number | undefined => demoVariations.find((variation) => variation.id === id)?.parent_id;

/** The accounts that the orders name; one of them buys for resale. */
export function buildDemoCustomers(orders: readonly Order[]): RecordOf<'customer'>[] {
  const named = new Map(orders.filter(({ customer_id }) => customer_id > 0).map((order) => [order.customer_id, order]));
  return [...named].map(([id, { billing }]) =>
    recordSchemas.customer.parse({
      id,
      email: billing.email,
      first_name: billing.first_name,
      last_name: billing.last_name,
      username: billing.email.split('@')[0],
      role: id === wholesale ? 'wholesale' : 'customer',
      billing,
    }),
  );
}

export function buildDemoCategories(): RecordOf<'category'>[] {
  const ids = new Map(Object.entries(demoCategories).map(([slug, { id }]) => [slug, id]));
  return Object.entries(demoCategories).map(([slug, category]) =>
    recordSchemas.category.parse({
      ...category,
      slug,
      parent: 'parent' in category ? ids.get(category.parent) : 0,
    }),
  );
}

export const buildDemoTags = (): RecordOf<'tag'>[] =>
  Object.entries(demoTags).map(([slug, tag]) => recordSchemas.tag.parse({ ...tag, slug }));
export const buildDemoProducts = (): Product[] => [
  ...demoProducts.map(buildDemoProduct),
  ...demoVariations.map(buildDemoVariation),
];
export const buildDemoOrders = (now: number): Order[] => demoOrders.map((order) => buildDemoOrder(order, now));
