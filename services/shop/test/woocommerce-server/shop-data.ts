/** What a WooCommerce shop of the tests holds, and how WooCommerce changes it. */
import { dated as datedIn, type Site } from './dates';

export type Fields = Record<string, unknown>;
export type Meta = { id: number; key: string; value: unknown };
export type ShopNote = Fields & { id: number; note: string; customer_note: boolean };
export type ShopOrder = Fields & { id: number; number: string; status: string; meta_data: Meta[] };

/** `emails` and `stock`: what the shop does by itself when a status changes. */
export type Transition = { readonly order_id: number; readonly from: string; readonly to: string };

export type ShopData = ReturnType<typeof shopData>;

const paid = ['processing', 'completed'];

export const statusNames: Readonly<Record<string, string>> = {
  pending: 'Pending payment',
  processing: 'Processing',
  'on-hold': 'On hold',
  completed: 'Completed',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  failed: 'Failed',
  'checkout-draft': 'Draft',
  'ready-to-ship': 'Ready to ship',
};

export const roleNames = ['administrator', 'editor', 'customer', 'shop_manager', 'wholesale_buyer'];

const cents = (text: unknown): number => Math.round(Number(text) * 100);

export function shopData(now: () => number = Date.now, site: Site = { zone: '+02:00', tables: 'new' }) {
  const dated = (name: string, at: number): Fields => datedIn(name, at, site);
  const orders = new Map<number, ShopOrder>();
  const notes = new Map<number, ShopNote[]>();
  const refunds = new Map<number, Fields[]>();
  const transitions: Transition[] = [];
  let ids = 1_000;
  const nextId = (): number => {
    ids += 1;
    return ids;
  };

  const addNote = (orderId: number, note: string, customer_note: boolean, author = 'WooCommerce'): ShopNote => {
    const added = { id: nextId(), author, ...dated('date_created', now()), note: keptNote(note), customer_note };
    notes.set(orderId, [added, ...(notes.get(orderId) ?? [])]);
    return added;
  };

  const setMeta = (order: ShopOrder, { id, key, value }: Fields): void => {
    const named = order.meta_data.filter((meta) => meta.key === key);
    const meta = typeof id === 'number' && id > 0 ? order.meta_data.find((one) => one.id === id) : named[0];
    // By name: the first gets the value, the others of that name go (WC_Data::update_meta_data).
    if (id === undefined) order.meta_data = order.meta_data.filter((one) => one === meta || one.key !== key);
    if (meta) Object.assign(meta, { key, value });
    else order.meta_data.push({ id: nextId(), key: String(key), value });
  };

  const setStatus = (order: ShopOrder, to: string): void => {
    const from = order.status;
    if (from === to) return;
    order.status = to;
    if (paid.includes(to) && !order.date_paid_gmt) Object.assign(order, dated('date_paid', now()));
    if (to === 'completed') Object.assign(order, dated('date_completed', now()));
    transitions.push({ order_id: order.id, from, to });
    addNote(order.id, `Order status changed from ${statusNames[from]} to ${statusNames[to]}.`, false);
  };

  /** Creates or changes an order, as WooCommerce's own screens do. */
  const putOrder = (id: number, fields: Fields): ShopOrder => {
    const { status, meta_data = [], billing, shipping, ...rest } = fields;
    const order = orders.get(id) ?? newOrder(id, { ...dated('date_created', now()), ...dated('date_modified', now()) });
    const isNew = !orders.has(id);
    orders.set(id, order);
    Object.assign(order, rest, dated('date_modified', now()));
    order.billing = { ...(order.billing as Fields), ...(billing as Fields) };
    order.shipping = { ...(order.shipping as Fields), ...(shipping as Fields) };
    for (const meta of meta_data as Fields[]) setMeta(order, meta);
    if (typeof status === 'string') {
      if (isNew) order.status = status;
      else setStatus(order, status);
    }
    return order;
  };

  /** As wc_create_refund does: never more than is left, and an order that is refunded as a whole enters `refunded`. Undefined when it is refused. */
  const addRefund = (orderId: number, { amount, reason = '', line_items = [], meta_data = [] }: Fields) => {
    const order = orders.get(orderId);
    if (!order) return undefined;
    const before = refunds.get(orderId) ?? [];
    const left = cents(order.total) - before.reduce((sum, refund) => sum + cents(refund.amount), 0);
    if (!(cents(amount) > 0 && cents(amount) <= left)) return undefined;
    const meta = (meta_data as Fields[]).map((one) => ({ id: nextId(), key: one.key, value: one.value }));
    const lines = (line_items as Fields[]).map((line) => ({
      id: nextId(),
      name: (order.line_items as Fields[]).find(({ id }) => id === line.id)?.name ?? '',
      quantity: -Number(line.quantity ?? 0),
      total: `-${line.refund_total}`,
      meta_data: [{ id: nextId(), key: '_refunded_item_id', value: String(line.id) }],
    }));
    const dates = dated('date_created', now());
    const given = { amount: (cents(amount) / 100).toFixed(2), reason, refunded_by: 1, refunded_payment: false };
    const refund: Fields = { id: nextId(), parent_id: orderId, ...dates, ...given, meta_data: meta, line_items: lines };
    refunds.set(orderId, [refund, ...before]);
    order.refunds = [{ id: refund.id, reason, total: `-${refund.amount}` }, ...(order.refunds as Fields[])];
    if (cents(amount) === left) setStatus(order, 'refunded');
    Object.assign(order, dated('date_modified', now()));
    return refund;
  };

  return {
    site,
    orders,
    notes,
    /** Every change of status, in order; each made the shop send its mails and move its stock. */
    transitions,
    products: [] as Fields[],
    /** Shown by their ids alone. */
    variations: [] as Fields[],
    categories: [] as Fields[],
    tags: [] as Fields[],
    posts: [] as Fields[],
    customers: [] as Fields[],
    gateways: [] as Fields[],
    shippingMethods: [] as Fields[],
    zones: [] as { id: number; name: string; methods: Fields[] }[],
    webhooks: [] as (Fields & { id: number })[],
    addNote,
    /** As a clerk moves an order to the trash: no list has it any more but that of the trash. */
    trash: (id: number): void => {
      const order = orders.get(id);
      if (order) Object.assign(order, { status: 'trash' }, dated('date_modified', now()));
    },
    putOrder,
    addRefund,
    refundsOf: (id: number): Fields[] => refunds.get(id) ?? [],
    notesOf: (id: number): ShopNote[] => notes.get(id) ?? [],
  };
}

