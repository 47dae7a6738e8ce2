import type { Bus } from '@order-automation/bus';
import {
  type CommandResult,
  type EventDone,
  type EventReceived,
  type KeyedCommand,
  type NewAuditEntry,
  newProcessId,
  type OrderContext,
  paginate,
  type RuleRecord,
  ServiceError,
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
  /** The orders of the shop. */
  readonly orders: Map<number, OrderContext>;
  /** Happens between a decision and its command, once. */
  beforeApply: (() => void) | null;
  /** Commands that came too late. */
  stale: number;
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
    effectPatience: 60 * 60 * 1000,
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
    orders: new Map([[42, contextOf(42)]]),
    poison: null,
    poisoned: { resolve: new Set(), apply: new Set(), record: new Set() },
    failing: new Set(),
    applied: new Map(),
    beforeApply: null,
    stale: 0,
    audit: 'up',
    auditRefuses: () => false,
    commands: new Map(),
    entries: new Map(),
    done: [],
  };
  const serve = (ids: readonly (number | null)[]): void => {
    if (peers.shop === 'away') throw unavailable('shop');
    if (peers.shop === 'broken' || (peers.poison !== null && ids.includes(peers.poison)))
      throw new ServiceError(500, 'svc_internal_error', 'The shop failed.');
  };
  const known = (ids: readonly number[]) => [...new Set(ids)].flatMap((id) => peers.orders.get(id) ?? []);
  await bus.respond('rules.active-versions.v1', async () => ({
    revision: peers.revision,
    versions: peers.rules.map(({ id, version }) => ({ id, version })),
    next: null,
  }));
  await bus.respond('rules.records.v1', async ({ ids }) => ({
    rules: peers.rules.filter(({ id }) => ids.includes(id)),
    missing: ids.filter((wanted) => !peers.rules.some(({ id }) => id === wanted)),
  }));
  await bus.respond('rules.version.get.v1', async ({ versions }) => ({
    rules: versions.flatMap((one) => peers.versions.get(`${one.id}:${one.version}`) ?? []),
    missing: versions.filter((one) => !peers.versions.has(`${one.id}:${one.version}`)),
  }));
  await bus.respond('shop.order.resolve.v1', async ({ references }) => {
    const ids = references.map(({ order_id }) => Number(order_id));
    serve(ids);
    refuse(peers.poisoned.resolve, ids);
    const matches = ids.map((id) => (peers.orders.has(id) ? { order_id: id, by: 'order_id' as const } : null));
    return { matches, orders: known(ids) };
  });
  await bus.respond('shop.order.list.v1', async ({ status, page, per_page }) => {
    const orders = [...peers.orders.values()].map(({ order }) => order).filter((order) => order.status === status);
    return { orders, pagination: paginate(orders.length, page, per_page) };
  });
  await bus.respond('shop.order.get.v1', async ({ ids }) => {
    serve(ids);
    return { orders: known(ids) };
  });
  await bus.respond('shop.order.apply.v1', async ({ commands }) => {
    serve(commands.map(({ order_id }) => order_id));
    refuse(
      peers.poisoned.apply,
      commands.map(({ order_id }) => order_id),
    );
    if (commands.some(({ order_id }) => peers.failing.has(order_id))) {
      const data = { part: 'shop', shop_status: 500 };
      throw new ServiceError(502, 'svc_shop_failed', 'WooCommerce answered 500 to PUT; other requests work.', data);
    }
    peers.beforeApply?.();
    peers.beforeApply = null;
    return { results: commands.map((command) => apply(peers, command)), orders: [] };
  });
  await bus.respond('audit.record.v1', async ({ entries }) => {
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

function apply(peers: Peers, { key, cause, order_id, command, expected }: KeyedCommand): CommandResult {
  const order = peers.orders.get(order_id)?.order;
  const { process_id } = cause;
  if (command.kind === 'set_status' && order && expected && order.status !== expected.status) {
    peers.stale += 1;
    return { key, status: 'stale', process_id, message: 'The order has moved.', changes: [] };
  }
  const times = (peers.commands.get(key) ?? 0) + 1;
  peers.commands.set(key, times);
  const status = times === 1 ? 'applied' : 'already_applied';
  if (command.kind === 'set_status' && order && times === 1) {
    const change = { from: order.status, to: command.status };
    peers.applied.set(order_id, [...(peers.applied.get(order_id) ?? []), change]);
    order.status = command.status;
  }
  const address = order?.billing.email ?? '';
  const wantsMail = command.kind === 'set_status' && command.send_emails;
  const mail = { to: 'customer' as const, address, subject: `Order ${order_id} is complete`, body: 'Thanks.' };
  return { key, status, process_id, message: 'Done.', changes: [], ...(wantsMail ? { mail } : {}) };
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
