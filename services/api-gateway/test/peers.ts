import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bus } from '@order-automation/bus';
import {
  connectionRequests,
  deliveryRequests,
  eventSourceRequests,
  type ImportProgress,
  intakeEventsRequests,
  intakeSettingsRequests,
  type NewAuditEntry,
  paginate,
  type ReceivedWebhook,
  type Reception,
  type RequestInput,
  type RequestOutput,
  type RequestType,
  ServiceError,
  shopConnectionRequests,
} from '@order-automation/contracts';
import { buildOrder, buildRule, entriesOfRecords } from '@order-automation/testing';

/** What the services behind the edge were asked, and what they answer. */
export type Peers = {
  /** The inputs of every request of a type, oldest first. */
  asked<T extends RequestType>(type: T): RequestInput<T>[];
  readonly webhooks: ReceivedWebhook[];
  readonly groups: number[];
  readonly entries: NewAuditEntry[];
  intake: { ready: boolean; receive: (webhook: ReceivedWebhook) => Reception | Promise<Reception> };
  /** Stops answering requests of this type. */
  leave(type: RequestType): Promise<void>;
  /** What is answered now. */
  types(): RequestType[];
};

export const rule = buildRule({ id: 7, version: 3, name: 'Seven' });
export const order = { ...buildOrder({ id: 1001 }), notes: [] };

export function accepted({ process_id }: ReceivedWebhook): Reception {
  return { success: true, message: '1 event processed', process_id, events_processed: 1, duplicate: false };
}

const result = { success: true, message: 'Saved.', rule_id: 7, audit_logged: true };

function knownRule(id: number): void {
  if (id !== 7 && id !== 1) throw new ServiceError(404, 'svc_rule_not_found', 'There is no such rule.');
}

function knownVersion(version: number | null): void {
  if (version !== null && version !== 3) throw new ServiceError(412, 'svc_version_conflict', 'Changed meanwhile.');
}

/** Answers on the bus in the place of the services behind the edge, by the letter of the contracts. */
export async function startPeers(bus: Bus): Promise<Peers> {
  const inputs = new Map<RequestType, unknown[]>();
  const closers = new Map<RequestType, () => Promise<void>>();
  const peers: Peers = {
    asked: <T extends RequestType>(type: T) => (inputs.get(type) ?? []) as RequestInput<T>[],
    webhooks: [],
    groups: [],
    entries: [],
    intake: { ready: true, receive: accepted },
    leave: async (type) => {
      await closers.get(type)?.();
      closers.delete(type);
    },
    types: () => [...closers.keys()],
  };
  const on: Respond = async (type, handler) => {
    const subscription = await bus.respond(type, async (input) => {
      inputs.set(type, [...(inputs.get(type) ?? []), input]);
      return handler(input);
    });
    closers.set(type, () => subscription.close());
  };
  await answerForIntake(on, peers);
  await answerForRules(on);
  await answerForOthers(on, peers);
  return peers;
}

type Respond = <T extends RequestType>(
  type: T,
  handler: (input: RequestInput<T>) => Promise<RequestOutput<T>>,
) => Promise<void>;

async function answerForIntake(on: Respond, peers: Peers): Promise<void> {
  await on('intake.receive.v1', async ({ webhooks }) => {
    peers.groups.push(webhooks.length);
    peers.webhooks.push(...webhooks);
    return { receptions: await Promise.all(webhooks.map((webhook) => peers.intake.receive(webhook))) };
  });
  await on('intake.status.v1', async () => ({
    ready: peers.intake.ready,
    reason: peers.intake.ready ? null : 'the disk is full',
    adapters: [
      {
        gateway: 'gateway_card',
        display_name: 'Card',
        status: 'active' as const,
        reason: null,
        permissive: false,
        last_event_at: null,
        last_refusal_at: null,
      },
    ],
  }));
  const administration = {
    ...connectionRequests,
    ...intakeSettingsRequests,
    ...eventSourceRequests,
    ...intakeEventsRequests,
    ...deliveryRequests,
    ...shopConnectionRequests,
  };
  for (const type of Object.keys(administration) as (keyof typeof administration)[])
    await on(type, async () => goldenOutput(type));
}

/** The published example of an answer. */
function goldenOutput<T extends RequestType>(type: T): RequestOutput<T> {
  const file = join(__dirname, `../../../shared/contracts/golden/${type}.json`);
  const [example] = JSON.parse(readFileSync(file, 'utf8')) as { output: RequestOutput<T> }[];
  if (!example) throw new Error(`there is no example of ${type}`);
  return example.output;
}

