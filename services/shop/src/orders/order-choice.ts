import { namesByReference, type Order, type OrderReference, type OrderRejection } from '@order-automation/contracts';
import { gatewayKey, idsOf, namesOf, numberKey, orderId, plainNumber } from './order-lookup';
import { otherSite } from './shop-address';

export type Match = { readonly order_id: number; readonly by: 'gateway_id' | 'order_id' | 'transaction_id' };

export type Choice = { readonly match: Match | null; readonly rejection?: OrderRejection };

/** Orders by the ids by which an event may name them. */
export type OrderIndex = ReadonlyMap<string, readonly Order[]>;

type KeptName = { readonly key: string; readonly order_id: number };

/** `kept`: ids of gateways that were on orders before. PayPal Payments writes that of a refund over the payment (TransactionIdHandlingTrait.php). */
export function orderIndex(orders: Iterable<Order>, kept: readonly KeptName[] = []): OrderIndex {
  const index = new Map<string, Order[]>();
  for (const order of orders) {
    const before = kept.filter(({ key, order_id }) => order_id === order.id && key.startsWith('gateway:'));
    for (const name of new Set([...namesOf(order), ...before.map(({ key }) => key)]))
      index.set(name, [...(index.get(name) ?? []), order]);
  }
  return index;
}

export type Choices = {
  readonly matches: (Match | null)[];
  readonly rejections?: (OrderRejection & { index: number })[];
  /** Of the orders that the answer shows. */
  readonly ids: ReadonlySet<number>;
};

/** The order of each reference, of those that were read for them. */
export function chooseOrders(
  references: readonly OrderReference[],
  orders: Iterable<Order>,
  sites: readonly string[],
  kept: readonly KeptName[] = [],
): Choices {
  const index = orderIndex(orders, kept);
  const choices = references.map((reference) => chooseOrder(reference, index, sites));
  const rejections = choices.flatMap(({ rejection }, at) => (rejection ? [{ ...rejection, index: at }] : []));
  const found = choices.flatMap(({ match }) => match?.order_id ?? []);
  return {
    matches: choices.map(({ match }) => match),
    ...(rejections.length > 0 ? { rejections } : {}),
    ids: new Set([...found, ...rejections.flatMap((one) => one.orders.map(({ id }) => id))]),
  };
}

/**
 * The order that an event belongs to (decisions.md section 12): the one that was paid by its transaction, else the one that its references name, else the
 * oldest that has a copy of its ids: plugins copy them to renewals. The transaction of the order itself proves what nothing else in the event refutes;
 * whatever was found otherwise must not contradict what the event says of shop and order. `sites` are those of the shop; none where they are not known.
 */
export function chooseOrder(reference: OrderReference, index: OrderIndex, sites: readonly string[]): Choice {
  const named = namedOrders(reference, index);
  const paid = paidOrder(reference, index, named);
  if (paid) return { match: { order_id: paid.id, by: 'transaction_id' } };
  const site_url = namesSomething(reference) ? reference.claims?.site_url : undefined;
  const isOurs = named.some(({ orders }) => orders.some((order) => isKeyOf(order, reference)));
  const because = otherSite(site_url, sites) ?? (isOurs ? null : otherPrefix(reference, named));
  if (because !== null) return rejected('foreign', named[0] ?? namedNowhere(reference), because);
  const isToCome = namesOrderToCome(reference, named);
  if (named.length > 0 && !isToCome) return chosenByName(named, reference);
  const copied = isToCome ? (reference.transactions ?? []) : idsOf(reference);
  const copy = oldest(copied.map((id) => index.get(gatewayKey(id.trim()))).find((found) => found !== undefined));
  return copy ? chosen({ ...namedNowhere(reference), orders: [copy] }, reference, 'gateway_id') : { match: null };
}

const namesSomething = (reference: OrderReference): boolean => namedNowhere(reference).value !== '';

/** A number with a prefix, in the field that the plugin writes it to. */
const prefixed = /^[a-z](?:[\w.-]*[_-]|[a-z]*)\d+$/i;
const ofInvoice = /^(?:rp_)?invoice(?:_id|_number)?$/;

/**
 * Why an event is of another shop on the same account: "If you use your PayPal account with more than one installation, please use a distinct prefix to
 * separate those installations" (connection-tab-fields.php of github.com/woocommerce/woocommerce-paypal-payments). Ids, which have none, are those of either.
 */
function otherPrefix({ references = [], reading }: OrderReference, named: readonly NamedOrders[]): string | null {
  const prefix = reading?.order_prefix?.trim() ?? '';
  const isOurs = (text: string) =>
    text.trim().toLowerCase().startsWith(prefix.toLowerCase()) ||
    (prefixed.test(text) && named.some(({ value }) => value === text));
  if (references.some(({ value }) => isOurs(value))) return null;
  const other = references.find(({ value, from }) => ofInvoice.test(from) && prefixed.test(value))?.value.slice(0, 200);
  return other ? `Its reference ${other} does not begin with ${prefix}, the prefix of this shop (order_prefix).` : null;
}

