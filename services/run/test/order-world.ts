import type { Bus } from '@order-automation/bus';
import {
  awaitingPayment,
  type EventReceived,
  message,
  type NewAuditEntry,
  newProcessId,
  type Order,
  type RuleData,
  type UniversalEvent,
  unavailable,
} from '@order-automation/contracts';
import { startEvaluation } from '@order-automation/evaluation';
import { startRules } from '@order-automation/rules';
import { createMetrics, type Service, secret } from '@order-automation/service';
import { type ShopSettings, startShop } from '@order-automation/shop';
import { buildEvent, type Lane, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';

/** How evaluation is configured here. */
export const evaluationConfig = {
  extensions: [],
  orderWait: 3_600_000,
  retention: 90 * 86_400_000,
  timeZone: 'UTC',
  awaitingPayment,
  giveUpAfter: 3_600_000,
  secretKey: secret([Buffer.alloc(32, 7)]),
  outboundAllow: { hosts: [], subnets: [] },
  smtpUrl: undefined,
  smtpFrom: undefined,
};

/** Requests of the test itself: the stand-in for MongoDB does not answer at times. */
const patient = { timeout: 60_000, describe: 'the shop' };

type OrderWorldOptions = {
  readonly bus?: Bus;
  readonly shop?: Partial<ShopSettings>;
  readonly clock?: SettableClock;
  /** Before the name of each database: worlds of one lane with different ones share nothing. */
  readonly databases?: string;
};

export type OrderWorld = Awaited<ReturnType<typeof startOrderWorld>>;

/** Shop, rules and several instances of evaluation on one bus, and a log that is a list. On a bus that is given somebody else is the log. */
export async function startOrderWorld(lane: Lane, instances: number, given: OrderWorldOptions = {}) {
  const bus = given.bus ?? (await lane.bus());
  const opened: LaneDeps[] = [];
  const depsOf = async (name: string): Promise<LaneDeps> => {
    const { clock, databases = '' } = given;
    const made = await lane.deps({ bus, database: `${databases}${name}`, ...(clock ? { clock } : {}) });
    const deps = { ...made, metrics: createMetrics(name) };
    opened.push(deps);
    return deps;
  };
  const entries = new Map<string, NewAuditEntry>();
  const ofOrders = new Map<number, Map<string, NewAuditEntry>>();
  const keep = (entry: NewAuditEntry): void => {
    const key = `${entry.process_id} ${entry.uid}`;
    entries.set(key, entry);
    if (entry.order_id !== null)
      ofOrders.set(entry.order_id, (ofOrders.get(entry.order_id) ?? new Map()).set(key, entry));
  };
  if (!given.bus)
    await bus.respond('audit.record.v2', async ({ records }) => {
      for (const { process_id, entries: own } of records) for (const entry of own) keep({ ...entry, process_id });
      return { recorded: records.length, duplicates: 0 };
    });
  const done = new Set<string>();
  await bus.subscribe('evaluation.events-done.v1', 'test', async (messages) => {
    for (const { data } of messages) for (const { event_id } of data.events) done.add(event_id);
  });
  const services: Service[] = [
    await startShop(await depsOf('shop'), { demoShop: false, timeZone: 'UTC', ...given.shop }),
    await startRules(await depsOf('rules'), { extensions: [] }),
  ];
  const failures = { everyNth: 0, calls: 0 };
  const evaluation = await depsOf('evaluation');
  const startInstances = async (): Promise<void> => {
    for (let index = 0; index < instances; index += 1)
      services.push(
        await startEvaluation(
          { ...evaluation, bus: failing(bus, failures), metrics: createMetrics(`e${index}`) },
          evaluationConfig,
        ),
      );
  };
  return {
    bus,
    entries: () => [...entries.values()],
    entriesOf: (order: number) => [...(ofOrders.get(order)?.values() ?? [])],
    isDone: (id: string) => done.has(id),
    /** Why events were tried again, each reason once. */
    reasonsOfRetries: async (): Promise<string[]> => {
      const documents = await evaluation.store.collection<{ _id: string; error: string | null }>('evaluations');
      const failed = await documents.find({ error: { $ne: null } }).toArray();
      return [...new Set(failed.map(({ error }) => error ?? ''))];
    },
    /** Of the shop's answers to steps every nth fails, before or after it was carried out. */
    failEvery: (nth: number) => {
      failures.everyNth = nth;
    },
    startInstances,
    createOrder: async (id: number, fields: Record<string, unknown> = {}): Promise<void> => {
      const cause = { process_id: 'proc_setup', depth: 0, author: 'admin' } as const;
      const basic = { status: 'pending', total: '49.00', currency: 'EUR', ...fields };
      await waitFor(
        () => bus.request('shop.order.save.v1', { id, fields: basic, cause }, { timeout: 20_000 }),
        patient,
      );
    },
    order: async (id: number) =>
      (await waitFor(() => bus.request('shop.order.view.v1', { id }, { timeout: 20_000 }), patient)).order as Order & {
        notes: { note: string }[];
      },
    createRule: (name: string, rule: RuleData) => createRule(bus, name, rule),
    publish: (events: readonly EventReceived[]) =>
      bus.publish(
        events.map((data) =>
          message('intake.event-received.v1', data, { process_id: data.process_id, now: Date.now() }),
        ),
      ),
    close: async () => {
      for (const service of services.reverse()) await service.close();
      for (const one of opened) await one.close();
      if (!given.bus) await bus.close();
    },
  };
}

export async function createRule(bus: Bus, name: string, rule: RuleData): Promise<void> {
  const actor = { user: 'test', process_id: 'proc_setup', action: null, user_agent: null, page_url: null };
  const changes = { name, enabled: true, rule };
  await bus.request('rules.rule.create.v1', { changes, edition: 'extended', actor }, { timeout: 20_000 });
}

function failing(bus: Bus, failures: { everyNth: number; calls: number }): Bus {
  return {
    ...bus,
    request: async (type, input, options) => {
      if (type !== 'shop.order.apply.v2' || failures.everyNth === 0) return bus.request(type, input, options);
      failures.calls += 1;
      const turn = failures.calls % (2 * failures.everyNth);
      if (turn === 0) throw unavailable('shop');
      const answer = await bus.request(type, input, options);
      if (turn === failures.everyNth) throw unavailable('shop');
      return answer;
    },
  };
}

/** An event of the card gateway about an order, as intake publishes it. */
export function eventOf(order: number, over: Partial<UniversalEvent>): EventReceived {
  const transaction = `pi_${order}`;
  const event = buildEvent({
    transactionID: transaction,
    primaryObjectID: transaction,
    receivedAt: new Date().toISOString(),
    orderReference: { gateway_ids: [], order_id: String(order), transaction_id: transaction },
    ...over,
  });
  return { process_id: newProcessId(Date.now()), event, webhook: { connection: null, body_bytes: 2, metadata: {} } };
}

export const changeStatus = (to: 'completed' | 'on-hold' | 'cancelled' | 'processing') => ({
  id: `change_status_to_${to === 'on-hold' ? 'on_hold' : to}`,
  settings: { send_emails: false, update_stock: false },
});

export const addNote = (note_text: string) => ({ id: 'add_order_note', settings: { note_text } });
