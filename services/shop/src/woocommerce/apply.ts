import type {
  CommandResult,
  KeyedCommand,
  Order,
  OrderChange,
  RequestInput,
  RequestOutput,
} from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { changeIdOf } from '../builtin/order-status';
import type { Telemetry } from '../telemetry';
import { type AppliedMark, marksOf, maxMarks, withMarks } from './applied-meta';
import type { WooCommerce } from './client';
import {
  again,
  appliedResult,
  decide,
  type EditCommand,
  failed,
  missing,
  type NoteCommand,
  noteResult,
  recoveredResult,
} from './decide';
import { isMissing, ShopRefusal } from './failures';
import type { Handover } from './handover';
import type { Journal } from './journal';
import type { Lease, OrderLeases } from './leases';
import { confirmedWrite, type Write } from './lost-writes';
import { asFields, marked, markOf, orderFrom } from './order-mapping';
import type { OrderReader } from './order-reader';
import type { Watch } from './watch';

export type ApplyDeps = {
  readonly shop: WooCommerce;
  readonly read: OrderReader;
  readonly leases: OrderLeases;
  readonly journal: Journal;
  readonly handover: Handover;
  readonly watch: Watch;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
};

export type Apply = (input: RequestInput<'shop.order.apply.v1'>) => Promise<RequestOutput<'shop.order.apply.v1'>>;

/**
 * Carries out commands, each once by its key. WooCommerce cannot compare and set, so one instance at a time reads an order, compares and writes.
 * The write itself leaves the key on the order (in a meta field, or in the note), the result goes into the journal after it: whichever process
 * comes next finds one or the other. Commands of one order run in sequence; an order that fails does not keep the others of its batch from it.
 */
export function commandsOf(deps: ApplyDeps): Apply {
  const { read, telemetry } = deps;
  return async ({ commands, return_orders }) => {
    const first = new Map<string, KeyedCommand>();
    for (const command of commands) if (!first.has(command.key)) first.set(command.key, command);
    const byOrder = new Map<number, KeyedCommand[]>();
    for (const command of first.values())
      byOrder.set(command.order_id, [...(byOrder.get(command.order_id) ?? []), command]);
    const results = new Map<string, CommandResult>();
    const settled = await Promise.allSettled([...byOrder].map(([id, own]) => applyToOrder(id, own, results, deps)));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
    const answers = commands.map((command) => {
      const result = results.get(command.key);
      if (!result) throw new Error(`command ${command.key} has no result`);
      return first.get(command.key) === command ? result : again(result);
    });
    telemetry.commandsDone(answers);
    const orders = return_orders ? await read.contexts(await read.byIds([...byOrder.keys()])) : [];
    return { results: answers, orders };
  };
}

async function applyToOrder(
  id: number,
  commands: readonly KeyedCommand[],
  results: Map<string, CommandResult>,
  deps: ApplyDeps,
): Promise<void> {
  const { leases, read, watch } = deps;
  let open = await withoutKnown(commands, results, deps);
  if (open.length === 0) return;
  const work = async ({ renew, unsettled }: Lease): Promise<void> => {
    open = await withoutKnown(open, results, deps);
    const order = open.length === 0 ? null : await read.byId(id);
    if (order === null) {
      for (const command of open) results.set(command.key, missing(command));
      return;
    }
    await watch.settle(order);
    const editing: Editing = { ...deps, renew, unsettled, order, notes: undefined };
    for (const command of open) results.set(command.key, await applyOne(command, editing));
    if (editing.order !== order) await watch.accept(editing.order);
  };
  await leases.holding(id, work, open[0]?.key);
}

/** Those that the journal does not know; the results of the others are what it was the first time. */
export async function withoutKnown(
  commands: readonly KeyedCommand[],
  results: Map<string, CommandResult>,
  { journal }: ApplyDeps,
): Promise<KeyedCommand[]> {
  const known = new Map((await journal.byIds(commands.map(changeIdOf))).map(({ _id, result }) => [_id, result]));
  return commands.filter((command) => {
    const result = known.get(changeIdOf(command));
    if (result) results.set(command.key, again(result));
    return !result;
  });
}

/** One order while its lease is held: as it was read or last written, with its notes once they are needed. */
type Editing = ApplyDeps & Pick<Lease, 'renew'> & { unsettled: number; order: Order; notes: string[] | undefined };