/** What WordPress keeps of a note: one backslash less, no unknown tags, ampersands as entities. */
export function keptNote(text: string): string {
  return text
    .replace(/\\(.?)/gs, '$1')
    .replace(/&(?!(?:[a-z][a-z0-9]*|#\d+|#x[0-9a-f]+);)/gi, '&amp;')
    .replace(/<(?!!--)[^>]*>?/g, (tag) =>
      /^<\/?(a|b|strong|em|i|br|p|code|blockquote|del|s|q|cite|abbr)\b/i.test(tag) ? tag : '',
    );
}

const address = {
  first_name: '',
  last_name: '',
  company: '',
  address_1: '',
  address_2: '',
  city: '',
  state: '',
  postcode: '',
  country: '',
};

function newOrder(id: number, dates: Fields): ShopOrder {
  return {
    id,
    parent_id: 0,
    number: String(id),
    order_key: `wc_order_${id}`,
    created_via: 'checkout',
    version: '9.8.5',
    status: 'pending',
    currency: 'USD',
    ...dates,
    discount_total: '0.00',
    total: '49.00',
    total_tax: '0.00',
    prices_include_tax: false,
    customer_id: 0,
    customer_note: '',
    billing: { ...address, email: '', phone: '' },
    shipping: { ...address, phone: '' },
    payment_method: '',
    payment_method_title: '',
    transaction_id: '',
    date_paid: null,
    date_paid_gmt: null,
    date_completed: null,
    date_completed_gmt: null,
    cart_hash: '',
    meta_data: [],
    line_items: [],
    tax_lines: [],
    shipping_lines: [],
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
    currency_symbol: '$',
    _links: { self: [{ href: `https://shop.example/wp-json/wc/v3/orders/${id}` }] },
  };
}
