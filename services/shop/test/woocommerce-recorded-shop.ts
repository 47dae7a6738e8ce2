import { answered } from './woocommerce-recorded';
import type { WooCommerceServer } from './woocommerce-server';

type Fields = Record<string, unknown>;
const listed = (name: string): Fields[] => answered(name) as Fields[];
const one = (name: string): Fields => answered(name) as Fields;

const statuses = (): [string, number][] => [
  ['pending', 33],
  ['processing', 12],
  ['on-hold', 1],
  ['completed', 296],
  ['cancelled', 1],
  ['refunded', 2],
  ['awaiting-pickup', 1],
];

/** The catalogue, the settings and the 346 orders that the shop of the recording had at its first request. */
export function recordedShop(server: WooCommerceServer): void {
  const full = ['product', 'product with variations', 'a variation as a product'].map(one);
  const short = [...listed('products: status any'), ...listed('products: search_name_or_sku')];
  const all: Fields[] = short.map((product) => ({
    ...product,
    ...full.find(({ id }) => id === product.id),
    price: prices[Number(product.id)],
  }));
  server.products.push(...all.filter(({ type }) => type !== 'variation').map(shownProduct));
  server.variations.push(...all.filter(({ type }) => type === 'variation').map(shownProduct));
  server.belowProducts.push(...listed('its variations'));
  server.coupons.push(...listed('coupons'));
  server.categories.push(...listed('categories'));
  server.tags.push(...listed('tags'));
  server.customers.push(one('customer'), { id: 5, email: 'sub@example.com', role: 'subscriber' });
  server.gateways.push(...listed('payment gateways'));
  server.refundingGateways.push('oa_card');
  server.shippingMethods.push(...listed('kinds of shipping'));
  server.zones.push(
    ...listed('zones').map(({ id, name }) => ({
      id: Number(id),
      name: String(name),
      methods: id === 1 ? listed('methods of zone 1') : [],
    })),
  );
  server.settings.push(one('currency'), one('decimals'));
  server.posts.push(...listed('posts'));
  server.features.searchesTransactions = true;
  for (const name of Object.keys(server.statuses)) delete server.statuses[name];
  for (const { slug, name } of listed('statuses')) server.statuses[String(slug)] = String(name);
  addOrders(server);
  server.counters.orders = 383;
}

const prices: Readonly<Record<number, string>> = { 10: '20', 11: '49', 12: '9.99', 18: '8', 19: '12', 20: '8' };

/** A product keeps the order of its own fields where all of them are recorded. */
const shownProduct = (product: Fields): Fields => {
  const full = ['product', 'product with variations', 'a variation as a product'].map(one);
  return full.find(({ id }) => id === product.id) ?? plugin(product);
};

/** The fields of a product of a plugin are asked for in this order. */
const plugin = ({ id, name, sku, type, slug, status, parent_id, price }: Fields): Fields => ({
  ...{ id, name, slug, type, status, sku, price },
  ...{ virtual: false, downloadable: false, parent_id },
});

function addOrders(server: WooCommerceServer): void {
  const known = new Map<number, Fields>([
    [383, { status: 'completed' }],
    [315, { status: 'processing', billing: { last_name: 'Müller' }, line_items: [{ product_id: 11 }] }],
    [35, { status: 'processing', billing: { last_name: 'Müller' } }],
    ...[30, 31, 32].map((id) => [id, { status: 'completed', line_items: [{ product_id: 11 }] }] as const),
  ]);
  const left = statuses().flatMap(([status, count]) => {
    const taken = [...known.values()].filter((fields) => fields.status === status).length;
    return Array.from({ length: count - taken }, () => status);
  });
  const ids = [...Array.from({ length: 345 }, (_, at) => 25 + at), 383];
  for (const id of ids) server.putOrder(id, known.get(id) ?? { status: left.pop() });
}

/** What happened in the shop between two requests. */
export function beforeRequest(name: string, server: WooCommerceServer): void {
  const put = (recordedAs: string, fields: Fields = {}) => {
    const order = one(recordedAs);
    server.orders.set(Number(order.id), { ...server.putOrder(Number(order.id), {}), ...order, ...fields } as never);
  };
  const pending = { status: 'pending', date_paid: null, date_paid_gmt: null };
  if (name === 'refund by a gateway that cannot')
    put('the order after the rest', { status: 'processing', refunds: [] });
  if (name === 'a batch of two') {
    const [order] = (one('a batch of two') as { update: Fields[] }).update;
    server.putOrder(392, {});
    server.orders.set(392, { ...order, ...pending } as never);
  }
  if (name === 'a draft of the checkout') put(name);
  if (name === 'the draft placed') server.putOrder(393, { status: 'pending' });
  if (/^(yen|dinar|4 decimals)/.test(name)) put(name);
  if (name === 'to the trash' || name === 'away for ever') put(name);
  if (name === 'an item whose product is gone') {
    server.putOrder(400, { billing: { email: 'ada@example.com' } });
    put(name);
  }
}
