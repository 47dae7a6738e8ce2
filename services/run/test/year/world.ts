import { newProcessId } from '@order-automation/contracts';
import { intakeConfiguration, startIntake } from '@order-automation/gateway-intake';
import { createMetrics, parseConfig } from '@order-automation/service';
import { type Lane, waitFor } from '@order-automation/testing';
import { addNote, changeStatus, type OrderWorld, startOrderWorld } from '../order-world';
import { connections } from './generic';
import { fieldsOf } from './lives';
import type { End } from './model';
import type { Life, PlannedOrder, Webhook } from './plan';
import { openSenders } from './senders';

export type YearWorld = Awaited<ReturnType<typeof startYearWorld>>;

const slow = { timeout: 60_000 };

/** A shop with its rules and intake before it: webhooks are proven, read, evaluated and carried out as in the product. */
export async function startYearWorld(lane: Lane) {
  const senders = await openSenders();
  const world = await startOrderWorld(lane, 1, { shopUrl: 'https://shop.example' });
  const { bus } = world;
  const deps = await lane.deps({ bus, database: 'gateway-intake' });
  const env = { ...senders.env, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
  const intake = await startIntake(
    { ...deps, metrics: createMetrics('gateway-intake') },
    parseConfig(intakeConfiguration, env),
  );
  await createRules(world);
  await world.startInstances();
  const byHmac = { auth_method: 'hmac', secret: senders.secret } as const;
  await bus.request('intake.connection.create.v1', { name: connections.major, fields: byHmac }, slow);
  const minor = { ...byHmac, amount_unit: 'minor' } as const;
  await bus.request('intake.connection.create.v1', { name: connections.minor, fields: minor }, slow);

  /** Events that are done, or wait for an order that nobody has. */
  const settled = new Set<string>();
  await bus.subscribe('evaluation.events-done.v1', 'year', async (messages) => {
    for (const { data } of messages)
      for (const { event_id, origin } of data.events) if (origin === 'intake') settled.add(event_id);
  });
  await bus.subscribe('evaluation.events-waiting.v1', 'year', async (messages) => {
    for (const { data } of messages)
      for (const { event_id, origin } of data.events) if (origin === 'intake') settled.add(event_id);
  });
  let accepted = 0;

  const send = async (webhooks: readonly Webhook[]): Promise<{ process_id: string; answer: string }[]> => {
    const received = webhooks.map((webhook) => ({
      process_id: newProcessId(Date.now()),
      gateway: webhook.gateway,
      connection: webhook.connection,
      headers: senders.headersOf(webhook),
      body: Uint8Array.from(Buffer.from(webhook.body)),
      received_at: new Date().toISOString(),
      refused: null,
    }));
    const { receptions } = await bus.request('intake.receive.v1', { webhooks: received }, slow);
    accepted += receptions.reduce((sum, { events_processed }) => sum + events_processed, 0);
    return receptions.map(({ success, message, process_id, duplicate }) => ({
      process_id,
      answer: duplicate ? 'duplicate' : success ? 'accepted' : `refused: ${message}`,
    }));
  };
  const isSettled = (): Promise<unknown> =>
    waitFor(() => settled.size >= accepted, { timeout: 120_000, describe: 'the end of every event' });

  return {
    isSettled,
    failEvery: world.failEvery,
    create: (order: PlannedOrder) => world.createOrder(order.id, fieldsOf(order)),
    save: (id: number, fields: Record<string, unknown>) =>
      bus.request(
        'shop.order.save.v1',
        { id, fields, cause: { process_id: 'proc_setup', depth: 0, author: 'admin' } },
        slow,
      ),
    send,
    endOf: async ({ order }: Life): Promise<End> => {
      const { status, notes } = await world.order(order.id);
      const counts = new Map<string, number>();
      for (const { note } of notes) if (/^[A-Z]+$/.test(note)) counts.set(note, (counts.get(note) ?? 0) + 1);
      return { status, notes: Object.fromEntries([...counts].sort()) };
    },
    /** What the log says of these processes. */
    summaries: (processes: readonly string[]): string[] => {
      const wanted = new Set(processes);
      return world
        .entries()
        .filter(({ process_id }) => wanted.has(process_id))
        .map(({ event_type, summary, process_id }) => `${process_id.slice(-6)} ${event_type}: ${summary}`);
    },
    close: async () => {
      await intake.close();
      await deps.close();
      await world.close();
      await senders.close();
    },
  };
}

async function createRules(world: OrderWorld): Promise<void> {
  const named = (event_type: string) => ({
    id: 'webhook_event',
    settings: { event_types: [event_type], gateways: [] },
  });
  const plain = (id: string) => ({ id, settings: {} });
  const rules = [
    ['PAID', plain('order_processing'), changeStatus('completed')],
    ['DISPUTE', plain('dispute_opened'), changeStatus('on-hold')],
    ['REFUND', plain('refund_created'), null],
    ['RENEWAL', plain('subscription_renewal'), null],
    ['CANCELLED', plain('subscription_cancelled'), null],
    ['FAILED', plain('payment_failed'), null],
    ['WON', named('dispute_won'), null],
    ['LOST', named('dispute_lost'), null],
    ['RESOLVED', named('dispute_resolved'), null],
    ['NAMED', named('invoice.paid'), null],
  ] as const;
  for (const [note, trigger, primaryAction] of rules)
    await world.createRule(note, { trigger, conditions: [], primaryAction, secondaryActions: [addNote(note)] });
}
