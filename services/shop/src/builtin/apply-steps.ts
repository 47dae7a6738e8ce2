import {
  type Answer,
  type CommandResult,
  newId,
  type OrderContext,
  type OrderStep,
  type StepResult,
} from '@order-automation/contracts';
import { repeatedResult } from '../orders/commands';
import { entriesOf } from '../orders/order-change';
import { plainStatus } from '../orders/order-status';
import { maxApplied } from './applied-commands';
import type { AppliedStep, OrderDocument } from './order-document';
import { mailAbout } from './order-mail';
import { maxNotes } from './order-notes';
import { isStockPending } from './order-status';
import { appliedStep, applyStep, type StepInput } from './order-step';
import type { BuiltinParts } from './parts';

/**
 * Carries out steps, each once by its key: one guarded write an order holds the change, its notes and the key with the results. Nothing else is
 * stored for it, because the caller has stored what it decided and asks again until it has the answer.
 */
export const applySteps: Answer<'shop.order.apply.v2', BuiltinParts> = async ({ steps }, deps) => {
  const by = newId('req', deps.clock.now());
  const { documents, archived } = await editOrders(await inputsOf(steps, by, deps), deps);
  const contexts = await contextsOf(documents, deps);
  const seen = new Set<string>();
  const results = steps.map((step): StepResult => {
    const document = documents.get(step.order_id);
    const context = contexts.get(step.order_id);
    if (!document || !context) return { kind: 'missing' };
    const applied = appliedStep(document, step.key) ?? archived.get(step.key);
    if (!applied) return { kind: 'stale', context };
    const isFirst = applied.by === by && !seen.has(step.key);
    seen.add(step.key);
    return resultOf(step, applied, document, context, isFirst);
  });
  deps.telemetry.commandsDone(results.flatMap((result) => ('results' in result ? result.results : [])));
  return { results };
};

/** Of a step that was carried out; `isFirst` for the request that did it. */
export function resultOf(
  step: OrderStep,
  applied: AppliedStep,
  document: OrderDocument,
  context: OrderContext,
  isFirst: boolean,
): StepResult {
  const { process_id, changes } = applied;
  const results = answersOf(step, applied, document, isFirst);
  const entries = entriesOf(changes, document.order, 'automation');
  return { kind: isFirst ? 'applied' : 'repeated', process_id, results, context, changes: [...changes], entries };
}

async function inputsOf(steps: readonly OrderStep[], by: string, deps: BuiltinParts): Promise<StepInput[]> {
  const { site, counters, clock } = deps;
  const notesOf = ({ commands }: OrderStep): number =>
    commands.filter(({ command }) => command.kind === 'add_note').length;
  const total = steps.map(notesOf).reduce((sum, count) => sum + count, 0);
  const [statuses, first] = await Promise.all([site.statuses(), total === 0 ? 0 : counters.noteIds(total)]);
  const now = clock.now();
  let next = first;
  return steps.map((step) => {
    const input = { step, now, by, statuses, noteId: next };
    next += notesOf(step);
    return input;
  });
}

type Edited = {
  readonly documents: ReadonlyMap<number, OrderDocument>;
  readonly archived: ReadonlyMap<string, AppliedStep>;
};

/**
 * One guarded write an order. Keys that an order no longer holds are looked up, and looked up again when more of them were moved meanwhile: no
 * step is carried out while it is uncertain.
 */
async function editOrders(inputs: readonly StepInput[], deps: BuiltinParts): Promise<Edited> {
  const { orders, appliedCommands, handover } = deps;
  const byOrder = new Map<number, StepInput[]>();
  for (const input of inputs) byOrder.set(input.step.order_id, [...(byOrder.get(input.step.order_id) ?? []), input]);
  const documents = new Map<number, OrderDocument>();
  const looked = new Map<number, number>();
  let archived = new Map<string, AppliedStep>();
  const isCertain = ({ _id, archived: moved }: OrderDocument): boolean => moved === (looked.get(_id) ?? 0);
  for (let open = [...byOrder.keys()]; open.length > 0; ) {
    const edited = await orders.edit(open, (document) => {
      if (!isCertain(document)) return document;
      return (byOrder.get(document._id) ?? [])
        .filter(({ step }) => !archived.has(step.key))
        .reduce(applyStep, document);
    });
    for (const [id, document] of edited) documents.set(id, document);
    open = [...edited.values()].filter((document) => !isCertain(document)).map(({ _id }) => _id);
    const steps = open.flatMap((id) => (byOrder.get(id) ?? []).map(({ step }) => step));
    archived = new Map([...archived, ...(await appliedCommands.find(steps))]);
    for (const id of open) looked.set(id, documents.get(id)?.archived ?? 0);
  }
  const all = [...documents.values()];
  await handover.stock(all.filter(({ stock }) => isStockPending(stock)));
  await archive(all, deps);
  return { documents, archived };
}

/** Shortens the lists of an order that has many steps or notes. */
async function archive(documents: readonly OrderDocument[], deps: BuiltinParts): Promise<void> {
  const { orders, appliedCommands, notes } = deps;
  const withManySteps = documents.filter(({ applied }) => applied.length >= maxApplied);
  await appliedCommands.archive(withManySteps, orders);
  const withManyNotes = documents.filter((document) => (document.notes ?? []).length >= maxNotes);
  await notes.archive(withManyNotes, orders);
}

async function contextsOf(documents: Edited['documents'], { facts }: BuiltinParts) {
  const contexts = await facts.contexts([...documents.values()]);
  return new Map(contexts.map((context) => [context.order.id, context]));
}

/** The results by the keys of the commands, with the e-mail about a status that was set, at every repeat too: it is sent once by the key. */
function answersOf(
  { commands }: OrderStep,
  { results, process_id }: AppliedStep,
  { order }: OrderDocument,
  isFirst: boolean,
): CommandResult[] {
  const byKey = new Map(results.map((result) => [result.key, result]));
  return commands.map(({ key, command }) => {
    const result = byKey.get(key);
    if (!result) return { key, process_id, status: 'already_applied', message: actedBefore, changes: [] };
    const answer = isFirst ? result : repeatedResult(result);
    const wantsMail = command.kind === 'set_status' && command.send_emails && result.changes.length > 0;
    const mail = wantsMail ? mailAbout(order, plainStatus(command.status)) : null;
    return mail ? { ...answer, mail } : answer;
  });
}

const actedBefore = 'The rule had another action then.';