async function answerForRules(on: Respond): Promise<void> {
  await on('rules.component.list.v1', async () => ({
    triggers: [],
    conditions: [],
    primaryActions: [],
    secondaryActions: [],
  }));
  await on('rules.rule.get.v1', async ({ id }) => {
    knownRule(id);
    return { record: rule };
  });
  await on('rules.rule.list.v1', async ({ page, per_page }) => ({
    rules: [rule],
    pagination: paginate(1, page, per_page),
  }));
  await on('rules.rule.create.v1', async () => ({ ...result, record: rule }));
  await on('rules.rule.save.v1', async ({ id, if_match }) => {
    knownRule(id);
    knownVersion(if_match);
    return { ...result, record: { ...rule, version: 4 } };
  });
  const version = { ...rule, saved_at: rule.updated_at, saved_by: 'admin' };
  await on('rules.rule.versions.v1', async ({ id, page, per_page }) => {
    knownRule(id);
    return { versions: [version], pagination: paginate(1, page, per_page) };
  });
  await on('rules.rule.diff.v1', async ({ id }) => {
    knownRule(id);
    return { from: version, to: version, changes: {}, summary: 'nothing changed' };
  });
  await on('rules.rule.restore.v1', async ({ id }) => {
    knownRule(id);
    return { ...result, record: { ...rule, version: 4 } };
  });
  await on('rules.rule.duplicate.v1', async ({ id }) => {
    knownRule(id);
    return { ...result, record: { ...rule, id: 8, version: 1 } };
  });
  await on('rules.reorder.v1', async () => ({ success: true, message: 'Moved.', order: [] }));
  await on('rules.conflict.list.v1', async () => ({ warnings: [], is_truncated: false }));
  await on('evaluation.arrival-order.check.v1', async ({ draft }) => ({
    checked: draft ? 2 : 1,
    findings: [],
    unreached: draft ? [{ id: draft.id, name: draft.name }] : [],
    is_truncated: false,
  }));
  await on('evaluation.money.list.v1', async () => ({
    total: 0,
    findings: [],
    round: { began_at: null, ended_at: null },
  }));
  await on('evaluation.money.check.v1', async () => ({ started: true }));
  await on('rules.template.list.v1', async () => ({ templates: [] }));
  await on('rules.export.v1', async ({ after }) => {
    const { name, enabled, position, stop_processing } = rule;
    const exported = { key: 'seven', name, enabled, position, stop_processing, rule: rule.rule };
    return after === 0 ? { rules: [exported], next: 7 } : { rules: [{ ...exported, key: 'eight' }], next: null };
  });
  await on('rules.import.v1', async () => ({ create: [], change: [], unchanged: [], delete: [] }));
  await on('rules.rule.delete.v1', async ({ id, if_match }) => {
    knownRule(id);
    knownVersion(if_match);
    return result;
  });
}

async function answerForShop(on: Respond): Promise<void> {
  const imports = new Map<string, ImportProgress>();
  const at = '2026-01-01T00:00:00.000Z';
  const refund = {
    id: 7,
    date_created: '2026-01-15T10:00:00.000Z',
    amount: '0.10',
    reason: '',
    refunded_by: 0,
    line_items: [],
  };
  await on('shop.refund.list.v1', async () => ({ refunds: [refund, { ...refund, id: 3, date_created: null }] }));
  await on('shop.refund.create.v1', async ({ key }) => ({ refund, created: key !== 'again' }));
  await on('shop.record.list.v1', async ({ page, per_page }) => ({
    records: [{ id: 101, name: 'Coffee' }],
    pagination: paginate(1, page, per_page),
  }));
  await on('shop.record.get.v1', async ({ id }) => ({ record: { id } }));
  await on('shop.record.put.v1', async ({ id, fields }) => ({ record: { ...fields, id }, created: id === 'new' }));
  await on('shop.record.delete.v1', async () => ({ deleted: true }));
  await on('shop.import.get.v1', async ({ id }) => ({ progress: imports.get(id) ?? null }));
  await on('shop.import.v2', async ({ id, lines, broken, digest, last }) => {
    const before = imports.get(id);
    const progress: ImportProgress = {
      id,
      state: last ? 'done' : 'running',
      lines: (before?.lines ?? 0) + lines.length,
      digest,
      imported: (before?.imported ?? 0) + lines.length - broken.length,
      refused: (before?.refused ?? 0) + broken.length,
      imported_by_type: [],
      refusals: [...(before?.refusals ?? []), ...broken],
      started_at: at,
      updated_at: at,
    };
    imports.set(id, progress);
    return { progress, refusals: broken };
  });
}

async function answerForSecrets(on: Respond): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const secret = { name: 'warehouse', last4: 'abcd', created_at: at, updated_at: at };
  await on('evaluation.message.send.v1', async () => ({ sent: true, reason: null }));
  await on('evaluation.secret.list.v1', async () => ({ secrets: [secret] }));
  await on('evaluation.secret.put.v1', async ({ value }) => ({ secret, created: true, value }));
  await on('evaluation.secret.delete.v1', async () => ({ deleted: true }));
}