export async function applyOne(command: KeyedCommand, editing: Editing): Promise<CommandResult> {
  try {
    return isNote(command) ? await addNote(command, editing) : await edit(command as EditCommand, editing);
  } catch (error) {
    if (!(error instanceof ShopRefusal)) throw error;
    return isMissing(error) ? missing(command) : failed(command, `WooCommerce refused it: ${error.said}`);
  }
}

/** What the work has lost before is looked for once: at its first write. */
async function confirmed<Result>(editing: Editing, write: Write<Result>): Promise<Result> {
  const { unsettled } = editing;
  editing.unsettled = 0;
  return confirmedWrite(editing.shop, { ...write, unsettled });
}

const isNote = (command: KeyedCommand): command is NoteCommand => command.command.kind === 'add_note';

async function edit(command: EditCommand, editing: Editing): Promise<CommandResult> {
  const { shop, read, renew, clock, order } = editing;
  const kept = marksOf(order).find(({ key }) => key === command.key);
  if (kept) {
    const result = recoveredResult(command, kept);
    await note(command, result, kept, editing);
    return again(result);
  }
  const decision = decide(order, command);
  if (!decision.write) {
    if (decision.keep) await note(command, decision.result, null, editing);
    return decision.result;
  }
  const { key, cause } = command;
  const { from, to, status } = decision;
  const what = status === undefined ? ('field' as const) : ('status' as const);
  const mark = { key, process_id: cause.process_id, at: new Date(clock.now()).toISOString(), from, to, what };
  const meta = withMarks(order, [mark], await notedKeys(editing));
  const body = { ...(status === undefined ? {} : { status }), meta_data: [...decision.meta, meta] };
  const path = `wc/v3/orders/${order.id}`;
  const after = await confirmed(editing, {
    what: `PUT ${path}`,
    send: async () => {
      await renew();
      return orderFrom(await shop.write('PUT', path, body));
    },
    find: async () => {
      const found = await read.byId(order.id);
      return found && marksOf(found).some((one) => one.key === key) ? found : null;
    },
  });
  editing.order = after;
  const result = appliedResult(command, order, after, mark);
  await note(command, result, status === undefined ? mark : { ...mark, to: after.status }, editing);
  return result;
}

/** Which of the commands that the order remembers are in the journal. It is asked only when the order has no room for more. */
async function notedKeys({ order, journal }: Editing): Promise<(mark: AppliedMark) => boolean> {
  const keys = marksOf(order).map(({ key }) => key);
  if (keys.length < maxMarks) return () => false;
  const idOf = (key: string): string => changeIdOf({ key, order_id: order.id });
  const noted = new Set((await journal.byIds(keys.map(idOf))).map(({ _id }) => _id));
  return ({ key }) => noted.has(idOf(key));
}

/** Notes the result in the journal, and hands over what follows from it: a status that changed. */
async function note(
  command: EditCommand,
  result: CommandResult,
  mark: AppliedMark | null,
  { handover, order }: Editing,
): Promise<void> {
  const { order_id, cause } = command;
  const isChange = mark !== null && command.command.kind === 'set_status';
  const change_id = changeIdOf(command);
  const change: OrderChange | null = isChange
    ? { change_id, order_id, kind: 'status_changed', from: mark.from, to: mark.to, at: mark.at, cause, keys: [] }
    : null;
  await handover.add({ _id: change_id, order, result, change, source: 'automation' });
}

async function addNote(command: NoteCommand, editing: Editing): Promise<CommandResult> {
  const { shop, renew, handover, order, telemetry } = editing;
  const { note: text, customer_note } = command.command;
  const path = `wc/v3/orders/${order.id}/notes`;
  const id = changeIdOf(command);
  const listed = async (): Promise<string[]> =>
    ((await shop.get(path)) as unknown[]).map((one) => String(asFields(one).note));
  editing.notes ??= await listed();
  const result = noteResult(command);
  const isThere = editing.notes.some((one) => markOf(one) === id);
  if (!isThere) {
    const written = await confirmed(editing, {
      what: `POST ${path}`,
      send: async () => {
        await renew();
        return String(asFields(await shop.write('POST', path, { note: marked(text, id), customer_note })).note);
      },
      find: async () => (await listed()).find((one) => markOf(one) === id) ?? null,
    });
    if (markOf(written) !== id) telemetry.markLost(order.id);
  }
  await handover.add({ _id: id, order, result, change: null, source: 'automation' });
  return isThere ? again(result) : result;
}
