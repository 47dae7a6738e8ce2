import { within } from '@order-automation/bus';
import {
  type CommandResult,
  type OrderStep,
  type RequestInput,
  ServiceError,
  type StepResult,
} from '@order-automation/contracts';
import { batcher } from '@order-automation/service';
import { changeIdOf, type EditCommand, type KeyedCommand, type NoteCommand, repeatedResult } from '../orders/commands';
import { inTrash, isInTrash } from '../orders/order-status';
import { marksOf } from './applied-meta';
import { failed } from './decide';
import type { WooCommerceDeps } from './deps';
import { ShopUnavailable } from './failures';
import type { Lease } from './leases';
import { jittered } from './shop-health';
import { applyEdits, type Working } from './step-edits';
import { type StepDocument, stepIdOf } from './step-journal';
import { addNote, notedCommands } from './step-notes';

/** Steps in flight: few orders are finished soon, many at once would all be finished late. An event waits for none of a schedule, or of what a clerk changed. */
const concurrency = { ofEvents: 12, ofChanges: 6 };
/** Milliseconds after which a caller is asked to try again while the step goes on. */
const answerWithin = 6_000;
const askAgain = 1_000;

/**
 * Carries out steps, each once by its key. WooCommerce cannot compare and set, so one instance at a time reads an order, compares its revision and
 * writes. A write leaves its keys on the order (in a meta field, or in the note), the results go into the journal after it: whichever process comes
 * next finds one or the other. A step that was begun is finished whatever the revision. The connector itself publishes and records what changed
 * (handover.ts), so that the answer carries none of it.
 */
export function stepsOf(deps: WooCommerceDeps) {
  const running = new Map<string, Promise<StepResult>>();
  const run = (steps: readonly OrderStep[]) => Promise.all(steps.map((step) => applyStep(step, deps)));
  const ofEvents = batcher({ maxItems: 1, concurrency: concurrency.ofEvents, run });
  const ofChanges = batcher({ maxItems: 1, concurrency: concurrency.ofChanges, run });
  const start = (step: OrderStep): Promise<StepResult> => {
    const id = stepIdOf(step);
    const joined = running.get(id);
    if (joined) return joined.then(repeated);
    const queue = step.cause.event_id?.startsWith('evt_') ? ofEvents : ofChanges;
    const task = queue.add(step).finally(() => running.delete(id));
    running.set(id, task);
    return task;
  };
  return {
    apply: async ({ steps }: RequestInput<'shop.order.apply.v2'>) => {
      const results = await Promise.all(
        steps.map((step) => within(answerWithin, start(step), stillAtWork).catch(unavailable)),
      );
      deps.telemetry.commandsDone(results.flatMap((result) => ('results' in result ? result.results : [])));
      return { results };
    },
    /** Resolves when nothing is in flight. */
    idle: () => Promise.all([ofEvents.idle(), ofChanges.idle()]),
  };
}

const stillAtWork = (): ShopUnavailable =>
  new ShopUnavailable('WooCommerce is still at work on the order.', jittered(askAgain));

const applyStep = (step: OrderStep, deps: WooCommerceDeps): Promise<StepResult> =>
  deps.leases.holding(step.order_id, (lease) => carryOut(step, lease, deps), step.key).catch(unavailable);

/** Throws what is no failure of the shop. */
function unavailable(error: unknown): StepResult {
  if (!(error instanceof ServiceError)) throw error;
  const isShop = error instanceof ShopUnavailable;
  const reason = isShop ? error.reason : error.message;
  const retry_after_ms = isShop ? error.retryAfter : null;
  return { kind: 'unavailable', reason, retry_after_ms, about: isShop ? 'shop' : 'order' };
}

async function carryOut(step: OrderStep, { renew, unsettled }: Lease, deps: WooCommerceDeps): Promise<StepResult> {
  const { read, watch, steps } = deps;
  const _id = stepIdOf(step);
  const [found, known] = await Promise.all([read.byId(step.order_id), steps.find(_id)]);
  if (found === null) return { kind: 'missing' };
  const order = await watch.publishExternalChanges(found);
  const working: Working = { ...deps, stepKey: step.key, renew, unsettled, order };
  const commands = commandsOf(step);
  const earlier = new Map((known?.results ?? []).map((result) => [result.key, repeatedResult(result)]));
  if (known?.results && commands.every(({ key }) => earlier.has(key)))
    return repeated(await answerOf(known, known.results, working));
  if (isInTrash(order)) {
    const results = commands.map((one) => failed(one, inTrash));
    return answerOf(step.cause, results, working);
  }
  const notes = commands.filter(isNote);
  const done = new Map([...(await earlierResults(commands, deps)), ...earlier]);
  const there = known !== null && notes.length > 0 ? await notedCommands(order.id, deps) : new Set<string>();
  const marks = new Set(marksOf(order).map(({ key }) => key));
  const isBegun = commands.some((one) => done.has(one.key) || marks.has(one.key) || there.has(changeIdOf(one)));
  if (!isBegun && step.revision !== null) {
    const context = await contextOf(working);
    if (context.revision !== step.revision) return { kind: 'stale', context };
  }
  const { process_id } = step.cause;
  const document: StepDocument = { _id, order_id: order.id, process_id, at: deps.clock.now(), results: null };
  if (notes.length > 0 && known === null) await steps.begin(document);
  for (const result of await applyEdits(
    commands.filter(isEdit).filter(({ key }) => !done.has(key)),
    working,
  ))
    done.set(result.key, result);
  for (const command of notes)
    if (!done.has(command.key)) done.set(command.key, await addNote(command, there, working));
  const results = commands.flatMap(({ key }) => done.get(key) ?? []);
  if (working.order !== order || results.some(({ status }) => status === 'applied'))
    await watch.accept(working.order, working.order === order);
  await steps.finish({ ...document, results });
  return answerOf(document, results, working);
}

export const isNote = (command: KeyedCommand): command is NoteCommand => command.command.kind === 'add_note';
export const isEdit = (command: KeyedCommand): command is EditCommand => command.command.kind !== 'add_note';

export const commandsOf = ({ order_id, commands, cause: { event_id: _, ...cause } }: OrderStep): KeyedCommand[] =>
  commands.map((one) => ({ ...one, order_id, cause }));

/** Of changes that were handed over before the step ended. */
async function earlierResults(
  commands: readonly KeyedCommand[],
  { journal }: WooCommerceDeps,
): Promise<Map<string, CommandResult>> {
  const documents = await journal.byIds(commands.map(changeIdOf));
  return new Map(documents.flatMap(({ result }) => (result ? [[result.key, repeatedResult(result)] as const] : [])));
}

async function answerOf(
  { process_id }: Pick<StepDocument, 'process_id'>,
  results: readonly CommandResult[],
  working: Working,
): Promise<StepResult> {
  const context = await contextOf(working);
  return { kind: 'applied', process_id, results: [...results], context, changes: [], entries: [] };
}

const repeated = (result: StepResult): StepResult =>
  'results' in result ? { ...result, kind: 'repeated', results: result.results.map(repeatedResult) } : result;

async function contextOf({ read, order }: Pick<Working, 'read' | 'order'>) {
  const [context] = await read.contexts([order]);
  if (!context) throw new Error(`order ${order.id} has no context`);
  return context;
}