/** What the event calls an order that is found otherwise, or not at all. */
function namedNowhere(reference: OrderReference): NamedOrders {
  const value = reference.references?.[0]?.value ?? reference.order_id ?? idsOf(reference)[0] ?? '';
  return { value: value.trim(), orders: [] };
}

type NamedOrders = { readonly value: string; readonly orders: readonly Order[] };

/** What the plugin has signed is the id of the order, whatever a reference is by the settings of the sender. */
const isSignedId = (from: string): boolean => from.endsWith('.signature');
/** Fields that a plugin writes for the order alone. */
const isOfPlugin = (from: string): boolean =>
  /\.(?:(?:woocommerce|wc|solidus|spree)_)?order_?(?:id|number)$/i.test(from);

/**
 * The event names an order that the shop does not have yet: by an id that was signed, or by a plain number where a plugin writes it. Nothing weaker
 * stands in for it: the number of an order to come may be the id of another, and a renewal's subscription leads to its first order.
 */
function namesOrderToCome(reference: OrderReference, named: readonly NamedOrders[]): boolean {
  return namesByReference(reference).some(({ value, from, texts }, at) => {
    if (named.some((one) => one.value === value)) return false;
    return isSignedId(from) || (at === 0 && isOfPlugin(from) && texts.some((text) => orderId(text) !== undefined));
  });
}

/** What each reference names; those that name nothing are left out. */
function namedOrders(reference: OrderReference, index: OrderIndex): NamedOrders[] {
  const readAs = reference.reading?.order_reference ?? 'auto';
  return namesByReference(reference).flatMap(({ value, from, texts }) => {
    const kind = isSignedId(from) ? 'id' : readAs;
    for (const text of texts) {
      const carriers = index.get(numberKey(text)) ?? [];
      const byId = kind === 'number' ? undefined : carriers.find(({ id }) => id === orderId(text));
      // An order from before a plugin counted orders has its id as its number, and the plugin may give that number to a later one.
      const numbered = carriers.filter((one) => one !== byId && plainNumber(one.number) === text);
      const byNumber = kind === 'id' ? undefined : newest(numbered);
      const orders = [byId, byNumber].filter((order) => order !== undefined);
      if (orders.length > 0) return { value, orders };
    }
    return [];
  });
}

/** A number that every gateway counts from one: an order of years ago may have been paid by the same number of another gateway. */
const counter = /^\d{1,9}$/;

/** The order whose own transaction it is; of several the one that the event names, else the oldest. */
function paidOrder(reference: OrderReference, index: OrderIndex, named: readonly NamedOrders[]): Order | undefined {
  const { transactions, transaction_id } = reference;
  const ids = (transactions ?? [transaction_id ?? '']).map((id) => id.trim()).filter((id) => id !== '');
  for (const id of ids) {
    const owners = (index.get(gatewayKey(id)) ?? []).filter((order) => order.transaction_id.trim() === id);
    const alsoNamed = owners.filter((order) => named.some(({ orders }) => orders.includes(order)));
    if (counter.test(id) && alsoNamed.length === 0 && named.length > 0) continue;
    if (owners.length > 0) return oldest(alsoNamed.length > 0 ? alsoNamed : owners);
  }
  return undefined;
}

/** The most trusted reference decides; the others help where it may mean two orders. */
function chosenByName([first, ...others]: readonly NamedOrders[], reference: OrderReference): Choice {
  const { value, orders } = first ?? namedNowhere(reference);
  const agreed = others.reduce((left, other) => {
    const both = left.filter((order) => other.orders.includes(order));
    return both.length > 0 ? both : left;
  }, orders);
  return chosen({ value, orders: agreed }, reference, 'order_id');
}

/** Keys are drawn at random: another shop's order of the same id has another. */
const isKeyOf = ({ order_key }: Order, { claims }: Pick<OrderReference, 'claims'>): boolean =>
  Boolean(order_key) && order_key === claims?.order_key?.trim();

/** The order of these that the event's order key confirms, or at least does not refute; two are ambiguous. */
function chosen(named: NamedOrders, { claims }: OrderReference, by: Match['by']): Choice {
  const confirmed = named.orders.filter((order) => isKeyOf(order, { claims }));
  const possible = named.orders.filter((order) => !claims?.order_key?.trim() || !order.order_key);
  const [only, other] = confirmed.length > 0 ? confirmed : possible;
  if (!only) return rejected('foreign', named, 'The event has another order key than the order.');
  if (!other) return { match: { order_id: only.id, by } };
  const because = `It is the id of one order (number ${only.number}) and the number of another (id ${other.id}): choose in the settings of the sender by which of the two its events refer to an order (order_reference).`;
  return rejected('ambiguous', named, because);
}

function rejected(kind: OrderRejection['kind'], { value, orders }: NamedOrders, because: string): Choice {
  const shown = orders.map(({ id, number }) => ({ id, number }));
  return { match: null, rejection: { kind, orders: shown, reference: value.slice(0, 200), because } };
}

const oldest = (orders: readonly Order[] = []): Order | undefined =>
  orders.toSorted((a, b) => Date.parse(a.date_created) - Date.parse(b.date_created) || a.id - b.id)[0];

const newest = (orders: readonly Order[]): Order | undefined => orders.toSorted((a, b) => b.id - a.id)[0];
