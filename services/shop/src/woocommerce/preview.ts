import { type Answer, type CommandResult, isoTime, type Order, type OrderStep } from '@order-automation/contracts';
import { changeIdOf } from '../orders/commands';
import { entriesOf, orderChanges, type ShopEvent } from '../orders/order-change';
import { inTrash, isInTrash, withStatus } from '../orders/order-status';
import { appliedResult, failed, noteResult } from './decide';
import type { WooCommerceDeps } from './deps';
import { editedBy, planEdits } from './plan-edits';
import { commandsOf, isEdit, isNote } from './steps';

type Deps = Pick<WooCommerceDeps, 'read' | 'clock'>;

/** What the last of these steps of one order would do after those before it: read once, and decided in memory. */
export const previewSteps: Answer<'shop.order.preview.v1', Deps> = async ({ steps }, { read, clock }) => {
  const [first] = steps;
  const stored = first ? await read.byId(first.order_id) : null;
  if (!first || !stored) return { result: { kind: 'missing' } };
  const [now] = await read.contexts([stored]);
  if (now && first.revision !== null && now.revision !== first.revision)
    return { result: { kind: 'stale', context: now } };
  let previewed: Previewed = { order: stored, results: [], changes: [] };
  for (const step of steps) previewed = preview(step, previewed.order, isoTime(clock.now()));
  const { order, results, changes } = previewed;
  const [context] = await read.contexts([order]);
  if (!context) return { result: { kind: 'missing' } };
  const entries = entriesOf(changes, order, 'automation');
  const { process_id } = (steps.at(-1) ?? first).cause;
  return { result: { kind: 'applied', process_id, results: [...results], context, changes: [...changes], entries } };
};

type Previewed = {
  readonly order: Order;
  readonly results: readonly CommandResult[];
  readonly changes: readonly ShopEvent[];
};

function preview(step: OrderStep, before: Order, at: string): Previewed {
  const commands = commandsOf(step);
  const plan = planEdits(before, commands.filter(isEdit));
  const done = new Map<string, CommandResult>(plan.results.map((result) => [result.key, result]));
  const changes: ShopEvent[] = [];
  let order = before;
  for (const { status, meta, edits } of plan.writes) {
    const edited = editedBy(order, undefined, meta);
    const after = status === undefined ? edited : withStatus(edited, status, at);
    for (const { command, from } of edits) {
      done.set(command.key, appliedResult(command, order, after, { from, meta }));
      if (command.command.kind === 'set_status')
        changes.push(...orderChanges(order, after, { change_id: changeIdOf(command), at, cause: command.cause }));
    }
    order = after;
  }
  for (const command of commands.filter(isNote))
    done.set(command.key, isInTrash(before) ? failed(command, inTrash) : noteResult(command, before));
  return { order, results: commands.flatMap(({ key }) => done.get(key) ?? []), changes };
}
