import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAudit } from '@order-automation/audit';
import { natsBus } from '@order-automation/bus/nats';
import { createMetrics, secret } from '@order-automation/service';
import { describeLanes, type Lane, waitFor } from '@order-automation/testing';
import { startNatsServer } from './nats-server';
import { addNote, changeStatus, eventOf, startOrderWorld } from './order-world';

const rules = 120;
const conditionsOfRule = 20;
/** What each condition compares with: all conditions together are more than a message of 1 MB holds. */
const value = 'a value that no order has '.repeat(12);

/** A server with the default of 1 MB for a message, which a production profile refuses; where there is none, the bus of the lane. */
async function smallBus(lane: Lane) {
  const binary = process.env.NATS_SERVER_BIN;
  if (lane.name === 'embedded' || !binary) return { bus: await lane.bus(), close: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'order-automation-small-nats-'));
  const server = await startNatsServer(binary, folder, { maxPayload: '1MB' });
  const bus = await natsBus({ servers: server.url, name: 'test', profile: 'development', streamPrefix: 'small' });
  const close = async (): Promise<void> => {
    await bus.close();
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  return { bus, close };
}

async function closeAll(closing: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closing.reverse()) await close();
}

describeLanes('an event about which more is to be said than a message holds', (lane) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(() => closeAll(closing), 60_000);

  test('changes its order, and all of it reaches the log', async () => {
    const small = await smallBus(lane);
    closing.push(small.close);
    const audit = await lane.deps({ bus: small.bus, database: 'audit' });
    const config = { secretKey: secret([Buffer.alloc(32, 7)]), retention: 90 * 86_400_000 };
    const log = await startAudit({ ...audit, metrics: createMetrics('audit') }, config);
    closing.push(log.close);
    const world = await startOrderWorld(lane, 1, { bus: small.bus });
    closing.push(world.close);
    const passes = { id: 'order_meta', settings: { key: 'k', operator: 'is_not', value } };
    const fails = { id: 'order_meta', settings: { key: 'k', operator: 'is', value } };
    for (let number = 1; number <= rules; number += 1)
      await world.createRule(`Rule ${number}`, {
        trigger: { id: 'order_processing', settings: {} },
        conditions: number === 1 ? [] : [...Array.from({ length: conditionsOfRule - 1 }, () => passes), fails],
        primaryAction: number === 1 ? changeStatus('completed') : null,
        secondaryActions: [addNote('noted')],
      });
    await world.startInstances();
    await world.createOrder(1);
    const data = eventOf(1, {});
    await world.publish([data]);
    await waitFor(() => world.isDone(data.event.id), { timeout: 60_000, describe: 'the event' });
    expect((await world.order(1)).status).toBe('completed');
    const entries = async (page: number) => {
      const input = { process_id: data.process_id, page, per_page: 50 };
      return (await small.bus.request('audit.process.get.v1', input, { timeout: 20_000 })).logs;
    };
    const pages = await Promise.all([1, 2, 3].map(entries));
    const logged = pages.flat().filter(({ event_type }) => event_type === 'rule_evaluation');
    expect(logged).toHaveLength(rules);
    expect(JSON.stringify(logged).length).toBeGreaterThan(1_048_576);
    for (const { details } of logged) expect(details.conditions).toBeDefined();
  }, 180_000);
});

describeLanes('orders that are larger together than a message', (lane) => {
  const closing: (() => Promise<unknown>)[] = [];
  afterAll(() => closeAll(closing), 60_000);

  test('the group is divided, and their events are evaluated without a retry', async () => {
    const small = await smallBus(lane);
    closing.push(small.close);
    await small.bus.respond('audit.record.v2', async ({ records }) => ({ recorded: records.length, duplicates: 0 }));
    const world = await startOrderWorld(lane, 1, { bus: small.bus });
    closing.push(world.close);
    await world.createRule('Complete', {
      trigger: { id: 'order_processing', settings: {} },
      conditions: [],
      primaryAction: changeStatus('completed'),
      secondaryActions: [],
    });
    await world.startInstances();
    const ids = Array.from({ length: 60 }, (_, index) => 100 + index);
    // 60 of them are twice what a message of 1 MB holds.
    const meta_data = Array.from({ length: 40 }, (_, index) => ({
      key: `note_${index}`,
      value: 'as agreed '.repeat(90),
    }));
    await Promise.all(ids.map((id) => world.createOrder(id, { meta_data })));
    const events = ids.map((id) => eventOf(id, {}));
    await world.publish(events);
    await waitFor(() => events.every(({ event }) => world.isDone(event.id)), {
      timeout: 60_000,
      describe: 'all events',
    });
    for (const id of ids) expect((await world.order(id)).status).toBe('completed');
    expect((await world.reasonsOfRetries()).filter((reason) => reason.includes('max_payload'))).toEqual([]);
  }, 180_000);
});
