/** What a WooCommerce shop of the tests holds, and how WooCommerce changes it. */
import { dated as datedIn, type Site } from './dates';
import type { Due } from './deliveries';
import { keptNote } from './kept-note';
import { newExtras, newLine, newOrder, statusFlags } from './new-order';
import type { Fields } from './replies';
import { trashOf } from './trash';

export type Meta = { id: number; key: string; value: unknown };
export type ShopNote = Fields & { id: number; note: string; customer_note: boolean };
export type ShopOrder = Fields & { id: number; number: string; status: string; meta_data: Meta[] };

/** `emails` and `stock`: what the shop does by itself when a status changes. */
export type Transition = { readonly order_id: number; readonly from: string; readonly to: string };

export type ShopData = ReturnType<typeof shopData>;

const paid = ['processing', 'completed'];

const statusNames: Readonly<Record<string, string>> = {
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

/** Tables of orders are read without ORDER BY (CustomMetaDataStore): rows come as their index has them, by key and then by value. */
const byIndex = (one: Meta, other: Meta): number =>
  one.key.localeCompare(other.key) || textOf(one.value).localeCompare(textOf(other.value)) || one.id - other.id;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const cents = (text: unknown): number => Math.round(Number(text) * 100);

export function shopData(now: () => number = Date.now, site: Site = { zone: '+02:00', tables: 'new' }) {
  const dated = (name: string, at: number): Fields => datedIn(name, at, site);
  const orders = new Map<number, ShopOrder>();
  const statuses: Record<string, string> = { ...statusNames };
  /** What WooCommerce 11 does and older ones do not, what a plugin takes away, and what databases of before 2015 do not take (utf8mb3). */
  const features = { searchesTransactions: false, countsOrders: true, takesEmoji: true };
  const lists = {
    products: [] as Fields[],
    /** Shown by their ids, by their SKUs, and below their products. */
    variations: [] as Fields[],
    coupons: [] as Fields[],
  };
  const notes = new Map<number, ShopNote[]>();
  const refunds = new Map<number, Fields[]>();
  const transitions: Transition[] = [];
  const due: Due[] = [];
  const happened = (topic: string, order: number): void => {
    const isDue = due.some((one) => 'topic' in one && one.topic === topic && one.order === order);
    if (!isDue) due.push({ topic, order });
  };
  /** The last ids that were given: orders and refunds share theirs. */
  const counters = { orders: 1_000, others: 1_000 };
  const nextId = (): number => {
    counters.others += 1;
    return counters.others;
  };
  const nextOrderId = (): number => {
    counters.orders += 1;
    return counters.orders;
  };

  const addNote = (orderId: number, note: string, customer_note: boolean, author = 'WooCommerce'): ShopNote => {
    const added = { id: nextId(), author, ...dated('date_created', now()), note: keptNote(note), customer_note };
    notes.set(orderId, [added, ...(notes.get(orderId) ?? [])]);
    return added;
  };

  const setMeta = (order: ShopOrder, { id, key, value }: Fields): void => {
    if (key === undefined || !fitsColumn(value)) return;
    if (value === null) {
      order.meta_data = order.meta_data.filter((one) => one.id !== id && (id !== undefined || one.key !== key));
      return;
    }
    const named = order.meta_data.filter((meta) => meta.key === key);
    const meta = typeof id === 'number' && id > 0 ? order.meta_data.find((one) => one.id === id) : named[0];
    // By name: the first gets the value, the others of that name go (WC_Data::update_meta_data).
    if (id === undefined) order.meta_data = order.meta_data.filter((one) => one === meta || one.key !== key);
    if (meta) Object.assign(meta, { key, value });
    else order.meta_data.push({ id: nextId(), key: String(key), value });
    if (site.tables === 'new') order.meta_data.sort(byIndex);
  };

  /** wpdb::process_fields: what a column does not take is not written, and the answer says nothing of it. */
  const fitsColumn = (value: unknown): boolean => features.takesEmoji || !/[\ud800-\udfff]/.test(textOf(value ?? ''));

  /** The column takes 20 characters, `wc-` among them: tables of orders cut what is longer, and a post stays as it was. */
  const inColumn = (status: string): string => `wc-${status}`.slice(3, 20);

  const setStatus = (order: ShopOrder, to: string): void => {
    const from = order.status;
    if (from === to) return;
    if (inColumn(to) !== to && site.tables === 'old') return;
    order.status = inColumn(to);
    if (paid.includes(to) && !order.date_paid_gmt) Object.assign(order, dated('date_paid', now()));
    if (to === 'completed') Object.assign(order, dated('date_completed', now()));
    transitions.push({ order_id: order.id, from, to });
    addNote(order.id, `Order status changed from ${statuses[from]} to ${statuses[to]}.`, false);
  };

  /** `set_paid`, as WC_Order::payment_complete: notes about the payment and the e-mails, none about the status. */
  const pay = (order: ShopOrder): void => {
    if (!['pending', 'on-hold', 'failed', 'cancelled', 'checkout-draft'].includes(order.status)) return;
    const [from, transaction] = [order.status, order.transaction_id ? ` (${order.transaction_id})` : ''];
    Object.assign(order, { status: 'processing' }, dated('date_paid', now()));
    transitions.push({ order_id: order.id, from, to: order.status });
    addNote(order.id, `Payment via ${order.payment_method_title}${transaction}.`, false);
    for (const mail of ['New order', 'Processing order']) addNote(order.id, `Email "${mail}" sent.`, false);
  };

  /** Creates or changes an order, as WooCommerce's own screens do. */
  const putOrder = (id: number, fields: Fields): ShopOrder => {
    const { status, set_paid, meta_data = [], billing, shipping, ...rest } = fields;
    const order = orders.get(id) ?? newOrder(id, { ...dated('date_created', now()), ...dated('date_modified', now()) });
    const isNew = !orders.has(id);
    const wasDraft = isNew || order.status === 'checkout-draft';
    orders.set(id, order);
    Object.assign(order, rest, dated('date_modified', now()));
    order.billing = { ...(order.billing as Fields), ...(billing as Fields) };
    order.shipping = { ...(order.shipping as Fields), ...(shipping as Fields) };
    for (const meta of meta_data as Fields[]) setMeta(order, meta);
    if (typeof status === 'string') {
      if (isNew) order.status = inColumn(status);
      else setStatus(order, status);
      if (status === 'refunded') refundRest(order);
    }
    if (set_paid === true) pay(order);
    // A draft is created when it is placed.
    if (wasDraft && order.status !== 'checkout-draft') happened('order.created', id);
    happened('order.updated', id);
    return Object.assign(order, statusFlags(order));
  };

  /** An order that a program makes: its lines are priced by the shop. */
  const createOrder = ({
    line_items = [],
    coupon_lines = [],
    shipping_lines,
    fee_lines,
    ...fields
  }: Fields): ShopOrder => {
    const coupons = lists.coupons.filter(({ code }) => (coupon_lines as Fields[]).some((one) => one.code === code));
    const percent = coupons.reduce((sum, one) => sum + (one.discount_type === 'percent' ? Number(one.amount) : 0), 0);
    const priced = [...lists.products, ...lists.variations];
    const lines = (line_items as Fields[]).map((line) => newLine(nextId(), line, priced, percent));
    const extras = newExtras({ shipping_lines, fee_lines }, lines, coupons, nextId);
    return putOrder(nextOrderId(), { status: 'pending', created_via: 'rest-api', ...fields, ...extras });
  };

  /** As wc_create_refund does: never more than is left, and an order that is refunded as a whole enters `refunded`. Undefined when it is refused. */
  const addRefund = (orderId: number, fields: Fields) => {
    const { amount, reason = '', line_items = [], meta_data = [], api_refund = false } = fields;
    const order = orders.get(orderId);
    if (!order) return undefined;
    const before = refunds.get(orderId) ?? [];
    const left = cents(order.total) - before.reduce((sum, refund) => sum + cents(refund.amount), 0);
    const given = line_items as Fields[];
    const wanted = amount === undefined ? given.reduce((sum, one) => sum + cents(one.refund_total), 0) : cents(amount);
    if (!(wanted >= 0 && wanted <= left)) return undefined;
    const isFull = wanted === left;
    const type = { key: '_refund_type', value: isFull ? 'full' : 'partial' };
    const refund: Fields = {
      id: nextOrderId(),
      ...dated('date_created', now()),
      amount: (wanted / 100).toFixed(2),
      reason,
      refunded_by: 2,
      refunded_payment: api_refund === true,
      meta_data: [...(meta_data as Fields[]), type].map(({ key, value }) => ({ id: nextId(), key, value })),
      line_items: given.map((line) => refundLine(line, order)),
      shipping_lines: [],
      tax_lines: [],
      fee_lines: [],
    };
    refunds.set(orderId, [refund, ...before]);
    // Newest first by their seconds, within one by their ids.
    const times = new Map((refunds.get(orderId) ?? []).map((one) => [one.id, String(one.date_created_gmt)]));
    const timeOf = (one: Fields): string => times.get(one.id) ?? '';
    const shown = { id: refund.id, reason, total: `-${refund.amount}`, total_tax: '0.00' };
    order.refunds = [...(order.refunds as Fields[]), shown].sort(
      (a, b) => timeOf(b).localeCompare(timeOf(a)) || Number(a.id) - Number(b.id),
    );
    if (isFull) setStatus(order, 'refunded');
    Object.assign(order, dated('date_modified', now()), statusFlags(order));
    happened('order.updated', orderId);
    return refund;
  };

  /** As wc_order_fully_refunded does when an order is set to `refunded`: no money moves. */
  const refundRest = ({ id, total }: ShopOrder): void => {
    const before = (refunds.get(id) ?? []).reduce((sum, refund) => sum + cents(refund.amount), 0);
    const amount = (cents(total) - before) / 100;
    if (amount <= 0) return;
    addRefund(id, { amount, reason: 'Order fully refunded.' });
    const rest = 'To return funds to the customer you will need to issue a refund through your payment gateway.';
    addNote(id, `Order status set to refunded. ${rest}`, false);
  };

  const refundLine = ({ id, quantity = 0, refund_total }: Fields, order: ShopOrder): Fields => {
    const line = (order.line_items as Fields[]).find((one) => one.id === id);
    const total = `-${(cents(refund_total) / 100).toFixed(2)}`;
    const item = { id: nextId(), key: '_refunded_item_id', value: String(id) };
    return {
      ...line,
      id: nextId(),
      quantity: -Number(quantity),
      subtotal: total,
      total,
      meta_data: [{ ...item, display_key: item.key, display_value: item.value }],
      price: quantity ? cents(refund_total) / 100 / Number(quantity) : 0,
    };
  };

  return {
    site,
    orders,
    /** Ids of other kinds of order, as subscriptions and partial payments: the address of an order shows them too, no list of orders does. */
    otherKinds: new Set<number>(),
    /** Ids of orders, products and variations on which a plugin fails while they are shown. */
    poisoned: new Set<number>(),
    notes,
    /** Statuses that a plugin registered with `exclude_from_search`, in a shop whose orders are posts: `any` leaves them out. */
    hiddenFromAny: [] as string[],
    /** Every change of status, in order; each made the shop send its mails and move its stock. */
    transitions,
    statuses,
    ...lists,
    /** How variations are shown below their products, where that differs. */
    belowProducts: [] as Fields[],
    settings: [] as Fields[],
    /** Ids of payment gateways that can refund. */
    refundingGateways: [] as string[],
    features,
    categories: [] as Fields[],
    tags: [] as Fields[],
    posts: [] as Fields[],
    customers: [] as Fields[],
    gateways: [] as Fields[],
    shippingMethods: [] as Fields[],
    zones: [] as { id: number; name: string; methods: Fields[] }[],
    webhooks: [] as (Fields & { id: number })[],
    addNote,
    ...trashOf({ orders, setMeta, happened, now, site }),
    createOrder,
    /** What webhooks have not sent yet. */
    due,
    removeNote: (orderId: number, id: number): void => {
      notes.set(
        orderId,
        (notes.get(orderId) ?? []).filter((one) => one.id !== id),
      );
    },
    counters,
    nextId,
    now,
    putOrder,
    addRefund,
    /** As a refund is while WooCommerce makes or deletes it: its metadata, the amount among it, is not there. */
    withoutAmount: (orderId: number, id: number): void => {
      for (const refund of refunds.get(orderId) ?? []) if (refund.id === id) refund.amount = '';
      const shown = orders.get(orderId)?.refunds as Fields[];
      for (const refund of shown) if (refund.id === id) refund.total = '-';
    },
    /** A part that the gateway of the order is asked to pay back: stored, and the order is touched when that is done. */
    beginRefund: (orderId: number, amount: string) => {
      const order = orders.get(orderId) as ShopOrder;
      const before = {
        due: due.length,
        date_modified: order.date_modified,
        date_modified_gmt: order.date_modified_gmt,
      };
      const refund = addRefund(orderId, { amount, api_refund: true }) as Fields;
      due.length = before.due;
      Object.assign(order, { date_modified: before.date_modified, date_modified_gmt: before.date_modified_gmt });
      const isOther = ({ id }: Fields): boolean => id !== refund.id;
      return {
        id: Number(refund.id),
        paid: (): void => void Object.assign(order, dated('date_modified', now())),
        declined: (): void => {
          refunds.set(orderId, (refunds.get(orderId) ?? []).filter(isOther));
          order.refunds = (order.refunds as Fields[]).filter(isOther);
        },
      };
    },
    refundsOf: (id: number): Fields[] => refunds.get(id) ?? [],
    notesOf: (id: number): ShopNote[] => notes.get(id) ?? [],
  };
}
