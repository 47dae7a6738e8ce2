import type { CommandResult, Order } from '@order-automation/contracts';
import { changeIdOf, type EditCommand, repeatedResult } from '../orders/commands';
import { orderChanges } from '../orders/order-change';
import { namesOf } from '../orders/order-lookup';
import { type AppliedMark, marksOf, maxMarks, withMarks } from './applied-meta';
import { appliedResult, failed, missing, recoveredResult } from './decide';
import type { WooCommerceDeps } from './deps';
import { isMissing, ShopRefusal } from './failures';
import { keepPaid } from './late-checkouts';
import { confirmedWrite, type Write } from './lost-writes';
import { orderFrom } from './order-mapping';
import { type PlannedWrite, planEdits } from './plan-edits';
import { stepIdOf } from './step-journal';

/** A step while its order's lease is held: the order as it was read or last written. */
export type Working = WooCommerceDeps & {
  readonly stepKey: string;
  readonly renew: () => Promise<void>;
  /** Milliseconds for which a write may happen yet that an earlier try of this step has lost. */
  unsettled: number;
  order: Order;
};

/** What the work has lost before is looked for once: at its first write. */
export async function confirmed<Result>(working: Working, { send, ...write }: Write<Result>): Promise<Result> {
  const { shop, renew, unsettled } = working;
  working.unsettled = 0;
  const renewed = async (): Promise<Result> => {
    await renew();
    return send();
  };
  return confirmedWrite(shop, { ...write, send: renewed, unsettled });
}

/** Carries out the commands that change the order itself. Those that the order remembers are done. */
export async function applyEdits(commands: readonly EditCommand[], working: Working): Promise<CommandResult[]> {
  const marks = new Map(marksOf(working.order).map((mark) => [mark.key, mark]));
  const results: CommandResult[] = [];
  const open: EditCommand[] = [];
  for (const command of commands) {
    const mark = marks.get(command.key);
    if (!mark) open.push(command);
    else {
      const result = recoveredResult(command, mark);
      await handOver(command, result, mark, working, working.order);
      results.push(repeatedResult(result));
    }
  }
  const plan = planEdits(working.order, open);
  results.push(...plan.results);
  for (const write of plan.writes) results.push(...(await carryOut(write, working)));
  return results;
}

/** What WooCommerce refuses as a whole is tried command by command, so that a poisoned one harms itself alone. */
async function carryOut(write: PlannedWrite, working: Working): Promise<CommandResult[]> {
  const commands = write.edits.map(({ command }) => command);
  try {
    return await put(write, working);
  } catch (error) {
    if (!(error instanceof ShopRefusal)) throw error;
    if (isMissing(error)) return commands.map(missing);
    const [only] = commands;
    // A page of a firewall may be gone later, and the status is what the order waits for.
    if (error.shopCode === '' && only?.command.kind === 'set_status' && commands.length === 1) throw error;
    if (only && commands.length === 1) return [failed(only, `WooCommerce refused it: ${error.said}`)];
    const results: CommandResult[] = [];
    for (const command of commands) results.push(...(await applyEdits([command], working)));
    return results;
  }
}

/** WooCommerce stores an order before it acts on its new status: of a plugin that fails or ends PHP then, the order does not tell. */
const brokenOff = 'WooCommerce failed while it did this: see whether the stock was changed and its e-mails were sent.';

async function put({ status, meta, edits }: PlannedWrite, working: Working): Promise<CommandResult[]> {
  const { shop, read, statuses, clock, watch, order: before, stepKey } = working;
  const at = new Date(clock.now()).toISOString();
  const by = await watch.sinceWhen();
  const done = edits.map(({ command, from, to }) => {
    const what = command.command.kind === 'set_status' ? ('status' as const) : ('field' as const);
    const { key, cause } = command;
    const { process_id } = cause;
    return { command, mark: { key, process_id, at, from, to, what, step: stepKey, order_id: before.id, by } };
  });
  const marks = done.map(({ mark }) => mark);
  const remembered = withMarks(before, marks, await isNoted(working, marks.length));
  const path = `wc/v3/orders/${before.id}`;
  let note = '';
  const body = {
    ...(status === undefined ? {} : { status: await statuses.spelled(status) }),
    meta_data: [...meta, remembered],
  };
  const made = await confirmed(working, {
    what: `PUT ${path}`,
    send: async () => orderFrom(await shop.write('PUT', path, body)),
    find: async (answered) => {
      const found = await read.byId(before.id);
      const keys = new Set(found ? marksOf(found).map(({ key }) => key) : []);
      const isThere = marks.every(({ key }) => keys.has(key));
      const isStored = isThere || (status !== undefined && found?.status === status);
      // A 502 or 504 says nothing of what WooCommerce is still doing.
      note = isStored && answered !== null && answered <= 500 ? ` ${brokenOff}` : note;
      return isThere ? found : null;
    },
  });
  // A checkout that is still at work may have saved the order meanwhile.
  const known = { status: before.status, names: namesOf(before), marks: [] };
  const after = status === undefined ? made : await keepPaid(known, made, shop);
  working.order = after;
  const results: CommandResult[] = [];
  for (const { command, mark } of done) {
    const own = appliedResult(command, before, after, { from: mark.from, meta });
    const result = mark.what === 'status' ? { ...own, message: `${own.message}${note}` } : own;
    await handOver(command, result, mark.what === 'status' ? { ...mark, to: after.status } : mark, working, before);
    results.push(result);
  }
  return results;
}

/** Which of the commands that the order remembers are in the journal. It is asked only when the order has no room for more. */
async function isNoted({ order, steps, journal }: Working, added: number): Promise<(mark: AppliedMark) => boolean> {
  const marks = marksOf(order);
  if (marks.length + added <= maxMarks) return () => false;
  const stepOf = ({ step }: AppliedMark): string => stepIdOf({ order_id: order.id, key: step });
  const idOf = ({ key }: AppliedMark): string => changeIdOf({ key, order_id: order.id });
  const done = await steps.done(marks.map(stepOf));
  const noted = new Set((await journal.byIds(marks.map(idOf))).map(({ _id }) => _id));
  return (mark) => noted.has(idOf(mark)) || done.has(stepOf(mark));
}

/**
 * A status that changed is published and recorded by the shop itself: of a draft that it is created now. The document with the result is the last one:
 * a command that has it is done and hands over nothing.
 */
async function handOver(
  command: EditCommand,
  result: CommandResult,
  { from, to, at }: AppliedMark,
  { handover }: Working,
  order: Order,
): Promise<void> {
  if (command.command.kind !== 'set_status') return;
  const change_id = changeIdOf(command);
  const before = { ...order, status: from ?? order.status };
  const changes = orderChanges(before, { ...order, status: to }, { change_id, at, cause: command.cause });
  for (const change of changes.reverse()) {
    const own = change.change_id === change_id ? result : null;
    await handover.add({ _id: change.change_id, order, result: own, change, source: 'automation' });
  }
}
