import type { Bus } from '@order-automation/bus';
import {
  type CommandResult,
  type EventDone,
  type EventReceived,
  type KeyedCommand,
  type NewAuditEntry,
  newProcessId,
  type RuleRecord,
  ServiceError,
  unavailable,
} from '@order-automation/contracts';
import { buildEvent, buildOrder, buildOrderContext, buildRule, buildRuleData } from '@order-automation/testing';

/** Shop, rules and audit as evaluation sees them, at the other end of the bus. */
export type Peers = {
  rules: RuleRecord[];
  shop: 'up' | 'away' | 'broken';
  audit: 'up' | 'away';
  /** How often each command key came. */
  readonly commands: Map<string, number>;
  readonly entries: Map<string, NewAuditEntry>;
  readonly done: EventDone[];
};

const tooMuch = { id: 'order_total', settings: { operator: 'gt', amount: 50 } };
export const ruleThatFails = buildRule({ id: 2, rule: buildRuleData({ conditions: [tooMuch], primaryAction: null }) });
const order = buildOrder({ id: 42, total: '49.00', currency: 'EUR', status: 'pending' });

export async function startPeers(bus: Bus): Promise<Peers> {
  const peers: Peers = {
    rules: [noteRule(1)],
    shop: 'up',
    audit: 'up',
    commands: new Map(),
    entries: new Map(),
    done: [],
  };
  const context = buildOrderContext({ order });
  await bus.respond('rules.active.v1', async () => ({ revision: 1, rules: peers.rules }));
  await bus.respond('shop.order.resolve.v1', async ({ references }) => ({
    matches: references.map(({ order_id }) => (order_id === '42' ? { order_id: 42, by: 'order_id' as const } : null)),
    orders: [context],
  }));
  await bus.respond('shop.order.get.v1', async () => ({ orders: [context] }));
  await bus.respond('shop.order.apply.v1', async ({ commands }) => {
    if (peers.shop === 'away') throw unavailable('shop');
    if (peers.shop === 'broken') throw new ServiceError(500, 'svc_internal_error', 'broken');
    return { results: commands.map((command) => apply(peers, command)), orders: [] };
  });
  await bus.respond('audit.record.v1', async ({ entries }) => {
    if (peers.audit === 'away') throw unavailable('audit');
    for (const entry of entries) peers.entries.set(entry.uid, entry);
    return { recorded: entries.length, duplicates: 0 };
  });
  await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
    peers.done.push(...messages.flatMap(({ data }) => data.events));
  });
  return peers;
}

function apply(peers: Peers, { key, cause }: KeyedCommand): CommandResult {
  const times = (peers.commands.get(key) ?? 0) + 1;
  peers.commands.set(key, times);
  const status = times === 1 ? 'applied' : 'already_applied';
  return { key, status, process_id: cause.process_id, message: 'A note was added.', changes: [] };
}

export function noteRule(id: number): RuleRecord {
  const note = { id: 'add_order_note', settings: { note_text: 'hello' } };
  return buildRule({ id, rule: buildRuleData({ conditions: [], primaryAction: null, secondaryActions: [note] }) });
}

export function received(transaction: string): EventReceived {
  const event = buildEvent({
    transactionID: transaction,
    orderReference: { gateway_ids: [], order_id: '42', transaction_id: transaction },
  });
  return { process_id: newProcessId(Date.now()), event, webhook: { connection: null, body_bytes: 2, metadata: {} } };
}
