import type { FieldChange, Order, OrderCommand } from '@order-automation/contracts';
import { dueAfter } from '../orders/handover-relay';
import type { ChangeSource, ShopEvent } from '../orders/order-change';
import type { OrderDocument, Stock, StockItem } from './order-document';

/** The document with these changes, which are pending for the log and evaluation. */
export const withChanges = (
  document: OrderDocument,
  changes: readonly ShopEvent[],
  source: ChangeSource,
): OrderDocument => ({
  ...document,
  outbox: [...document.outbox, ...changes.map((change) => ({ ...change, source }))],
  attempt: 0,
});

/** The document with the time at which what is pending is handed over again: 5 s after the last time, doubling up to 5 min. */
export function withDue(document: OrderDocument, now: number): OrderDocument {
  const { outbox, stock, attempt } = document;
  const isPending = outbox.length > 0 || isStockPending(stock);
  if (!isPending) return { ...document, due: undefined, attempt: 0 };
  return { ...document, due: dueAfter(attempt, now) };
}

export type Label = Extract<OrderCommand, { kind: 'set_meta' | 'add_tag' }>;

/** The order with a meta field or a tag; no changes when it has it already. */
export function labelled(order: Order, command: Label): { order: Order; message: string; changes: FieldChange[] } {
  if (command.kind === 'add_tag') {
    const { tag } = command;
    const tags = order.tags ?? [];
    if (tags.includes(tag)) return { order, message: `The order had the tag "${tag}" already.`, changes: [] };
    const change = { field: 'tags', from: null, to: tag };
    return { order: { ...order, tags: [...tags, tag] }, message: `The tag "${tag}" was added.`, changes: [change] };
  }
  const { key, value } = command;
  const before = order.meta_data.find((meta) => meta.key === key);
  if (before?.value === value) return { order, message: `The field "${key}" was "${value}" already.`, changes: [] };
  const meta_data = before
    ? order.meta_data.map((meta) => (meta === before ? { ...meta, value } : meta))
    : [...order.meta_data, { key, value }];
  const change = { field: `meta_data.${key}`, from: before?.value ?? null, to: value };
  return { order: { ...order, meta_data }, message: `The field "${key}" was set to "${value}".`, changes: [change] };
}

/** WooCommerce's own mark: the stock was reduced for this order, by us or by the shop that the order comes from. */
const stockReducedKey = '_order_stock_reduced';
const marks: ReadonlySet<unknown> = new Set(['yes', '1', 'true', 1, true]);

const hasMark = ({ meta_data }: Order): boolean =>
  meta_data.some(({ key, value }) => key === stockReducedKey && marks.has(value));

/** What the order document knows, or what the order itself says; the document remembers it when the mark is edited away. */
const isStockReduced = ({ stock, order }: OrderDocument): boolean =>
  stock.state === 'owed' || stock.state === 'done' || (stock.state === 'untouched' && hasMark(order));

/** Statuses in which WooCommerce takes an order's items from the stock, and in which it puts them back (wc-stock-functions.php). */
const reducing = new Set(['processing', 'completed', 'on-hold']);
const restoring = new Set(['cancelled', 'pending']);

export type StockMove = 'reduced' | 'reduced_before' | 'restored' | 'none';

/** The document as its stock follows from the order's new status; the order has WooCommerce's mark. */
export function withStockMoved(document: OrderDocument, status: string): { document: OrderDocument; move: StockMove } {
  const isReduced = isStockReduced(document);
  const { state: before, moves = 0 } = document.stock;
  if (reducing.has(status)) {
    const items = itemsOf(document.order);
    const state = items.length > 0 ? ('owed' as const) : ('done' as const);
    const stock: Stock = { ...document.stock, state, items };
    if (isReduced) {
      const known = { ...document.stock, state: before === 'untouched' ? ('done' as const) : before };
      return { document: withMark(document, known), move: 'reduced_before' };
    }
    // What is still to be put back is put back first; the next change takes it again.
    if (before === 'owed_back') return { document, move: 'none' };
    const move = items.length > 0 ? 'reduced' : 'none';
    return { document: withMark(document, { ...stock, ...(moves > 0 ? { moves } : {}) }), move };
  }
  if (!restoring.has(status) || !isReduced) return { document, move: 'none' };
  const stock: Stock = { ...document.stock, state: 'owed_back' };
  const move = itemsOf(document.order).length > 0 ? 'restored' : 'none';
  return { document: { ...document, stock, order: withoutMark(document.order) }, move };
}

/** Of history: the shop that the order comes from has moved its stock with the status; its exports do not say so (WooCommerce keeps the mark to itself). */
export function withStockOfSource(document: OrderDocument): OrderDocument {
  const { stock, order } = document;
  const { moves = 0 } = stock;
  if (isStockPending(stock)) return document;
  if (reducing.has(order.status) && stock.state === 'untouched')
    return { ...document, stock: { ...stock, state: 'done' } };
  if (!restoring.has(order.status) || stock.state !== 'done') return document;
  return { ...document, stock: { state: 'untouched', items: [], moves: moves + 1 }, order: withoutMark(order) };
}

function withMark(document: OrderDocument, stock: Stock): OrderDocument {
  const { order } = document;
  if (hasMark(order)) return { ...document, stock };
  const { meta_data, ...rest } = withoutMark(order);
  return { ...document, stock, order: { ...rest, meta_data: [...meta_data, { key: stockReducedKey, value: 'yes' }] } };
}

const withoutMark = (order: Order): Order => ({
  ...order,
  meta_data: order.meta_data.filter(({ key }) => key !== stockReducedKey),
});

export function itemsOf({ line_items }: Order): StockItem[] {
  const items = new Map<string, StockItem>();
  for (const { product_id, variation_id = 0, quantity } of line_items) {
    if (quantity <= 0) continue;
    const key = `${product_id}:${variation_id}`;
    const sum = Number(((items.get(key)?.quantity ?? 0) + quantity).toFixed(6));
    items.set(key, { product_id, ...(variation_id > 0 ? { variation_id } : {}), quantity: sum });
  }
  return [...items.values()];
}

export const isStockPending = ({ state }: Stock): boolean => state === 'owed' || state === 'owed_back';

export function withStockSettled(document: OrderDocument): OrderDocument {
  const { state, moves = 0 } = document.stock;
  if (state === 'owed') return { ...document, stock: { ...document.stock, state: 'done' } };
  return state === 'owed_back' ? { ...document, stock: { state: 'untouched', items: [], moves: moves + 1 } } : document;
}
