import {
  type CommandResult,
  derivedId,
  type FieldChange,
  type KeyedCommand,
  type Order,
  type OrderChange,
  type OrderCommand,
} from '@order-automation/contracts';
import { owing } from './order-change';
import { mailAbout } from './order-mail';
import { appliedKey, type OrderDocument, type Stock } from './orders';

type Edit = Exclude<OrderCommand, { kind: 'add_note' }>;

export type StatusCommand = KeyedCommand & { command: { kind: 'set_status' } };
/** A command that changes the order itself; a note is a document of its own. */
export type EditCommand = KeyedCommand & { command: { kind: Edit['kind'] } };

/** A status without its `wc-` prefix (decisions.md section 5). */
export const plainStatus = (text: string): string => text.trim().toLowerCase().replace(/^wc-/, '');

const paidStatuses = new Set(['processing', 'completed']);

/** The order in another status, with the dates that follow from it. `at` is ISO 8601 UTC. */
export function withStatus(order: Order, status: string, at: string): Order {
  return {
    ...order,
    status,
    status_since: at,
    date_modified: at,
    date_paid: order.date_paid ?? (paidStatuses.has(status) ? at : null),
    date_completed: status === 'completed' ? at : order.date_completed,
  };
}

export function statusChanges(before: Order, after: Order): FieldChange[] {
  return (['status', 'date_paid', 'date_completed'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, from: before[field], to: after[field] }));
}

/** The id of the change that a command makes: a command that is repeated makes the same change. */
export const changeIdOf = ({ key, order_id }: Pick<KeyedCommand, 'key' | 'order_id'>): string =>
  `chg_${derivedId(order_id, key)}`;

const firstPatience = 5_000;
const longestPatience = 300_000;

/** The document with the time at which what it owes is handed over again: 5 s after the last time, doubling up to 5 min. */
export function withDue(document: OrderDocument, now: number): OrderDocument {
  const { due: _, ...rest } = document;
  const owes = rest.outbox.length > 0 || rest.entries.length > 0 || rest.stock.state === 'owed';
  if (!owes) return { ...rest, attempt: 0 };
  return { ...rest, due: now + Math.min(firstPatience * 2 ** Math.min(rest.attempt, 10), longestPatience) };
}

/** Whether the order has left the status that the command was decided on, so that changing it now could undo what came between. */
export function isStale({ order }: OrderDocument, { command, expected }: EditCommand): boolean {
  if (command.kind !== 'set_status' || expected === null || order.status === plainStatus(command.status)) return false;
  return order.status !== plainStatus(expected.status);
}

/**
 * Carries out one command on the document, and notes its key and result in it. A key that is noted already changes nothing, nor does
 * a stale command, which is not noted. `now` is in milliseconds since the epoch, `by` names the request.
 */
export function applyEdit(document: OrderDocument, command: EditCommand, now: number, by: string): OrderDocument {
  if (document.applied.some((one) => appliedKey(one) === command.key) || isStale(document, command)) return document;
  if (isStatusCommand(command)) return applyStatus(document, command, now, by);
  const { key, cause } = command;
  const { order, message, changes } = labelled(document.order, command.command as Label);
  const status = changes.length > 0 ? ('applied' as const) : ('unchanged' as const);
  const result: CommandResult = { key, status, process_id: cause.process_id, message, changes };
  const noted = { ...document, applied: [...document.applied, { by, result }] };
  return changes.length > 0 ? { ...noted, order: { ...order, date_modified: new Date(now).toISOString() } } : noted;
}

const isStatusCommand = (command: EditCommand): command is StatusCommand => command.command.kind === 'set_status';

export type Label = Exclude<Edit, { kind: 'set_status' }>;

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

function applyStatus(document: OrderDocument, command: StatusCommand, now: number, by: string): OrderDocument {
  const to = plainStatus(command.command.status);
  const result = resultOf(document, command, to, now);
  const noted = { ...document, applied: [...document.applied, { by, result }] };
  if (result.status !== 'applied') return noted;
  const at = new Date(now).toISOString();
  const change: OrderChange = {
    change_id: changeIdOf(command),
    order_id: document._id,
    kind: 'status_changed',
    from: document.order.status,
    to,
    at,
    cause: command.cause,
    keys: [],
  };
  const stock = command.command.update_stock ? owedStock(document) : document.stock;
  const changed = withStatus(document.order, to, at);
  const order = stock.state === 'untouched' ? changed : withStockReduced(changed);
  return withDue(owing({ ...noted, order, stock }, [change], 'automation'), now);
}

function resultOf(
  document: OrderDocument,
  { key, command, cause }: StatusCommand,
  to: string,
  now: number,
): CommandResult {
  const { order } = document;
  const { process_id } = cause;
  if (order.status === to) {
    const message = `The order was ${to} already; nothing was changed.`;
    return { key, status: 'unchanged', process_id, message, changes: [] };
  }
  const texts = [`Status changed from ${order.status} to ${to}.`];
  if (command.send_emails && mailAbout(order, to) === null) texts.push('No e-mail is sent about this status.');
  if (command.update_stock) {
    texts.push(isStockReduced(document) ? 'Stock had been reduced before.' : 'Stock of managed products was reduced.');
  }
  const changes = statusChanges(order, withStatus(order, to, new Date(now).toISOString()));
  return { key, status: 'applied', process_id, message: texts.join(' '), changes };
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
