import type { Bus } from '@order-automation/bus';
import {
  awaitingPayment,
  type CommandResult,
  derivedId,
  type EventDone,
  type EventReceived,
  type NewAuditEntry,
  newProcessId,
  type OrderContext,
  type OrderStep,
  paginate,
  type RuleRecord,
  ServiceError,
  type StepResult,
  unavailable,
} from '@order-automation/contracts';
import { secret } from '@order-automation/service';
import { buildEvent, buildOrder, buildOrderContext, buildRule, buildRuleData } from '@order-automation/testing';
import type { EvaluationConfig } from '../src';

/** Shop, rules and audit as evaluation sees them, at the other end of the bus. */
export type Peers = {
  rules: RuleRecord[];
  /** Versions that are not the present ones, by id and version. */
  readonly versions: Map<string, RuleRecord>;
  revision: number;
  shop: 'up' | 'away' | 'broken';
  /** Before the shop lists a page of orders. */
  beforeList: (page: number) => void | Promise<void>;
  /** Between the search for orders and its answer. */
  beforeResolved: () => void | Promise<void>;
  /** The orders of the shop. */
  readonly orders: Map<number, OrderContext>;
  /** Happens between a decision and its command, once. */
  beforeApply: (() => void) | null;
  /** Steps that came too late. */
  stale: number;
  /** Steps that were carried out, by their keys. */
  readonly steps: Map<string, { readonly process_id: string; readonly results: CommandResult[] }>;
  /** The shop fails whenever this order is in a request. */
  poison: number | null;
  /** Orders with which one stage fails. */
  readonly poisoned: { readonly resolve: Set<number>; readonly apply: Set<number>; readonly record: Set<number> };
  /** Orders whose commands the shop's own server fails on. */
  readonly failing: Set<number>;
  /** What was applied to each order, in order: the status before and after. */
  readonly applied: Map<number, { readonly from: string; readonly to: string }[]>;
  audit: 'up' | 'away';
  /** The log is unavailable for entries of these uids alone. */
  auditRefuses: (uid: string) => boolean;
  /** How often each command key came. */
  readonly commands: Map<string, number>;
  readonly entries: Map<string, NewAuditEntry>;
  /** The uid of each record that came. */
  readonly records: string[];
  readonly done: EventDone[];
};

const tooMuch = { id: 'order_total', settings: { operator: 'gt', amount: 50 } };
export const ruleThatFails = buildRule({ id: 2, rule: buildRuleData({ conditions: [tooMuch], primaryAction: null }) });

/** As little as evaluation needs; e-mail is not configured unless a test says so. */
export function testConfig(over: Partial<EvaluationConfig> = {}): EvaluationConfig {
  return {
    extensions: [],
    orderWait: 60 * 60 * 1000,
    timeZone: 'UTC',
    awaitingPayment,
    giveUpAfter: 60 * 60 * 1000,
    retention: 90 * 24 * 60 * 60 * 1000,
    secretKey: secret([Buffer.alloc(32, 7)]),
    outboundAllow: { hosts: [], subnets: [] },
    smtpUrl: undefined,
    smtpFrom: undefined,
    ...over,
  };
}

export function contextOf(id: number): OrderContext {
  return buildOrderContext({ order: buildOrder({ id, total: '49.00', currency: 'EUR', status: 'pending' }) });
}

