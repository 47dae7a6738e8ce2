import { type CommandResult, type KeyedCommand, newId, type OrderContext } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { Telemetry } from '../telemetry';
import { type AppliedCommands, maxApplied } from './applied-commands';
import type { Counters } from './counters';
import type { Handover } from './handover';
import { mailAbout } from './order-mail';
import { noteId, type OrderNoteDocument, type OrderNotes } from './order-notes';
import { applyEdit, changeIdOf, type EditCommand, plainStatus } from './order-status';
import { type AppliedCommand, appliedKey, type OrderDocument, type Orders } from './orders';
import type { ProductFactsCache } from './product-facts';
import type { SiteRecords } from './site-records';

export type ApplyDeps = {
  readonly orders: Orders;
  readonly appliedCommands: AppliedCommands;
  readonly notes: OrderNotes;
  readonly counters: Counters;
  readonly facts: ProductFactsCache;
  readonly handover: Handover;
  readonly telemetry: Telemetry;
  readonly site: SiteRecords;
  readonly clock: Clock;
};

export type NoteCommand = KeyedCommand & { command: { kind: 'add_note' } };
type Input = { readonly commands: readonly KeyedCommand[]; readonly return_orders: boolean };
type Output = { results: CommandResult[]; orders: OrderContext[] };

const isEdit = (command: KeyedCommand): command is EditCommand => command.command.kind !== 'add_note';
const isNote = (command: KeyedCommand): command is NoteCommand => command.command.kind === 'add_note';

/**
 * Carries out commands, each once by its key. Notes are one insert for all of them; other commands are one guarded write an order,
 * those of one order in sequence.
 */
export async function applyCommands({ commands, return_orders }: Input, deps: ApplyDeps): Promise<Output> {
  const first = new Map<string, KeyedCommand>();
  const results = new Map<KeyedCommand, CommandResult>();
  for (const command of commands) {
    if (!first.has(command.key)) first.set(command.key, command);
  }
  const once = [...first.values()];
  const documents = await applyEdits(once.filter(isEdit), results, deps);
  await applyNotes(once.filter(isNote), documents, return_orders, results, deps);
  const answers = commands.map((command) => {
    const original = first.get(command.key);
    const result = original && results.get(original);
    if (!result) throw new Error(`command ${command.key} has no result`);
    return original === command ? result : again(result);
  });
  deps.telemetry.commandsDone(answers);
  const orders = return_orders ? await deps.facts.contexts([...documents.values()]) : [];
  return { results: answers, orders };
}

async function applyEdits(
  commands: readonly EditCommand[],
  results: Map<KeyedCommand, CommandResult>,
  deps: ApplyDeps,
): Promise<Map<number, OrderDocument>> {
  if (commands.length === 0) return new Map();
  const by = newId('req', deps.clock.now());
  const statuses = await deps.site.statuses();
  const possible: EditCommand[] = [];
  for (const command of commands) {
    const status = command.command.kind === 'set_status' ? command.command.status : null;
    if (status === null || statuses.has(plainStatus(status))) possible.push(command);
    else results.set(command, failed(command, `"${status.slice(0, 50)}" is no order status.`));
  }
  const { documents, noted } = await editOrders(possible, by, deps);
  for (const command of possible)
    results.set(command, withMail(resultOf(command, noted, documents, by), command, documents.get(command.order_id)));
  await handOver(possible, results, [...documents.values()], deps);
  return documents;
}

function resultOf(
  command: EditCommand,
  noted: ReadonlyMap<EditCommand, AppliedCommand>,
  documents: ReadonlyMap<number, OrderDocument>,
  by: string,
): CommandResult {
  const first = noted.get(command);
  if (first) return first.by === by ? first.result : again(first.result);
  const document = documents.get(command.order_id);
  return document ? stale(command, document.order.status) : missing(command);
}

/** The e-mail about a status that this command has set, at every repeat too: the sender sends it once by the key. */
function withMail(result: CommandResult, { command }: EditCommand, document: OrderDocument | undefined): CommandResult {
  if (!document || command.kind !== 'set_status' || !command.send_emails) return result;
  const wasSet = result.status === 'applied' || result.status === 'already_applied';
  const mail = wasSet && result.changes.length > 0 ? mailAbout(document.order, plainStatus(command.status)) : null;
  return mail ? { ...result, mail } : result;
}

type Edited = { documents: Map<number, OrderDocument>; noted: Map<EditCommand, AppliedCommand> };

/**
 * One guarded write an order. Keys that an order document no longer holds are looked up, and looked up again when more of them were moved
 * meanwhile: no key is applied while it is uncertain.
 */
async function editOrders(commands: readonly EditCommand[], by: string, deps: ApplyDeps): Promise<Edited> {
  const { orders, appliedCommands, clock } = deps;
  const byOrder = new Map<number, EditCommand[]>();
  for (const command of commands) byOrder.set(command.order_id, [...(byOrder.get(command.order_id) ?? []), command]);
  const documents = new Map<number, OrderDocument>();
  const noted = new Map<EditCommand, AppliedCommand>();
  const seen = new Map<number, number>();
  let archived: ReadonlyMap<string, unknown> = new Map();
  for (let open = [...byOrder.keys()]; open.length > 0; ) {
    const edited = await orders.edit(open, (document) => {
      if (document.archived !== (seen.get(document._id) ?? 0)) return document;
      return (byOrder.get(document._id) ?? [])
        .filter(({ key }) => !archived.has(key))
        .reduce((state, command) => applyEdit(state, command, clock.now(), by), document);
    });
    open = [];
    for (const [id, document] of edited) {
      documents.set(id, document);
      if (document.archived === (seen.get(id) ?? 0)) continue;
      seen.set(id, document.archived);
      open.push(id);
    }
    archived = new Map([...archived, ...(await appliedCommands.find(open.flatMap((id) => byOrder.get(id) ?? [])))]);
  }
  for (const command of commands) {
    const own = documents.get(command.order_id)?.applied.find((one) => appliedKey(one) === command.key);
    const first = own ?? archived.get(command.key);
    if (first) noted.set(command, first as AppliedCommand);
  }
  return { documents, noted };
}

