import type { CommandResult, OrderChange, OrderCommand, OrderStep } from '@order-automation/contracts';
import { changeIdOf, noteText } from '../orders/commands';
import { orderChanges } from '../orders/order-change';
import {
  countsAsPaid,
  inTrash,
  isDraft,
  isInTrash,
  plainStatus,
  statusChanges,
  withStatus,
} from '../orders/order-status';
import { type AppliedStep, type OrderDocument, revisionOf } from './order-document';
import { mailAbout } from './order-mail';
import { noteId } from './order-notes';
import { labelled, type StockMove, withDue, withStockMoved } from './order-status';
import stockTexts from './stock-texts.json';

export type StepInput = {
  readonly step: OrderStep;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Names the request. */
  readonly by: string;
  readonly statuses: ReadonlySet<string>;
  /** The id of the first note of the step; each further one has the next. */
  readonly noteId: number;
};

export const appliedStep = ({ applied }: OrderDocument, key: string): AppliedStep | undefined =>
  applied.find((one) => one.key === key);

/** Whether the order has left the revision that the step was decided on. */
const isStale = (document: OrderDocument, { revision }: OrderStep): boolean =>
  revision !== null && revision !== revisionOf(document);

/**
 * Carries out all commands of a step on the document, in order, and notes its key with the results in it. Of a step that is noted already
 * only what is new in it is carried out; a stale one changes nothing, and is not noted. A command that fails does not keep the next from it.
 */
export function applyStep(document: OrderDocument, input: StepInput): OrderDocument {
  const { step, now, by } = input;
  const known = appliedStep(document, step.key);
  const open = step.commands.filter(({ key }) => !known?.results.some((result) => result.key === key));
  if (open.length === 0 || (!known && isStale(document, step))) return document;
  let progress: Progress = { document, results: [], changes: [], notes: 0 };
  for (const { key, command } of open) progress = carryOut(progress, key, command, input);
  const { document: after, results, changes } = progress;
  const { process_id } = known ?? step.cause;
  const { revision = 0, applied } = after;
  const isChanged = results.some((result) => result.status === 'applied');
  const whole = {
    key: step.key,
    by,
    process_id,
    results: [...(known?.results ?? []), ...results],
    changes: [...(known?.changes ?? []), ...changes],
  };
  const noted = {
    ...after,
    applied: [...applied.filter((one) => one !== known), whole],
    revision: isChanged ? revision + 1 : revision,
  };
  return withDue(noted, now);
}

type Progress = {
  readonly document: OrderDocument;
  readonly results: readonly CommandResult[];
  readonly changes: readonly OrderChange[];
  readonly notes: number;
};

type Outcome = Omit<CommandResult, 'key' | 'process_id'> & {
  readonly document: OrderDocument;
  readonly told?: readonly OrderChange[];
};

function carryOut(before: Progress, key: string, command: OrderCommand, input: StepInput): Progress {
  const { process_id } = input.step.cause;
  const { document, told = [], status, message, changes } = outcomeOf(before, key, command, input);
  return {
    document,
    results: [...before.results, { key, process_id, status, message, changes }],
    changes: [...before.changes, ...told],
    notes: before.notes + (command.kind === 'add_note' ? 1 : 0),
  };
}

function outcomeOf(before: Progress, key: string, command: OrderCommand, input: StepInput): Outcome {
  const { document } = before;
  if (isInTrash(document.order)) return { document, status: 'failed', message: inTrash, changes: [] };
  switch (command.kind) {
    case 'set_status':
      return withNewStatus(before.document, key, command, input);
    case 'add_note':
      return withNote(before, key, command, input);
    case 'set_meta':
    case 'add_tag':
      return withLabel(before.document, command, input);
    default:
      return command satisfies never;
  }
}

type Of<Kind extends OrderCommand['kind']> = Extract<OrderCommand, { kind: Kind }>;

function withNewStatus(document: OrderDocument, key: string, command: Of<'set_status'>, input: StepInput): Outcome {
  const { order } = document;
  const to = plainStatus(command.status);
  if (!input.statuses.has(to))
    return { document, status: 'failed', message: `"${command.status.slice(0, 50)}" is no order status.`, changes: [] };
  if (order.status === to)
    return { document, status: 'unchanged', message: `The order was ${to} already; nothing was changed.`, changes: [] };
  const at = new Date(input.now).toISOString();
  const changed = withStatus(order, to, at);
  const moved = command.update_stock
    ? withStockMoved({ ...document, order: changed }, to)
    : { document: { ...document, order: changed }, move: 'none' as const };
  const { cause, order_id } = input.step;
  const { event_id: _, ...origin } = cause;
  const isPaidDraft = isDraft(order.status) && countsAsPaid(to);
  return {
    document: isPaidDraft ? { ...moved.document, paid_as_draft: to } : moved.document,
    status: 'applied',
    message: statusText(document, command, to, moved.move),
    changes: statusChanges(order, changed),
    told: orderChanges(order, changed, { change_id: changeIdOf({ key, order_id }), at, cause: origin }),
  };
}

function statusText({ order }: OrderDocument, command: Of<'set_status'>, to: string, move: StockMove): string {
  const mail = command.send_emails && mailAbout(order, to) === null ? 'No e-mail is sent about this status.' : null;
  return [`Status changed from ${order.status} to ${to}.`, mail, stockTexts[move]]
    .filter((text) => text !== null)
    .join(' ');
}

function withNote({ document, notes }: Progress, key: string, command: Of<'add_note'>, input: StepInput): Outcome {
  const { step, now, noteId: first } = input;
  const { note, customer_note } = command;
  const row = {
    _id: noteId(step.order_id, key),
    id: first + notes,
    order_id: step.order_id,
    process_id: step.cause.process_id,
    date_created: new Date(now).toISOString(),
    note,
    customer_note,
    author: step.cause.author,
  };
  return {
    document: { ...document, notes: [...(document.notes ?? []), row] },
    status: 'applied',
    message: noteText(command, document.order),
    changes: [{ field: 'notes', from: null, to: note }],
  };
}

function withLabel(document: OrderDocument, command: Of<'set_meta' | 'add_tag'>, { now }: StepInput): Outcome {
  const { order, message, changes } = labelled(document.order, command);
  if (changes.length === 0) return { document, status: 'unchanged', message, changes };
  const dated = { ...order, date_modified: new Date(now).toISOString() };
  return { document: { ...document, order: dated }, status: 'applied', message, changes };
}
