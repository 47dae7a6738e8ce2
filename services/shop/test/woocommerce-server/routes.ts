import { byName, counted, includesText, matching, paged, withFields } from './lists';
import { orderAnswer } from './order-routes';
import { type Call, type Fields, ok, problem, type Reply } from './replies';
import { roleNames, type ShopData } from './shop-data';
import { webhookAnswer } from './webhook-routes';

/** What WooCommerce answers, quirks included. */
export function answerOf(call: Call, data: ShopData): Reply {
  const reply = orderAnswer(call, data) ?? webhookAnswer(call, data) ?? catalogueAnswer(call, data);
  const isPoisoned = (item: unknown): boolean => data.poisoned.has(Number((item as Fields | null)?.id));
  if (/^wc\/v3\/(?:orders|products(?:$|\/\d))/.test(call.path) && [reply?.body].flat().some(isPoisoned))
    return problem(500, 'internal_server_error', 'There has been a critical error on this website.');
  return withFields(
    reply ?? problem(404, 'rest_no_route', 'No route was found matching the URL and request method.'),
    call,
  );
}

function catalogueAnswer({ method, path, query }: Call, data: ShopData): Reply | undefined {
  if (path === 'wc/v3/customers' && method === 'OPTIONS') return ok(customersDescribed);
  const [, parent] = /^wc\/v3\/products\/(\d+)\/variations$/.exec(path) ?? [];
  if (parent !== undefined) return variations(Number(parent), query, data);
  const [, zone] = /^wc\/v3\/shipping\/zones\/(\d+)\/methods$/.exec(path) ?? [];
  if (zone !== undefined) return counted(data.zones.find(({ id }) => id === Number(zone))?.methods ?? []);
  const [, resource, id] = /^wc\/v3\/(customers|products|settings\/general)\/(\w+)$/.exec(path) ?? [];
  const isList = path in lists;
  if (resource === undefined || isList) return method === 'GET' ? lists[path]?.(query, data) : undefined;
  const { items, code } = single(resource, String(id), data);
  const found = items.find((one) => String(one.id) === id);
  return found ? ok(found) : problem(404, code, 'Invalid ID.');
}

function single(resource: string, id: string, data: ShopData): { items: readonly Fields[]; code: string } {
  if (resource === 'customers')
    return { items: data.customers, code: id === '0' ? 'wc_user_invalid_id' : 'woocommerce_rest_invalid_id' };
  if (resource === 'products')
    return { items: [...data.products, ...data.variations], code: 'woocommerce_rest_product_invalid_id' };
  return { items: data.settings, code: 'rest_setting_setting_invalid' };
}

/** Below its product a variation is called by its attributes alone. */
function variations(parent: number, query: URLSearchParams, data: ShopData): Reply {
  const own = data.variations.filter(({ parent_id }) => parent_id === parent);
  return paged(
    own.map((one) => (data.belowProducts.find(({ id }) => id === one.id) as Fields | undefined) ?? one),
    query,
  );
}

type List = (query: URLSearchParams, data: ShopData) => Reply;

const lists: Readonly<Record<string, List>> = {
  'wc/v3/products': (query, data) => paged(products(query, data), query),
  'wc/v3/products/categories': (query, data) =>
    paged(matching(data.categories, query, ['name'], ['slug']).sort(byName), query),
  'wc/v3/products/tags': (query, data) => paged(matching(data.tags, query, ['name'], ['slug']).sort(byName), query),
  'wp/v2/posts': (query, data) =>
    paged(
      data.posts.filter(({ title }) => includesText([(title as Fields).rendered], query.get('search'))),
      query,
    ),
  'wc/v3/customers': (query, data) => {
    const role = query.get('role') ?? 'customer';
    const found = matching(data.customers, query, ['email'], ['email']);
    return paged(
      found.filter((one) => role === 'all' || one.role === role),
      query,
    );
  },
  'wc/v3/coupons': (query, data) =>
    paged(
      [...data.coupons].sort((one, other) => Number(other.id) - Number(one.id)),
      query,
    ),
  'wc/v3/payment_gateways': (_query, data) => counted(data.gateways),
  'wc/v3/shipping/zones': (_query, data) => counted(data.zones.map(({ id, name }, order) => ({ id, name, order }))),
  'wc/v3/shipping_methods': (_query, data) => counted(data.shippingMethods),
  'wc/v3/system_status': () => ok({ environment: { version: '11.0.1', wp_version: '7.1' } }),
  'wc/v3/reports/orders/totals': (_query, data) =>
    ok(
      Object.entries(data.statuses).map(([slug, name]) => ({
        slug,
        name,
        total: [...data.orders.values()].filter(({ status }) => status === slug).length,
      })),
    ),
};

/** What is in the trash is in no list. Variations come when a SKU is asked for, and not otherwise; a SKU is no text that `search` looks into. */
function products(query: URLSearchParams, data: ShopData): Fields[] {
  const newest = (items: readonly Fields[]) => [...items].sort((one, other) => Number(other.id) - Number(one.id));
  const [skus, part, inSku] = ['sku', 'search_name_or_sku', 'search_sku'].map((name) => query.get(name));
  const all = newest([...data.variations, ...data.products]);
  const inList = data.products.filter(({ status }) => status !== 'trash');
  if (part) return all.filter(({ name, sku }) => includesText([name, sku], part));
  if (inSku) return all.filter(({ sku }) => includesText([sku], inSku));
  if (skus) return all.filter(({ sku }) => skus.split(',').includes(String(sku)));
  return newest(matching(inList, query, ['name', 'description'], ['slug']));
}

const customersDescribed = {
  namespace: 'wc/v3',
  methods: ['GET', 'POST'],
  endpoints: [
    { methods: ['GET'], args: { role: { default: 'customer', type: 'string', enum: ['all', ...roleNames] } } },
    { methods: ['POST'], args: {} },
  ],
};