/** What follows from the changes just made: they are published, stock is reduced, long lists of commands are shortened. */
async function handOver(
  commands: readonly EditCommand[],
  results: ReadonlyMap<KeyedCommand, CommandResult>,
  documents: readonly OrderDocument[],
  { orders, handover, appliedCommands }: ApplyDeps,
): Promise<void> {
  const changed = new Set(commands.filter((one) => results.get(one)?.status === 'applied').map(changeIdOf));
  const outbox = documents.flatMap((document) => document.outbox);
  await handover.publish(outbox.filter(({ change_id }) => changed.has(change_id)));
  handover.entries(documents.filter(({ entries }) => entries.length > 0));
  await handover.stock(documents.filter(({ stock }) => stock.state === 'owed'));
  await appliedCommands.archive(
    documents.filter(({ applied }) => applied.length >= maxApplied),
    orders,
  );
}

async function applyNotes(
  commands: readonly NoteCommand[],
  documents: Map<number, OrderDocument>,
  returnOrders: boolean,
  results: Map<KeyedCommand, CommandResult>,
  deps: ApplyDeps,
): Promise<void> {
  const { notes, counters, clock } = deps;
  if (commands.length === 0) return;
  const [known, firstId] = await Promise.all([
    existingOrders(commands, documents, returnOrders, deps),
    counters.noteIds(commands.length),
  ]);
  for (const command of commands) {
    if (!known.has(command.order_id)) results.set(command, missing(command));
  }
  const writable = commands.filter(({ order_id }) => known.has(order_id));
  if (writable.length === 0) return;
  const at = new Date(clock.now()).toISOString();
  const rows = writable.map((command, index) => noteOf(command, firstId + index, at));
  const duplicates = new Set(await notes.insertNew(rows));
  const firstOnes = await firstNotes(rows, duplicates, notes);
  for (const [index, command] of writable.entries()) {
    const row = rows[index];
    const first = row && duplicates.has(index) ? firstOnes.get(row._id) : row;
    const result = noteResult(command, first?.note ?? command.command.note, first?.process_id);
    results.set(command, duplicates.has(index) ? again(result) : result);
  }
}

/** The orders among those named that exist. Where orders are to be returned, what is read of them goes to `documents`. */
async function existingOrders(
  commands: readonly NoteCommand[],
  documents: Map<number, OrderDocument>,
  returnOrders: boolean,
  { orders }: ApplyDeps,
): Promise<ReadonlySet<number>> {
  const unread = [...new Set(commands.map(({ order_id }) => order_id))].filter((id) => !documents.has(id));
  if (unread.length > 0 && returnOrders)
    for (const document of await orders.byIds(unread)) documents.set(document._id, document);
  const known = new Set(documents.keys());
  if (unread.length > 0 && !returnOrders) for (const id of await orders.existing(unread)) known.add(id);
  return known;
}

async function firstNotes(
  rows: readonly OrderNoteDocument[],
  duplicates: ReadonlySet<number>,
  notes: OrderNotes,
): Promise<Map<string, OrderNoteDocument>> {
  if (duplicates.size === 0) return new Map();
  const found = await notes.byIds(rows.filter((_, index) => duplicates.has(index)).map(({ _id }) => _id));
  return new Map(found.map((note) => [note._id, note]));
}

function noteOf({ key, order_id, command, cause }: NoteCommand, id: number, at: string): OrderNoteDocument {
  const { note, customer_note } = command;
  return {
    _id: noteId(order_id, key),
    id,
    order_id,
    process_id: cause.process_id,
    date_created: at,
    note,
    customer_note,
    author: cause.author,
  };
}

function noteResult({ key, command, cause }: NoteCommand, note: string, process_id = cause.process_id): CommandResult {
  const message = command.customer_note ? 'A note to the customer was added.' : 'A note was added.';
  return { key, status: 'applied', process_id, message, changes: [{ field: 'notes', from: null, to: note }] };
}

/** `already_applied` repeats the result of the first time; a refusal is a refusal again. */
function again(result: CommandResult): CommandResult {
  return result.status === 'failed' || result.status === 'stale' ? result : { ...result, status: 'already_applied' };
}

function failed({ key, cause }: KeyedCommand, message: string): CommandResult {
  return { key, status: 'failed', process_id: cause.process_id, message, changes: [] };
}

function stale({ key, cause }: KeyedCommand, status: string): CommandResult {
  const message = `The order has become ${status} meanwhile; nothing was changed.`;
  return { key, status: 'stale', process_id: cause.process_id, message, changes: [] };
}

const missing = (command: KeyedCommand) => failed(command, `Order ${command.order_id} does not exist.`);
