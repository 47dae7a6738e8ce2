import type { Bus } from '@order-automation/bus';
import {
  type CommandResult,
  type MessageData,
  type NewAuditEntry,
  type Order,
  type OrderCommand,
  type OrderStep,
  ServiceError,
  type StepResult,
} from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import type { LaneDeps } from '@order-automation/testing';
import { type ShopSettings, startShop } from '../src';
import type { KeyedCommand } from '../src/orders/commands';

export const person = { process_id: 'proc_person', depth: 0, author: 'ada' };

export type Running = {
  readonly deps: LaneDeps;
  readonly service: Service;
  /** What the shop published, in order. */
  readonly changes: { id: string; data: MessageData<'shop.order-changed.v1'> }[];
  readonly refunds: MessageData<'shop.order-refunded.v1'>[];
  /** What the shop handed to the log. */
  readonly entries: NewAuditEntry[];
};

/** A shop that somebody listens to. `audit` decides whether the log is there. */
export async function startListenedShop(
  deps: LaneDeps,
  { demoShop = false, timeZone = 'UTC', audit = (): boolean => true, settings = {} as Partial<ShopSettings> } = {},
): Promise<Running> {
  const changes: Running['changes'] = [];
  const refunds: Running['refunds'] = [];
  const entries: NewAuditEntry[] = [];
  await deps.bus.subscribe('shop.order-refunded.v1', 'test', async (messages) => {
    for (const { data } of messages) refunds.push(data);
  });
  await deps.bus.subscribe('shop.order-changed.v1', 'test', async (messages) => {
    for (const { id, data } of messages) changes.push({ id, data });
  });
  await deps.bus.respond('audit.record.v2', async ({ records }) => {
    if (!audit()) throw new Error('the log is away');
    for (const { process_id, entries: own } of records) entries.push(...own.map((entry) => ({ ...entry, process_id })));
    return { recorded: records.length, duplicates: 0 };
  });
  const service = await startShop(deps, { demoShop, timeZone, ...settings });
  return { deps, service, changes, refunds, entries };
}

export const save = (bus: Bus, id: number, fields: Record<string, unknown>, cause = person) =>
  bus.request('shop.order.save.v1', { id, fields, cause }, { timeout: 10_000 });

export const applySteps = async (bus: Bus, steps: OrderStep[]) =>
  (await bus.request('shop.order.apply.v2', { steps }, { timeout: 20_000 })).results;

export const asSteps = (commands: readonly KeyedCommand[]): OrderStep[] =>
  commands.map(({ key, order_id, command, cause }) => ({
    key: `step-${key}`,
    order_id,
    revision: null,
    commands: [{ key, command }],
    cause,
  }));

/** What became of steps of one command each. Throws what keeps one from being carried out. */
export const resultsOf = (answers: readonly StepResult[]): CommandResult[] =>
  answers.flatMap((answer) => {
    if (answer.kind !== 'unavailable') return 'results' in answer ? answer.results : [];
    const { about, reason, retry_after_ms } = answer;
    throw new ServiceError(about === 'shop' ? 503 : 502, 'svc_unavailable', reason, { retry_after_ms });
  });

/** Each command as a step of its own, whatever the order's revision; commands about orders that are missing have no result. */
export const apply = async (bus: Bus, commands: readonly KeyedCommand[]): Promise<CommandResult[]> =>
  resultsOf(await applySteps(bus, asSteps(commands)));

/** A step of one rule. */
export function step(key: string, order_id: number, revision: string | null, ...commands: OrderCommand[]): OrderStep {
  const keyed = commands.map((command, index) => ({ key: `${key}:${index}`, command }));
  return { key, order_id, revision, commands: keyed, cause: { process_id: 'proc_1', depth: 1, author: 'rule 7' } };
}

export const view = async (bus: Bus, id: number) =>
  (await bus.request('shop.order.view.v1', { id }, { timeout: 10_000 })).order as Order & {
    notes: { note: string; id: number }[];
  };

export function note(key: string, order_id: number, text = `note ${key}`): KeyedCommand {
  return {
    key,
    order_id,
    command: { kind: 'add_note', note: text, customer_note: false },
    cause: { process_id: 'proc_1', depth: 1, author: 'rule 7' },
  };
}

export function status(key: string, order_id: number, to = 'completed', extra = {}): KeyedCommand {
  return {
    key,
    order_id,
    command: { kind: 'set_status', status: to, send_emails: false, update_stock: false, ...extra },
    cause: { process_id: 'proc_1', depth: 1, author: 'rule 7' },
  };
}

let imports = 0;

/** Imports records of one type, or whole lines. */
export async function importAll(bus: Bus, type: string, records: readonly object[], events = true) {
  imports += 1;
  const lines = records.map((data) => JSON.stringify({ type, data }));
  const id = `test-${process.pid}-${imports}`;
  const input = { id, after: 0, lines, broken: [], digest: 'none', last: true, events, cause: person };
  return bus.request('shop.import.v2', input, { timeout: 20_000 });
}
