import type { ReceivedWebhook } from '@order-automation/contracts';
import { intakeConfiguration, startIntake } from '@order-automation/gateway-intake';
import { createMetrics, parseConfig } from '@order-automation/service';
import { type Lane, settableClock, waitFor } from '@order-automation/testing';
import { startOrderWorld } from '../order-world';
import { builtinShop } from './builtin-shop';
import { answered, createConnections, received } from './intake';
import type { End } from './model';
import type { Life, Webhook } from './plan';
import { createRules } from './rules';
import { openSenders } from './senders';
import type { YearShop } from './shop';
import { endIn, telling } from './telling';

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
  await createConnections(bus);

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
  const told = telling(world.entries);
  let accepted = 0;

  const receive = async (webhooks: ReceivedWebhook[]) => {
    const { receptions } = await bus.request('intake.receive.v1', { webhooks }, slow);
    accepted += receptions.reduce((sum, { events_processed }) => sum + events_processed, 0);
    return receptions;
  };
  const send = async (webhooks: readonly Webhook[]): Promise<{ process_id: string; answer: string }[]> => {
    const given = webhooks.map((webhook) => {
      const { gateway, connection, body } = webhook;
      return received({ gateway, connection, body, headers: senders.headersOf(webhook) }, clock.now());
    });
    return (await receive(given)).map(answered);
  };
  const open = await shop.open({
    world,
    changesOf: (id) => changes.get(id)?.size ?? 0,
    deliver: async (headers, body) => {
      const webhook = { gateway: 'gateway_shop', connection: null, headers, body };
      const [reception] = await receive([received(webhook, clock.now())]);
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
    endOf: async ({ order: { id } }: Life): Promise<End> => {
      const { status, notes, moves } = await open.order(id);
      return { status, moves, ...endIn(notes, world.entriesOf(id)) };
    },
    silent: told.silent,
    summaries: told.summaries,
    close: async () => {
      await intake.close();
      await deps.close();
      await world.close();
      await open.close();
      await senders.close();
    },
  };
}