export async function startPeers(bus: Bus): Promise<Peers> {
  const peers: Peers = {
    rules: [noteRule(1)],
    versions: new Map(),
    revision: 1,
    shop: 'up',
    beforeList: () => undefined,
    beforeResolved: () => undefined,
    orders: new Map([[42, contextOf(42)]]),
    poison: null,
    poisoned: { resolve: new Set(), apply: new Set(), record: new Set() },
    failing: new Set(),
    applied: new Map(),
    beforeApply: null,
    stale: 0,
    steps: new Map(),
    audit: 'up',
    auditRefuses: () => false,
    commands: new Map(),
    entries: new Map(),
    records: [],
    done: [],
  };
  const serve = (ids: readonly (number | null)[]): void => {
    if (peers.shop === 'away') throw unavailable('shop');
    if (peers.shop === 'broken' || (peers.poison !== null && ids.includes(peers.poison)))
      throw new ServiceError(500, 'svc_internal_error', 'The shop failed.');
  };
  const known = (ids: readonly number[]) => [...new Set(ids)].flatMap((id) => currentOrder(peers, id) ?? []);
  await bus.respond('rules.active-versions.v1', async () => ({
    revision: peers.revision,
    versions: peers.rules.map(({ id, version }) => ({ id, version })),
    next: null,
  }));
  await bus.respond('rules.records.v1', async ({ ids }) => ({
    rules: peers.rules.filter(({ id }) => ids.includes(id)),
    missing: ids.filter((wanted) => !peers.rules.some(({ id }) => id === wanted)),
  }));
  const inVersion = ({ id, version }: { readonly id: number; readonly version: number }) =>
    peers.versions.get(`${id}:${version}`) ?? peers.rules.find((rule) => rule.id === id && rule.version === version);
  await bus.respond('rules.version.get.v1', async ({ versions }) => ({
    rules: versions.flatMap((one) => inVersion(one) ?? []),
    missing: versions.filter((one) => !inVersion(one)),
  }));
  await bus.respond('shop.order.resolve.v1', async ({ references }) => {
    const ids = references.map(({ order_id }) => Number(order_id));
    serve(ids);
    refuse(peers.poisoned.resolve, ids);
    const matches = ids.map((id) => (peers.orders.has(id) ? { order_id: id, by: 'order_id' as const } : null));
    const found = { matches, orders: known(ids) };
    await peers.beforeResolved();
    return found;
  });
  await bus.respond('shop.order.list.v1', async ({ status, page, per_page }) => {
    await peers.beforeList(page);
    const orders = [...peers.orders.values()].map(({ order }) => order).filter((order) => order.status === status);
    const first = (page - 1) * per_page;
    return { orders: orders.slice(first, first + per_page), pagination: paginate(orders.length, page, per_page) };
  });
  await bus.respond('shop.order.get.v1', async ({ ids }) => {
    serve(ids);
    return { orders: known(ids) };
  });
  await bus.respond('shop.order.apply.v2', async ({ steps }) => {
    const ids = steps.map(({ order_id }) => order_id);
    serve(ids);
    refuse(peers.poisoned.apply, ids);
    peers.beforeApply?.();
    peers.beforeApply = null;
    return { results: steps.map((step) => apply(peers, step)) };
  });
  await bus.respond('audit.record.v2', async ({ records }) => {
    const entries = records.flatMap((record) =>
      record.entries.map((entry) => ({ ...entry, process_id: record.process_id })),
    );
    peers.records.push(...records.map(({ uid }) => uid));
    if (peers.audit === 'away' || entries.some(({ uid }) => peers.auditRefuses(uid))) throw unavailable('audit');
    refuse(
      peers.poisoned.record,
      entries.flatMap(({ event_type, order_id }) => (event_type === 'process_completed' ? [order_id ?? 0] : [])),
    );
    for (const entry of entries) peers.entries.set(entry.uid, entry);
    return { recorded: entries.length, duplicates: 0 };
  });
  await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
    peers.done.push(...messages.flatMap(({ data }) => data.events));
  });
  return peers;
}

function refuse(poisoned: ReadonlySet<number>, ids: readonly number[]): void {
  if (ids.some((id) => poisoned.has(id))) throw new ServiceError(500, 'svc_internal_error', 'Poison.');
}

function currentOrder(peers: Peers, id: number): OrderContext | undefined {
  const context = peers.orders.get(id);
  return context && { ...context, revision: derivedId(JSON.stringify(context.order)) };
}

function apply(peers: Peers, step: OrderStep): StepResult {
  const { key, order_id, revision, commands, cause } = step;
  const before = currentOrder(peers, order_id);
  if (!before) return { kind: 'missing' };
  if (peers.failing.has(order_id)) {
    const reason = 'WooCommerce answered 500 to PUT; other requests work.';
    return { kind: 'unavailable', reason, retry_after_ms: null, about: 'order' };
  }
  const known = peers.steps.get(key);
  if (!known && revision !== null && revision !== before.revision) {
    peers.stale += 1;
    return { kind: 'stale', context: before };
  }
  for (const one of commands) peers.commands.set(one.key, (peers.commands.get(one.key) ?? 0) + 1);
  const { process_id } = cause;
  const done = known ?? { process_id, results: commands.map((one) => carryOut(peers, step, one)) };
  peers.steps.set(key, done);
  const status = known ? ('already_applied' as const) : ('applied' as const);
  const results = done.results.map((result) => ({ ...result, status }));
  const context = currentOrder(peers, order_id) ?? before;
  return { ...done, kind: known ? 'repeated' : 'applied', results, context, changes: [], entries: [] };
}

function carryOut(
  peers: Peers,
  { order_id, cause }: OrderStep,
  { key, command }: OrderStep['commands'][number],
): CommandResult {
  const order = peers.orders.get(order_id)?.order;
  if (command.kind === 'set_status' && order) {
    const change = { from: order.status, to: command.status };
    peers.applied.set(order_id, [...(peers.applied.get(order_id) ?? []), change]);
    order.status = command.status;
  }
  const address = order?.billing.email ?? '';
  const wantsMail = command.kind === 'set_status' && command.send_emails;
  const mail = { to: 'customer' as const, address, subject: `Order ${order_id} is complete`, body: 'Thanks.' };
  const { process_id } = cause;
  return { key, status: 'applied', process_id, message: 'Done.', changes: [], ...(wantsMail ? { mail } : {}) };
}

export function noteRule(id: number): RuleRecord {
  const note = { id: 'add_order_note', settings: { note_text: 'hello' } };
  return buildRule({ id, rule: buildRuleData({ conditions: [], primaryAction: null, secondaryActions: [note] }) });
}

export function received(transaction: string, orderId = 42): EventReceived {
  const event = buildEvent({
    transactionID: transaction,
    receivedAt: new Date().toISOString(),
    orderReference: { gateway_ids: [], order_id: String(orderId), transaction_id: transaction },
  });
  return { process_id: newProcessId(Date.now()), event, webhook: { connection: null, body_bytes: 2, metadata: {} } };
}
