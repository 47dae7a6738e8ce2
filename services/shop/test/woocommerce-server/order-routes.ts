import { isListed, modifiedIn } from './dates';
import { includesText, paged } from './lists';
import { type Call, type Fields, ok, problem, type Reply } from './replies';
import type { ShopData, ShopOrder } from './shop-data';

const unknownOrder = (status: number): Reply =>
  problem(status, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.');

/** Of orders, their notes and their refunds; undefined when it is about something else. An unknown order is 404 to a read and 400 to a write. */
export function orderAnswer(call: Call, data: ShopData): Reply | undefined {
  const { method, path, body, query } = call;
  if (path === 'wc/v3/orders' && method === 'POST') return ok(data.createOrder(body), 201);
  if (path === 'wc/v3/orders/batch' && method === 'POST') return batch(call, data);
  if (path === 'wc/v3/orders' && method === 'GET') return orders(query, data);
  const [, id, part, note] = /^wc\/v3\/orders\/(\d+)(?:\/(notes|refunds)(?:\/(\d+))?)?$/.exec(path) ?? [];
  if (id === undefined) return undefined;
  if (part === 'notes') return orderNotes(Number(id), Number(note ?? 0), call, data);
  return part === 'refunds' ? orderRefunds(Number(id), call, data) : oneOrder(Number(id), call, data);
}

function oneOrder(id: number, { method, body, query }: Call, data: ShopData): Reply {
  const order = data.orders.get(id);
  if (method === 'GET') return order ? ok(order) : unknownOrder(404);
  if (!order) return unknownOrder(400);
  if (method === 'DELETE') {
    const before = { ...order };
    if (query.get('force') === 'true') data.orders.delete(id);
    else data.trash(id);
    return ok(before);
  }
  const status = body.status;
  if (status !== undefined && !(String(status) in data.statuses)) {
    const params = { status: `status is not one of ${Object.keys(data.statuses).join(', ')}.` };
    return problem(400, 'rest_invalid_param', 'Invalid parameter(s): status', { params, details: {} });
  }
  // Before https://github.com/woocommerce/woocommerce/pull/64050 a write made an order of a subscription.
  data.otherKinds.delete(id);
  return ok(data.putOrder(id, body));
}

function batch({ body, ...call }: Call, data: ShopData): Reply {
  const update = ((body.update ?? []) as Fields[]).map(({ id, ...fields }) => {
    const { status, body: shown } = oneOrder(Number(id), { ...call, method: 'PUT', body: fields }, data);
    return status < 300 ? shown : { id, error: shown };
  });
  return ok({ update });
}

function orderNotes(id: number, noteId: number, { method, body, query }: Call, data: ShopData): Reply {
  // class-wc-rest-order-notes-controller.php: of what is registered as another kind of order there are none.
  if (!data.orders.has(id) || data.otherKinds.has(id))
    return problem(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid order ID.');
  if (method === 'DELETE') {
    const note = data.notesOf(id).find((one) => one.id === noteId);
    data.removeNote(id, noteId);
    return note ? ok(note) : problem(404, 'woocommerce_rest_invalid_id', 'Invalid resource ID.');
  }
  if (method === 'GET') {
    const isInternal = query.get('type') === 'internal';
    return ok(data.notesOf(id).filter(({ customer_note }) => !isInternal || !customer_note));
  }
  if (typeof body.note !== 'string') return problem(400, 'rest_missing_callback_param', 'Missing parameter(s): note');
  // wp_insert_comment: the column takes no more.
  if (Buffer.byteLength(body.note) > 65_535 || (!data.features.takesEmoji && /[\ud800-\udfff]/.test(body.note)))
    return problem(500, 'woocommerce_api_cannot_create_order_note', 'Cannot create order note, please try again.');
  const note = data.addNote(id, body.note, body.customer_note === true);
  if (note.customer_note) data.addNote(id, 'Email "Customer note" sent.', false);
  return ok(note, 201);
}

/** A refund that is refused is a 500 whose data is a bare number. */
function orderRefunds(id: number, { method, query, body }: Call, data: ShopData): Reply {
  if (method === 'GET') return paged(data.refundsOf(id), query);
  const refuse = (code: string, message: string, number: number): Reply => ({
    status: 500,
    body: { code, message, data: number },
  });
  const order = data.orders.get(id);
  if (!order) return refuse('woocommerce_rest_invalid_order_id', 'Invalid order ID.', 404);
  if (Number(body.amount ?? 0) < 0)
    return refuse('woocommerce_rest_invalid_order_refund', 'Refund amount must be greater than zero.', 400);
  const isPossible = body.api_refund === false || data.refundingGateways.includes(String(order.payment_method));
  const refund = isPossible ? data.addRefund(id, body) : undefined;
  return refund
    ? ok(refund, 201)
    : refuse('woocommerce_rest_cannot_create_order_refund', 'Invalid refund amount.', 500);
}

function orders(query: URLSearchParams, data: ShopData): Reply {
  const statuses = (query.get('status') ?? 'any').split(',');
  const unknown = statuses.filter((one) => !['any', 'trash', ...Object.keys(data.statuses)].includes(one));
  if (unknown.length > 0)
    return problem(400, 'rest_invalid_param', 'Invalid parameter(s): status', { params: { status: 'is unknown' } });
  const hidden = ['trash', 'checkout-draft', ...data.hiddenFromAny];
  const isWanted = ({ status }: ShopOrder) =>
    statuses.includes('any') ? status in data.statuses && !hidden.includes(status) : statuses.includes(status);
  const [customer, product] = [query.get('customer'), query.get('product')];
  const has = ({ line_items }: ShopOrder) =>
    (line_items as Fields[]).some(({ product_id }) => String(product_id) === product);
  const found = [...data.orders.values()]
    .filter(({ id }) => !data.otherKinds.has(id))
    .filter(isWanted)
    .filter((order) => customer === null || String(order.customer_id) === customer)
    .filter((order) => product === null || has(order))
    .filter((order) => includesText(searched(order, data.features.searchesTransactions), query.get('search')))
    .filter((order) => isListed(order, query, data.site))
    .sort((a, b) => b.id - a.id);
  // Rows of the same time have another order on each page (dev.mysql.com/doc/refman/8.4/en/limit-optimization.html).
  const offset = Number(query.get('offset') ?? 0);
  const byChance = (a: ShopOrder, b: ShopOrder) => (a.id ^ offset) - (b.id ^ offset);
  if (query.get('orderby') === 'modified')
    found.sort((a, b) => modifiedIn(a, data.site).localeCompare(modifiedIn(b, data.site)) || byChance(a, b));
  if (query.get('orderby') === 'id' && query.get('order') === 'asc') found.reverse();
  const reply = paged(found, query);
  return data.features.countsOrders ? reply : { ...reply, headers: { 'X-WP-Total': '0', 'X-WP-TotalPages': '0' } };
}

/** The address index of an order; WooCommerce 11 looks into transaction ids too, an older one does not. */
function searched({ id, billing, shipping, transaction_id }: ShopOrder, withTransaction: boolean): unknown[] {
  const words = (fields: unknown) => Object.values(fields as Fields).join(' ');
  return [id, words(billing), words(shipping), ...(withTransaction ? [transaction_id] : [])];
}
