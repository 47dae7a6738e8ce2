import {
  type CommandResult,
  derivedId,
  type FieldChange,
  type KeyedCommand,
  type Order,
  type OrderChange,
} from '@order-automation/contracts';
import type { OrderDocument, Stock } from './orders';

export type StatusCommand = KeyedCommand & { command: { kind: 'set_status' } };

/** A status without its `wc-` prefix (decisions.md section 5); undefined when it cannot be one. */
export function plainStatus(text: string): string | undefined {
  const status = text.trim().toLowerCase().replace(/^wc-/, '');
  return /^[a-z0-9][a-z0-9_-]{0,49}$/.test(status) ? status : undefined;
}

const paidStatuses = new Set(['processing', 'completed']);

/** The order in another status, with the dates that follow from it. `at` is ISO 8601 UTC. */
export function withStatus(order: Order, status: string, at: string): Order {
  return {
    ...order,
    status,
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

/** The id of the change that a command makes: a command that comes again is the same change. */
export const changeIdOf = ({ key, order_id }: KeyedCommand): string => `chg_${derivedId(order_id, key)}`;

const firstPatience = 5_000;
const longestPatience = 300_000;

/** The document with the time at which what it owes is handed over again: 5 s after the last time, doubling up to 5 min. */
export function withDue(document: OrderDocument, now: number): OrderDocument {
  const { due: _, ...rest } = document;
  const owes = rest.outbox.length > 0 || rest.entries.length > 0 || rest.stock.state === 'owed';
  if (!owes) return { ...rest, attempt: 0 };
  return { ...rest, due: now + Math.min(firstPatience * 2 ** Math.min(rest.attempt, 10), longestPatience) };
}

/**
 * Carries out one status command on the document, and notes its key and result in it. A key that is noted already changes nothing.
 * `now` is in milliseconds since the epoch, `by` names the request.
 */
export function applyStatus(document: OrderDocument, command: StatusCommand, now: number, by: string): OrderDocument {
  if (document.applied.some(({ result }) => result.key === command.key)) return document;
  const to = plainStatus(command.command.status) ?? document.order.status;
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
  };
  const stock = command.command.update_stock ? owedStock(document) : document.stock;
  const order = withStatus(document.order, to, at);
  return withDue({ ...noted, order, stock, outbox: [...document.outbox, change], attempt: 0 }, now);
}

function resultOf(
  document: OrderDocument,
  { key, command, cause }: StatusCommand,
  to: string,
  now: number,
): CommandResult {
  const { order, stock } = document;
  const { process_id } = cause;
  if (order.status === to) {
    const message = `The order was ${to} already; nothing was changed.`;
    return { key, status: 'unchanged', process_id, message, changes: [] };
  }
  const texts = [`Status changed from ${order.status} to ${to}.`];
  if (command.send_emails) texts.push('No e-mail was sent, because e-mail is not configured.');
  if (command.update_stock) {
    texts.push(
      stock.state === 'untouched' ? 'Stock of managed products was reduced.' : 'Stock had been reduced before.',
    );
  }
  const changes = statusChanges(order, withStatus(order, to, new Date(now).toISOString()));
  return { key, status: 'applied', process_id, message: texts.join(' '), changes };
}

function owedStock({ stock, order }: OrderDocument): Stock {
  if (stock.state !== 'untouched') return stock;
  const quantities = new Map<number, number>();
  for (const { product_id, quantity } of order.line_items) {
    if (quantity > 0) quantities.set(product_id, (quantities.get(product_id) ?? 0) + quantity);
  }
  const items = [...quantities].map(([product_id, quantity]) => ({ product_id, quantity }));
  return { state: items.length > 0 ? 'owed' : 'done', items };
}
