import { isModifiedAfter, modifiedIn } from './dates';
import { type Fields, roleNames, type ShopData, type ShopOrder, statusNames } from './shop-data';

export type Call = {
  readonly method: string;
  /** Below `/wp-json/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Fields;
};
export type Reply = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

export const problem = (status: number, code: string, message: string, data: Fields = {}): Reply => ({
  status,
  body: { code, message, data: { status, ...data } },
});
const ok = (body: unknown, status = 200): Reply => ({ status, body });

/** What WooCommerce answers, quirks included: an unknown order is 404 to a read and 400 to a write. */
export function answerOf(call: Call, data: ShopData): Reply {
  const { method, path, query } = call;
  const [, id, part] = /^wc\/v3\/orders\/(\d+)(?:\/(notes|refunds))?$/.exec(path) ?? [];
  if (id !== undefined && part === 'notes') return orderNotes(Number(id), call, data);
  if (id !== undefined && part === 'refunds') return orderRefunds(Number(id), call, data);
  if (id !== undefined) return oneOrder(Number(id), call, data);
  if (path === 'wc/v3/customers' && method === 'OPTIONS') return ok(customersDescribed);
  const [, customer] = /^wc\/v3\/customers\/(\d+)$/.exec(path) ?? [];
  if (customer !== undefined) {
    const found = data.customers.find((one) => one.id === Number(customer));
    return found ? ok(found) : problem(404, 'woocommerce_rest_invalid_id', 'Invalid resource ID.');
  }
  const [, zone] = /^wc\/v3\/shipping\/zones\/(\d+)\/methods$/.exec(path) ?? [];
  if (zone !== undefined) return ok(data.zones.find(({ id }) => id === Number(zone))?.methods ?? []);
  const [, hook] = /^wc\/v3\/webhooks\/(\d+)$/.exec(path) ?? [];
  if (hook !== undefined) return oneWebhook(Number(hook), call, data);
  const [, parent] = /^wc\/v3\/products\/(\d+)\/variations$/.exec(path) ?? [];
  if (parent !== undefined)
    return paged(
      data.variations.filter(({ parent_id }) => parent_id === Number(parent)),
      query,
    );
  const [, product] = /^wc\/v3\/products\/(\d+)$/.exec(path) ?? [];
  if (product !== undefined) {
    const found = [...data.products, ...data.variations].find((one) => one.id === Number(product));
    return found ? ok(found) : problem(404, 'woocommerce_rest_product_invalid_id', 'Invalid ID.');
  }
  const list = method === 'GET' ? lists[path] : undefined;
  return list
    ? list(query, data)
    : problem(404, 'rest_no_route', 'No route was found matching the URL and request method.');
}

function oneOrder(id: number, { method, body }: Call, data: ShopData): Reply {
  const order = data.orders.get(id);
  const invalid = (status: number) => problem(status, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.');
  if (method === 'GET') return order ? ok(order) : invalid(404);
  if (!order) return invalid(400);
  if (method === 'DELETE') {
    const before = { ...order };
    data.trash(id);
    return ok(before);
  }
  const status = body.status;
  if (status !== undefined && !(String(status).replace(/^wc-/, '') in statusNames)) {
    const params = { status: `status is not one of ${Object.keys(statusNames).join(', ')}.` };
    return problem(400, 'rest_invalid_param', 'Invalid parameter(s): status', { params, details: {} });
  }
  return ok(
    data.putOrder(id, { ...body, ...(status === undefined ? {} : { status: String(status).replace(/^wc-/, '') }) }),
  );
}

function oneWebhook(id: number, { method, body }: Call, data: ShopData): Reply {
  const webhook = data.webhooks.find((one) => one.id === id);
  if (!webhook) return problem(method === 'GET' ? 404 : 400, 'woocommerce_rest_shop_webhook_invalid_id', 'Invalid ID.');
  if (method === 'PUT') Object.assign(webhook, body);
  return ok(webhook);
}

function orderNotes(id: number, { method, body }: Call, data: ShopData): Reply {
  if (!data.orders.has(id)) return problem(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid order ID.');
  if (method === 'GET') return ok(data.notesOf(id));
  if (typeof body.note !== 'string') return problem(400, 'rest_missing_callback_param', 'Missing parameter(s): note');
  return ok(data.addNote(id, body.note, body.customer_note === true, 'system'), 201);
}

function orderRefunds(id: number, { method, query, body }: Call, data: ShopData): Reply {
  if (!data.orders.has(id)) return problem(404, 'woocommerce_rest_invalid_order_id', 'Invalid order ID.');
  if (method === 'GET') return paged(data.refundsOf(id), query);
  const refund = data.addRefund(id, body);
  return refund
    ? ok(refund, 201)
    : problem(500, 'woocommerce_rest_cannot_create_order_refund', 'Invalid refund amount.');
}

type List = (query: URLSearchParams, data: ShopData) => Reply;

const lists: Readonly<Record<string, List>> = {
  'wc/v3/orders': (query, data) => {
    const statuses = (query.get('status') ?? 'any').split(',');
    const unknown = statuses.filter((one) => !['any', 'trash', ...Object.keys(statusNames)].includes(one));
    if (unknown.length > 0) return problem(400, 'rest_invalid_param', 'Invalid parameter(s): status');
    const isWanted = ({ status }: ShopOrder) =>
      statuses.includes(status) || (statuses.includes('any') && !['trash', 'checkout-draft'].includes(status));
    const customer = query.get('customer');
    const found = [...data.orders.values()]
      .filter(isWanted)
      .filter((order) => customer === null || String(order.customer_id) === customer)
      .filter((order) => includesText(searched(order), query.get('search')))
      .filter((order) => isModifiedAfter(order, query, data.site))
      .sort((a, b) => b.id - a.id);
    if (query.get('orderby') === 'modified')
      found.sort((a, b) => modifiedIn(a, data.site).localeCompare(modifiedIn(b, data.site)) || a.id - b.id);
    return paged(found, query);
  },
  'wc/v3/products': (query, data) => paged(products(query, data), query),
  'wc/v3/products/categories': (query, data) => paged(matching(data.categories, query, ['name'], ['slug']), query),
  'wc/v3/products/tags': (query, data) => paged(matching(data.tags, query, ['name'], ['slug']), query),
  'wp/v2/posts': (query, data) =>
    paged(
      data.posts.filter(({ title }) => includesText([(title as Fields).rendered], query.get('search'))),
      query,
    ),
  'wc/v3/webhooks': (query, data) => paged(data.webhooks, query),
  'wc/v3/payment_gateways': (_query, data) => ok(data.gateways),
  'wc/v3/shipping/zones': (_query, data) => ok(data.zones.map(({ id, name }, order) => ({ id, name, order }))),
  'wc/v3/shipping_methods': (_query, data) => ok(data.shippingMethods),
  'wc/v3/reports/orders/totals': (_query, data) =>
    ok(
      Object.entries(statusNames).map(([slug, name]) => ({
        slug,
        name,
        total: [...data.orders.values()].filter(({ status }) => status === slug).length,
      })),
    ),
};

/** Variations come when a SKU is asked for, and not otherwise; a SKU is no text that `search` looks into. */
function products(query: URLSearchParams, data: ShopData): Fields[] {
  const [sku, part] = [query.get('sku'), query.get('search_name_or_sku')];
  if (part !== null)
    return [...data.variations, ...data.products].filter(({ name, sku }) => includesText([name, sku], part));
  if (sku !== null) return [...data.variations, ...data.products].filter((one) => one.sku === sku);
  return matching(data.products, query, ['name', 'description'], ['slug']);
}

/** The address index of an order: an older WooCommerce looks into nothing else, above all not into transaction ids. */
function searched({ id, billing, shipping }: ShopOrder): unknown[] {
  const words = (fields: unknown) => Object.values(fields as Fields).join(' ');
  return [id, words(billing), words(shipping)];
}

const includesText = (texts: readonly unknown[], search: string | null): boolean =>
  search === null ||
  texts.some((text) =>
    String(text ?? '')
      .toLowerCase()
      .includes(search.toLowerCase()),
  );

function matching(items: readonly Fields[], query: URLSearchParams, texts: string[], exact: string[]): Fields[] {
  return items
    .filter((item) =>
      includesText(
        texts.map((name) => item[name]),
        query.get('search'),
      ),
    )
    .filter((item) => exact.every((name) => query.get(name) === null || String(item[name]) === query.get(name)));
}

function paged(items: readonly Fields[], query: URLSearchParams): Reply {
  const perPage = Number(query.get('per_page') ?? 10);
  if (!(perPage >= 1 && perPage <= 100)) {
    const params = { per_page: 'per_page must be between 1 (inclusive) and 100 (inclusive)' };
    return problem(400, 'rest_invalid_param', 'Invalid parameter(s): per_page', { params });
  }
  const listed = (name: string): string[] | undefined => query.get(name)?.split(',');
  const [include, exclude] = [listed('include'), listed('exclude')];
  const wanted = items.filter(({ id }) => (!include || include.includes(String(id))) && !exclude?.includes(String(id)));
  const start = Number(query.get('offset') ?? (Number(query.get('page') ?? 1) - 1) * perPage);
  const fields = listed('_fields');
  const shown = wanted
    .slice(start, start + perPage)
    .map((item) =>
      fields ? Object.fromEntries(Object.entries(item).filter(([name]) => fields.includes(name))) : item,
    );
  const total = { 'X-WP-Total': String(wanted.length), 'X-WP-TotalPages': String(Math.ceil(wanted.length / perPage)) };
  return { status: 200, body: shown, headers: total };
}

const customersDescribed = {
  namespace: 'wc/v3',
  methods: ['GET', 'POST'],
  endpoints: [
    { methods: ['GET'], args: { role: { default: 'customer', type: 'string', enum: ['all', ...roleNames] } } },
    { methods: ['POST'], args: {} },
  ],
};
