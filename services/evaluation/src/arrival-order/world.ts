import {
  isoTime,
  type Order,
  type OrderCommand,
  type OrderContext,
  type StepResult,
} from '@order-automation/contracts';
import type { CompiledRules, Facts } from '@order-automation/engine';
import { heardTasks } from '../attempts/follow-ups';
import type { ActionRecord, EvaluationDocument } from '../evaluation-document';
import { isStale } from '../history/object-states';
import type { Known } from '../history/order-history';
import { type Ports, run } from '../run';
import { dryPorts, type SimulateDeps } from '../simulate/dry-ports';
import { taskOfEvent } from '../task';
import type { Told } from './lives';

/** An order after some webhooks, with what is known of it. Each webhook makes another world. */
export type World = {
  readonly context: OrderContext;
  readonly known: Known;
  /** Keys of the actions that were carried out: each acts once. */
  readonly done: ReadonlySet<string>;
  /** What rules have made of the order, by name (`status`, `field KEY`, `tag TAG`, `note 1 of rule 3`), with the rule that did it last. */
  readonly marks: ReadonlyMap<string, { readonly value: string; readonly by: number }>;
  /** Webhooks that something later, or another payment, has made void: they did not reach all the rules that listen to them. */
  readonly passedOver: readonly string[];
  /** A payment came for an order that no longer waits for one, of which the log warns. */
  readonly late: boolean;
};

/** `work`: how many webhooks, and changes that these set off, may still be tried. */
export type Stage = {
  readonly rules: CompiledRules;
  readonly facts: Facts;
  readonly awaiting: ReadonlySet<string>;
  readonly work: { left: number };
};

const fresh = { known: { payments: [], states: [] }, done: new Set<string>(), marks: new Map(), passedOver: [] };
export const worldOf = ({ facts }: Stage): World => ({ ...fresh, context: facts.context, late: false });

/** The order after one more webhook, by the code of production: its history, its guards, its rules, and what these set off. */
export async function afterWebhook(before: World, { event, says }: Told, stage: Stage): Promise<World> {
  const [done, marks] = [new Set(before.done), new Map(before.marks)];
  const next = { ...before, done, marks };
  const documents: EvaluationDocument[] = [];
  const { ports } = dryPorts(dryDeps(next, stage));
  const finish: Ports['finish'] = async (document) => {
    documents.push(document);
    return document.outcome ?? 'error';
  };
  const webhook = { connection: null, body_bytes: 0, metadata: {} };
  const tasks = [taskOfEvent({ event, process_id: event.id, webhook })];
  for (let task = tasks.shift(); task; task = tasks.shift()) {
    stage.work.left -= 1;
    const seen = documents.length;
    await run(task, { ...ports, finish });
    for (const { changes } of documents.slice(seen)) tasks.push(...heardTasks(changes, ports.rules));
  }
  for (const { steps, late, held, overtaken_by } of documents) {
    for (const { rule_id: by, actions } of steps)
      for (const action of actions.filter(({ key }) => !before.done.has(key))) {
        done.add(action.key);
        const [name, value = ''] = markOf(action, by);
        marks.set(name, { value, by });
      }
    if (held !== null || overtaken_by !== null) next.passedOver = [...next.passedOver, says].sort();
    next.late ||= late !== null;
  }
  return next;
}

/** Notes, e-mails and calls have no value: they are there or not. */
function markOf({ effect, index }: ActionRecord, rule: number): readonly [name: string, value?: string] {
  if (effect.kind !== 'order') return [`${effect.kind === 'email' ? 'e-mail' : 'call'} ${index} of rule ${rule}`];
  const { command } = effect;
  if (command.kind === 'set_status') return ['status', command.status];
  if (command.kind === 'set_meta') return [`field ${command.key}`, command.value];
  return command.kind === 'add_tag' ? [`tag ${command.tag}`, command.tag] : [`note ${index} of rule ${rule}`];
}

function dryDeps(
  next: { -readonly [Key in keyof World]: World[Key] },
  { rules, facts, awaiting }: Stage,
): SimulateDeps {
  // Times are compared: each webhook comes after those before it.
  const now = facts.now + next.known.states.length + next.known.payments.length + next.done.size;
  const byId = new Map(rules.all.map((rule) => [rule.record.id, rule]));
  const carriedOut = new Set(next.done);
  return {
    shop: {
      find: async () => ({ context: next.context, by: 'order_id' }),
      get: async () => next.context,
      customer: async () => facts.customer,
    },
    preview: async (_steps, { key, order_id, commands, cause }): Promise<StepResult> => {
      const { process_id } = cause;
      const before = next.context.order;
      const open = commands.filter((one) => !carriedOut.has(one.key));
      for (const one of open) carriedOut.add(one.key);
      const order = open.reduce((so, { command }) => withCommand(so, command, now), before);
      next.context = { ...next.context, order, revision: String(carriedOut.size) };
      const ids = { change_id: `${key}:status`, order_id, keys: [] };
      const change = { ...ids, from: before.status, to: order.status, at: isoTime(now), cause };
      return {
        kind: open.length > 0 ? 'applied' : 'repeated',
        process_id,
        results: commands.map((one) => ({ key: one.key, status: 'applied', process_id, message: '', changes: [] })),
        context: next.context,
        changes: before.status === order.status ? [] : [{ ...change, kind: 'status_changed' }],
        entries: [],
      };
    },
    history: {
      note: async (_orderId, read) => {
        const before = next.known;
        const { result, after } = read(before);
        next.known = after;
        return { result, isNew: after !== before };
      },
      isPassed: async (_orderId, state) => isStale(next.known.states, state),
    },
    rules: { current: () => rules, versions: async (versions) => versions.flatMap(({ id }) => byId.get(id) ?? []) },
    disabledRules: async () => undefined,
    mail: null,
    clock: { now: () => now },
    timeZone: facts.timeZone,
    awaiting,
  };
}

/** Notes are no part of the order that conditions see. */
function withCommand(order: Order, command: OrderCommand, now: number): Order {
  if (command.kind === 'set_status' && command.status !== order.status)
    return { ...order, status: command.status, status_since: isoTime(now) };
  if (command.kind === 'add_tag') return { ...order, tags: [...new Set(order.tags).add(command.tag)] };
  if (command.kind !== 'set_meta') return order;
  const { key, value } = command;
  return { ...order, meta_data: [...order.meta_data.filter((meta) => meta.key !== key), { key, value }] };
}
