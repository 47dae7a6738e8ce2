import type { CommandResult, FieldChange, Order } from '@order-automation/contracts';
import { type EditCommand, type KeyedCommand, type NoteCommand, noteText } from '../orders/commands';
import { inTrash, isInTrash, statusChanges } from '../orders/order-status';
import type { AppliedMark } from './applied-meta';
import { statusOf, tagsKey } from './order-mapping';

export type MetaField = { readonly id?: number; readonly key: string; readonly value: unknown };

/** What a command means for the order as it is: nothing is to be written, or this. `from` and `to` are for the order's mark. */
export type Decision =
  | { readonly write: false; readonly result: CommandResult }
  | {
      readonly write: true;
      readonly status?: string;
      readonly meta: readonly MetaField[];
      readonly from: string | null;
      readonly to: string;
    };

/** Pure. */
export function decide(order: Order, command: EditCommand): Decision {
  const wanted = command.command;
  if (isInTrash(order)) return { write: false, result: failed(command, inTrash) };
  if (wanted.kind === 'set_status') return decideStatus(order, command, wanted.status);
  if (wanted.kind === 'add_tag') {
    const tags = order.tags ?? [];
    if (tags.includes(wanted.tag)) return unchanged(command, `The order had the tag "${wanted.tag}" already.`);
    return { write: true, meta: [field(order, tagsKey, [...tags, wanted.tag])], from: null, to: short(wanted.tag) };
  }
  const before = order.meta_data.find(({ key }) => key === wanted.key)?.value;
  if (before === wanted.value) return unchanged(command, `The field "${wanted.key}" was "${wanted.value}" already.`);
  const from = before === undefined ? null : short(typeof before === 'string' ? before : JSON.stringify(before));
  return { write: true, meta: [field(order, wanted.key, wanted.value)], from, to: short(wanted.value) };
}

function decideStatus(order: Order, command: EditCommand, text: string): Decision {
  const to = statusOf(text);
  if (to === undefined) return { write: false, result: failed(command, `"${text.slice(0, 50)}" is no order status.`) };
  if (order.status === to) return unchanged(command, `The order was ${to} already; nothing was changed.`);
  return { write: true, status: to, meta: [], from: order.status, to };
}

/** By its id where the order has the field: WooCommerce empties every other field of the same name when it is written by name. */
function field({ meta_data }: Order, key: string, value: unknown): MetaField {
  const id = meta_data.find((meta) => meta.key === key)?.id;
  return id === undefined ? { key, value } : { id, key, value };
}

const short = (text: string): string => text.slice(0, 200);

const kept =
  'WooCommerce accepted it, but shows the order as it was: see whether a plugin of the shop keeps it, or its database takes no emoji.';

/** What was done, from the order before and after it was written with these meta fields. */
export function appliedResult(
  command: EditCommand,
  before: Order,
  after: Order,
  { from, meta }: { readonly from: string | null; readonly meta: readonly MetaField[] },
): CommandResult {
  const isStatus = command.command.kind === 'set_status';
  if (isStatus ? before.status === after.status : isLost(command, before, after, meta)) return failed(command, kept);
  const changes = isStatus ? statusChanges(before, after) : [changeBy(command, from, after.status)];
  return resultWith(command, command.cause.process_id, changes);
}

/** A database without characters of four bytes drops the whole field, and WooCommerce says nothing of it (wpdb::process_fields). */
function isLost({ command }: EditCommand, before: Order, after: Order, meta: readonly MetaField[]): boolean {
  const name = command.kind === 'set_meta' ? command.key : tagsKey;
  const [was, is, sent] = [before.meta_data, after.meta_data, meta].map((rows) =>
    JSON.stringify(rows.find(({ key }) => key === name)?.value),
  );
  return is === was && is !== sent && before.meta_digest === after.meta_digest;
}

/** The same from the order's mark alone, when the process that did it could not say so. */
export const recoveredResult = (command: EditCommand, { from, to, process_id }: AppliedMark): CommandResult =>
  resultWith(command, process_id, [changeBy(command, from, to)]);

function changeBy({ command }: EditCommand, from: string | null, to: string): FieldChange {
  if (command.kind === 'add_tag') return { field: 'tags', from: null, to: command.tag };
  return command.kind === 'set_meta'
    ? { field: `meta_data.${command.key}`, from, to: command.value }
    : { field: 'status', from, to };
}

function resultWith({ key, command }: EditCommand, process_id: string, changes: FieldChange[]): CommandResult {
  return { key, status: 'applied', process_id, message: textOf(command, changes), changes };
}

function textOf(command: EditCommand['command'], changes: readonly FieldChange[]): string {
  if (command.kind === 'add_tag') return `The tag "${command.tag}" was added.`;
  if (command.kind === 'set_meta') return `The field "${command.key}" was set to "${command.value}".`;
  const status = changes.find(({ field: name }) => name === 'status');
  const texts = [`Status changed from ${status?.from} to ${status?.to}.`];
  if (status?.to !== statusOf(command.status))
    texts.push(
      `It was set to ${command.status}, and the shop changed it at once: please check the notes of the order.`,
    );
  if (command.send_emails) texts.push('E-mails about it are those that WooCommerce sends by its own settings.');
  if (command.update_stock) texts.push('WooCommerce manages the stock.');
  return texts.join(' ');
}

export function noteResult({ key, command, cause }: NoteCommand, order: Order): CommandResult {
  const message = noteText(command, order);
  const changes = [{ field: 'notes', from: null, to: command.note }];
  return { key, status: 'applied', process_id: cause.process_id, message, changes };
}

function unchanged(command: KeyedCommand, message: string): Decision {
  return { write: false, result: { ...failed(command, message), status: 'unchanged' } };
}

export function failed({ key, cause }: KeyedCommand, message: string): CommandResult {
  return { key, status: 'failed', process_id: cause.process_id, message, changes: [] };
}

export const missing = (command: KeyedCommand) => failed(command, `Order ${command.order_id} does not exist.`);
