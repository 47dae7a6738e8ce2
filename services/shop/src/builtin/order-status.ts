import { delayAfter } from '@order-automation/bus';
import type { FieldChange, Order, OrderCommand } from '@order-automation/contracts';
import { handoverBackoff } from '../orders/handover-backoff';
import type { ChangeSource, ShopEvent } from '../orders/order-change';
import type { OrderDocument, Stock } from './orders';

/** The document as it owes these changes to the log and to evaluation. */
export const owing = (document: OrderDocument, changes: readonly ShopEvent[], source: ChangeSource): OrderDocument => ({
  ...document,
  outbox: [...document.outbox, ...changes.map((change) => ({ ...change, source }))],
  attempt: 0,
});

/** The document with the time at which what it owes is handed over again: 5 s after the last time, doubling up to 5 min. */
export function withDue(document: OrderDocument, now: number): OrderDocument {
  const { outbox, entries = [], stock, attempt } = document;
  const owes = outbox.length > 0 || entries.length > 0 || stock.state === 'owed';
  if (!owes) return { ...document, due: undefined, attempt: 0 };
  return { ...document, due: now + delayAfter(attempt + 1, handoverBackoff) };
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
export const isStockReduced = ({ stock, order }: OrderDocument): boolean =>
  stock.state !== 'untouched' || hasMark(order);

export function withStockReduced(order: Order): Order {
  if (hasMark(order)) return order;
  const others = order.meta_data.filter(({ key }) => key !== stockReducedKey);
  return { ...order, meta_data: [...others, { key: stockReducedKey, value: 'yes' }] };
}

export function owedStock(document: OrderDocument): Stock {
  const { stock, order } = document;
  if (stock.state !== 'untouched') return stock;
  if (isStockReduced(document)) return { state: 'done', items: [] };
  const quantities = new Map<number, number>();
  for (const { product_id, quantity } of order.line_items) {
    if (quantity > 0) quantities.set(product_id, (quantities.get(product_id) ?? 0) + quantity);
  }
  const items = [...quantities].map(([product_id, quantity]) => ({ product_id, quantity }));
  return { state: items.length > 0 ? 'owed' : 'done', items };
}
