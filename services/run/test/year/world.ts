import { type NewAuditEntry, newProcessId, type ReceivedWebhook } from '@order-automation/contracts';
import { intakeConfiguration, startIntake } from '@order-automation/gateway-intake';
import { createMetrics, parseConfig } from '@order-automation/service';
import { type Lane, settableClock, waitFor } from '@order-automation/testing';
import { addNote, changeStatus, type OrderWorld, startOrderWorld } from '../order-world';
import { builtinShop } from './builtin-shop';
import { connections } from './generic';
import type { End } from './model';
import type { Life, Webhook } from './plan';
import { openSenders } from './senders';
import type { YearShop } from './shop';

export type YearWorld = Awaited<ReturnType<typeof startYearWorld>>;

const slow = { timeout: 60_000 };

/** A shop with its rules and intake before it: webhooks are proven, read, evaluated and carried out as in the product. */
export async function startYearWorld(
  lane: Lane,
  openShop: (clock: ReturnType<typeof settableClock>) => Promise<YearShop> = builtinShop,
  databases = '',
) {
  const clock = settableClock();
  const senders = await openSenders(clock.now);
  const shop = await openShop(clock);
  const settings = { shopUrl: 'https://shop.example', ...shop.settings };
  const world = await startOrderWorld(lane, 1, { shop: settings, clock, databases });
  const { bus } = world;
  const deps = await lane.deps({ bus, database: `${databases}gateway-intake`, clock });
  const env = { ...senders.env, ...shop.env, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
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
  /** What happened to each order in the shop, by the ids of its events. */
  const changes = new Map<number, Set<string>>();
  await bus.subscribe('shop.order-changed.v1', 'year-changes', async (messages) => {
    for (const { data } of messages)
      if (data.kind !== 'identified')
        changes.set(data.order_id, new Set(changes.get(data.order_id)).add(data.change_id));
  });
  const areChangesDone = (): boolean => [...changes.values()].every((ids) => [...ids].every(world.isDone));
  let accepted = 0;

  const receive = async (webhooks: ReceivedWebhook[]) => {
    const { receptions } = await bus.request('intake.receive.v1', { webhooks }, slow);
    accepted += receptions.reduce((sum, { events_processed }) => sum + events_processed, 0);
    return receptions;
  };
  const received = (webhook: Pick<ReceivedWebhook, 'gateway' | 'connection' | 'headers'> & { body: string }) => ({
    ...webhook,
    body: Uint8Array.from(Buffer.from(webhook.body)),
    process_id: newProcessId(clock.now()),
    received_at: new Date(clock.now()).toISOString(),
    refused: null,
  });
  const send = async (webhooks: readonly Webhook[]): Promise<{ process_id: string; answer: string }[]> => {
    const given = webhooks.map((webhook) => {
      const { gateway, connection, body } = webhook;
      return received({ gateway, connection, body, headers: senders.headersOf(webhook) });
    });
    return (await receive(given)).map(({ success, message, process_id, duplicate }) => ({
      process_id,
      answer: duplicate ? 'duplicate' : success ? 'accepted' : `refused: ${message}`,
    }));
  };
  const open = await shop.open({
    world,
    changesOf: (id) => changes.get(id)?.size ?? 0,
    deliver: async (headers, body) => {
      const [reception] = await receive([received({ gateway: 'gateway_shop', connection: null, headers, body })]);
      return reception?.success === true;
    },
  });
  /** Until the shop has no more to tell, whatever came of what it told. */
  const isSettled = async (): Promise<void> => {
    const isDone = () => settled.size >= accepted && areChangesDone();
    do await waitFor(isDone, { timeout: 120_000, describe: 'the end of every event' });
    while (await open.tell());
  };

  return {
    /** Has all orders looked at, three hours later; resolves with the look at what was found so far. */
    lookAtMoney: async (): Promise<() => Promise<Map<number, string>>> => {
      clock.advance(3 * 60 * 60_000);
      await bus.request('evaluation.money.check.v1', {}, slow);
      const list = () => bus.request('evaluation.money.list.v1', {}, slow);
      await waitFor(async () => (await list()).round.ended_at !== null, { ...slow, describe: 'the end of the round' });
      return async () => new Map((await list()).findings.map(({ order_id, law }) => [order_id, law]));
    },
    isSettled,
    failEvery: world.failEvery,
    create: open.create,
    save: open.save,
    turn: open.turn,
    last: open.last,
    send,
    endOf: async ({ order }: Life): Promise<End> => {
      const { status, notes: all, moves } = await open.order(order.id);
      return {
        status,
        moves,
        ...endIn(
          all,
          world.entries().filter(({ order_id }) => order_id === order.id),
        ),
      };
    },
    /** Of those processes the ones of which the log does not say how they ended. */
    silent: (processes: readonly string[]): string[] => {
      const ended = new Set(
        world
          .entries()
          .filter(({ event_type, details }) => details.outcome !== undefined || event_type === 'event_waiting')
          .map(({ process_id }) => process_id),
      );
      return processes.filter((one) => !ended.has(one));
    },
    /** What the log says of these processes, and of the order. */
    summaries: (processes: readonly string[], order: number): string[] => {
      const wanted = new Set(processes);
      return world
        .entries()
        .filter(({ process_id, order_id }) => wanted.has(process_id) || order_id === order)
        .map(({ event_type, summary, process_id }) => `${process_id.slice(-6)} ${event_type}: ${summary}`);
    },
    close: async () => {
      await intake.close();
      await deps.close();
      await world.close();
      await open.close();
      await senders.close();
    },
  };
}

/** What the notes of an order and its entries in the log come to. */
export function endIn(all: readonly string[], entries: readonly NewAuditEntry[]): Pick<End, 'notes' | 'logged'> {
  const notes: Record<string, number> = {};
  for (const note of all.filter((text) => /^[A-Z]+$/.test(text)).sort()) notes[note] = (notes[note] ?? 0) + 1;
  const count = (type: string): number => entries.filter(({ event_type }) => event_type === type).length;
  return { notes, logged: { created: count('order_created'), changed: count('order_status_changed') } };
}

/** The rules that the model knows. */
export async function createRules(world: Pick<OrderWorld, 'createRule'>): Promise<void> {
  const named = (event_type: string) => ({
    id: 'webhook_event',
    settings: { event_types: [event_type], gateways: [] },
  });
  const entered = (status: string) => ({ id: 'any_status_change', settings: { to: [status] } });
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
    ['CREATED', plain('order_created'), null],
    ['NOWPENDING', entered('pending'), null],
    ['NOWONHOLD', entered('on-hold'), null],
    ['NOWFAILED', entered('failed'), null],
    ['NOWPROCESSING', entered('processing'), null],
    ['NOWCOMPLETED', entered('completed'), null],
    ['NOWCANCELLED', entered('cancelled'), null],
  ] as const;
  for (const [note, trigger, primaryAction] of rules)
    await world.createRule(note, { trigger, conditions: [], primaryAction, secondaryActions: [addNote(note)] });
}