async function answerForLog(on: Respond): Promise<void> {
  await on('audit.filter-options.get.v1', async () => ({
    statuses: ['success'],
    event_types: ['rule_evaluation'],
    sources: ['webhook', 'api'],
    order_ids: [1001],
  }));
  await on('audit.entry.delete.v1', async ({ log_ids }) => ({ deleted_count: log_ids.length }));
  await on('audit.entry.scan.v1', async () => ({ logs: [], next_id: null, settled_below: 1 }));
  await on('audit.entry.render.v1', async ({ log_ids }) => ({
    rendered: log_ids.map((log_id) => ({
      log_id,
      process_id: 'proc_1',
      html: '<p>An entry</p>',
      total_events: 1,
      visible_events: 1,
    })),
  }));
  await on('audit.log.verify.v1', async () => ({
    valid: true,
    checked: 1,
    first_bad_id: null,
    reason: null,
    head: null,
    next_id: null,
  }));
  await on('audit.head.list.v1', async () => ({ verifier_key: 'key', heads: [] }));
  await on('audit.export.open.v1', async () => ({
    line: '{"format":"first"}\n',
    from_id: 1,
    below_id: 3,
    last_seal: 1,
    entries: 2,
  }));
  await on('audit.export.read.v1', async ({ from_id }) => ({
    lines: `{"id":${from_id}}\n`,
    entries: 1,
    next_id: from_id === 1 ? 2 : null,
  }));
  await on('audit.export.sign.v1', async ({ lines }) => ({ line: `{"lines":${lines}}\n` }));
}

async function answerForOthers(on: Respond, peers: Peers): Promise<void> {
  await on('audit.record.v2', async ({ records }) => {
    const entries = entriesOfRecords(records);
    peers.entries.push(...entries);
    return { recorded: entries.length, duplicates: 0 };
  });
  await on('audit.entry.list.v1', async ({ page, per_page }) => ({
    logs: [],
    pagination: paginate(0, page, per_page),
    is_truncated: false,
  }));
  await on('audit.process.get.v1', async ({ process_id }) => {
    if (process_id === 'proc_none') throw new ServiceError(404, 'svc_process_not_found', 'There is no such process.');
    return { logs: [], pagination: paginate(0, 1, 500) };
  });
  await on('audit.person.erase.v1', async () => ({ erased: 2 }));
  await on('audit.retention.run.v1', async () => ({ removed: 0, below_id: 0, before: '2026-01-01T00:00:00.000Z' }));
  await on('audit.stats.get.v1', async () => ({ buckets: [] }));
  await answerForLog(on);
  await answerForSecrets(on);
  await on('shop.order.list.v1', async ({ page, per_page }) => ({
    orders: [],
    pagination: paginate(0, page, per_page),
  }));
  await on('shop.order.resolve.v1', async () => goldenOutput('shop.order.resolve.v1'));
  await on('shop.status.v1', async () => goldenOutput('shop.status.v1'));
  await on('shop.search.v1', async ({ search }) => ({ results: [{ value: '1', label: search, meta: {} }] }));
  await on('shop.order.view.v1', async () => ({ order }));
  await on('shop.order.save.v1', async ({ id }) => ({ order, created: id !== order.id }));
  await answerForShop(on);
  await on('debug.order.explain.v1', async () => goldenOutput('debug.order.explain.v1'));
  await on('debug.order.why.v1', async () => goldenOutput('debug.order.why.v1'));
  await on('debug.order.simulate.v1', async () => goldenOutput('debug.order.simulate.v1'));
  await on('debug.backtest.start.v1', async () => goldenOutput('debug.backtest.get.v1'));
  await on('debug.backtest.list.v1', async () => goldenOutput('debug.backtest.list.v1'));
  await on('debug.backtest.get.v1', async () => goldenOutput('debug.backtest.get.v1'));
  await on('debug.backtest.cancel.v1', async () => goldenOutput('debug.backtest.cancel.v1'));
  await on('debug.order.search.v1', async () => ({ data: [] }));
  await on('debug.rule.test.v1', async ({ order_id }) => ({
    data: {
      matched: true,
      trigger: { id: 'order_processing', would_fire: true, reason: 'The order is processing.' },
      conditions: [],
      would_run: [],
      suggestions: [],
      order_details: {
        id: order_id,
        status: 'processing',
        total: '49.00',
        currency: 'EUR',
        payment_method: 'card',
        customer_id: 7,
        date_created: '2026-01-15T10:00:00.000Z',
      },
    },
  }));
}
